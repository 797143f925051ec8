// Killed in the middle of an action: what was begun is found out and settled, and not done again.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { canBox } from "../support/box.ts";
import { ADA, mainOf, specOf, withProposal } from "../support/decisions.ts";
import { inPlace } from "../support/lw.ts";

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

it("two people who say yes at the same moment move it once", () =>
  withProposal(
    async (place, { run }) => {
      place.writeProgram("act", "#!/bin/sh\necho done >> effects\nsleep 0.3\n");

      const ended = await Promise.all(["ada", "bob"].map((who) => place.apart.json(["approve", run, "--as", who])));
      const shown = await place.json(["show", run]);

      expect([place.read("effects"), shown.said.proposal.settled.how, shown.said.proposal.receipts.length]).toEqual(["done\n", "acted", 1]);
      expect(ended.map(({ exit }) => exit)).toContain(0);
    },
    { act: [deadly("test -e effects")] },
  ));

it.skipIf(!canBox)("a commit that lands on main at the last moment is not lost, and the loop says that it did not act", () =>
  inPlace(async (place) => {
    const base = place.repo.commit("start", { files: { "docs/value.txt": "wrong\n" } });
    place.repo.git("checkout", "--quiet", "--detach");
    const human = place.repo.git("commit-tree", place.repo.git("rev-parse", "main^{tree}"), "-p", base, "-m", "a human's");
    // The last gate is asked after base was looked at: what it does comes between looking and moving.
    place.writeProgram("land", `#!/bin/sh\ncat > facts.json\ncd "${place.repo.dir}" && git update-ref refs/heads/main ${human}\n`);
    const gate = {
      all: [
        { use: "allowlist", with: { allow: ["docs/**"] } },
        { use: "command", with: { run: "./land" } },
      ],
    };

    const spec = specOf(place, { level: "L3", gate });
    await place.json(["run", spec]);
    await place.json(["promote", "fix", "--yes", "--anyway", "--as", "ada", "--why", "it is ours"]);

    const ran = await place.json(["run", spec, "--again"]);
    const { items } = (await place.json(["inbox"])).said;

    expect([mainOf(place), ran.said.proposal.receipts, items.map(({ id }: { readonly id: string }) => id)]).toEqual([
      human,
      [],
      [ran.said.run],
    ]);
    expect(JSON.parse(place.read("facts.json"))).toMatchObject({ level: "L3", changed: ["docs/value.txt"], approvals: [] });
  }),
);
