// The maker of a loop whose spec has a team: the engine calls its workers, each by its own maker, and never this.
import * as z from "zod";
import { defineMaker } from "../contract/maker.ts";
import { untrustedText } from "../contract/text.ts";

export const team = defineMaker({
  name: "team",
  summary: "Stands for the workers that the spec's `team` names; it is filled in where `maker` is left out.",
  options: z.strictObject({}),
  edit: async (_order, _options, { meter }) => {
    meter.free();
    return { ended: "gave-up", summary: untrustedText("no worker was called: the spec has no team") };
  },
});
