// Makers for whom we read and write files in their copy: all that is in it must lie there.
import type { CrewMaker } from "../contract/crew.ts";
import type { KindName } from "../contract/proposal.ts";

export const isThroughUs = ({ make }: CrewMaker<KindName>): boolean => "throughUs" in make && make.throughUs === true;
