// Every kind of proposal there is, by its name.
import type { DecidedKind, KindName } from "../../contract/proposal.ts";
import type { Proposed } from "../proposed.ts";
import type { Deciding, ProposalKind } from "../run.ts";
import { commitKind } from "./commit.ts";
import { documentKind } from "./document.ts";
import { reportKind } from "./report.ts";

export const kinds: { readonly [K in KindName]: ProposalKind<K> } = {
  commit: commitKind,
  document: documentKind,
  report: reportKind,
};

/** Those that somebody decides about have an answer to what that means: a kind without one does not compile. */
const deciding: { readonly [K in DecidedKind]: Deciding<K> } = {
  commit: commitKind.deciding,
  document: documentKind.deciding,
};

export const decidingOf = ({ proposal }: Pick<Proposed, "proposal">): Deciding<DecidedKind> =>
  deciding[proposal.kind] as Deciding<DecidedKind>; // of the same kind
