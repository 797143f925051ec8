// Killed in the middle of an action: what was begun is found out and settled, and not done again.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ADA, withProposal } from "../support/decisions.ts";

/** An action that does its work and then, while the file `die` is there, kills the process that asked for it. */
const DEADLY = `#!/bin/sh
echo done >> effects
test -e die && kill -9 "$(cat pid)"
sleep 0.2
`;
const deadly = (confirm?: string) => ({ use: "command", with: { run: "./act", ...(confirm ? { confirm } : {}) } });

const inTurn = (confirm?: string) =>
  withProposal(
    async (place, { run }) => {
      place.writeProgram("act", DEADLY);
      place.write("die", "");
      const dying = place.start(["approve", run, ...ADA]);
      writeFileSync(join(place.dir, "pid"), String(dying.pid));
      const killed = await dying.ended;
      const between = await place.json(["inbox"]);
      const settled = await place.json(["approve", run, ...ADA]);
      return {
        killed: killed.exit,
        stage: between.said.items[0].stage,
        exit: settled.exit,
        after: settled.said.outcome.state,
        effects: existsSync(join(place.dir, "effects")) ? readFileSync(join(place.dir, "effects"), "utf8") : "",
        inbox: (await place.json(["inbox"])).said.items.map(({ stage }: { readonly stage: string }) => stage),
      };
    },
    { act: [deadly(confirm)] },
  );

it("an action that can be looked up is settled after a kill, with one effect and one receipt", async () => {
  const { killed, stage, exit, after, effects, inbox } = await inTurn("test -e effects");

  expect([killed, stage, exit, after.settled.how, after.receipts.length, effects, inbox]).toEqual([
    "SIGKILL",
    "acting",
    0,
    "acted",
    1,
    "done\n",
    [],
  ]);
});

it("one that cannot be looked up is not repeated either: a human is asked", async () => {
  const { killed, exit, after, effects, inbox } = await inTurn();

  expect([killed, exit, after.unclear !== undefined, effects, inbox]).toEqual(["SIGKILL", 9, true, "done\n", ["unclear"]]);
});
