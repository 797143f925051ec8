import { expect, it } from "vitest";
import { withProposal } from "../../../test/support/memory-house.ts";
import { approve, defer, reject } from "../../app/decisions/decide.ts";
import { pauseLoop } from "../../app/decisions/standing.ts";
import { viewOf } from "../../app/records/views.ts";
import { tellStanding, whyStanding } from "./words.ts";

const RUN = "fix-1-t0001";
const ADA = { by: "ada", why: "", tree: undefined, until: undefined };
const LATER = "2027-01-01T00:00:00.000Z";

it.each<readonly [string, string, string | undefined, (house: Awaited<ReturnType<typeof withProposal>>["house"]) => Promise<unknown>]>([
  ["nobody decided about", "proposed", undefined, async () => {}],
  ["was put off", "deferred until 2027-01-01", undefined, (house) => defer(house, RUN, { by: "ada", why: "", until: LATER })],
  ["was rejected", "rejected", "by ada: no", (house) => reject(house, RUN, { ...ADA, why: "no" })],
  ["was approved and merged", "merged", "main moved", (house) => approve(house, RUN, ADA, () => {})],
  [
    "was approved and cannot go on",
    "approved",
    "by ada",
    async (house) => {
      await pauseLoop(house, "fix", "bea", "");
      await approve(house, RUN, ADA, () => {});
    },
  ],
])("tells of a proposal that %s that it is %s", async (_, told, why, decide) => {
  const { house } = await withProposal();
  await decide(house);

  const { rest, proposal } = await viewOf(house, RUN);

  if (!rest || !proposal) throw new TypeError("nothing was proposed");
  expect(tellStanding({ rest, proposal }, house.clock.now())).toBe(told);
  expect(whyStanding(proposal)?.slice(0, why?.length)).toBe(why);
});
