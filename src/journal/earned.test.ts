import { expect, it } from "vitest";
import type { Entry, LoopRecord, RunOpened } from "../contract/record.ts";
import { LoopSpec } from "../contract/spec.ts";
import { aloneNext, aloneWith, groundOf, type Past } from "./earned.ts";
import type { EntryOf } from "./journal.ts";

let seq = 0;
const entry = <R extends LoopRecord>(run: string, record: R): Entry<R> => ({
  seq: ++seq,
  at: "",
  loop: "fix",
  run,
  record,
  prev: "",
  hash: "",
});

const openedWith = (more: object = {}, repo = "/r"): RunOpened => ({
  kind: "run-opened",
  number: 1,
  spec: LoopSpec.parse({
    name: "fix",
    intent: "Fix.",
    level: "L3",
    maker: { use: "shell", with: { run: "a" } },
    verifiers: [{ use: "command", with: { run: "npm test" } }],
    ...more,
  }),
  specHash: "",
  specPath: "/s.yaml",
  folder: "/",
  repo,
  base: { ref: "main", commit: "b" },
  cursors: {},
  version: "1",
});

/** So many runs that people or nobody said yes to, and then one more that asks. */
function pastOf(
  { count, yes, earlier = {} }: { readonly count: number; readonly yes: boolean; readonly earlier?: object },
  held?: Omit<EntryOf<"level-held">["record"], "kind">,
): Past {
  const runs = Array.from({ length: count }, (_, at) => `fix-${at}`);
  const opened = runs.map((run) => entry(run, openedWith(earlier)));
  const rested = runs.map((run) =>
    entry(run, {
      kind: "run-rested" as const,
      rest: { kind: "accept" as const, action: "propose" as const },
      report: { sha256: "", bytes: 0, truncated: false },
    }),
  );
  const decided = yes
    ? runs.map((run) => entry(run, { kind: "decided" as const, decision: "approve" as const, tree: "t", by: "ada", why: "" }))
    : [];
  const settled = runs.map((run) => entry(run, { kind: "proposal-settled" as const, how: "acted" as const, why: "" }));
  const last = entry("last", openedWith());
  return {
    opened: [last, ...opened.toReversed()],
    rested,
    decided,
    amended: [],
    settled,
    reverted: [],
    held: held && entry("fix-standing", { kind: "level-held" as const, ...held }),
  };
}

const FEW = (count: number): string => `people decided about only ${count} of its proposals, and 10 are needed`;
const not = (why: string) => ({ kind: "not", why });

it.each([
  ["its first run", pastOf({ count: 0, yes: false }), not(`it has not earned to act alone here: ${FEW(0)}`)],
  ["ten proposals that people took", pastOf({ count: 10, yes: true }), { kind: "earned" }],
  [
    "ten acts of its own, which are nobody's opinion",
    pastOf({ count: 10, yes: false }),
    not(`it has not earned to act alone here: ${FEW(0)}`),
  ],
  [
    "ten that people took of another maker",
    pastOf({ count: 10, yes: true, earlier: { maker: { use: "shell", with: { run: "b" } } } }),
    not(`it has not earned to act alone here: ${FEW(0)}`),
  ],
  [
    "ten that people took under another check",
    pastOf({ count: 10, yes: true, earlier: { verifiers: [{ use: "command", with: { run: "true" } }] } }),
    not(`it has not earned to act alone here: ${FEW(0)}`),
  ],
  [
    "ten at another level, budget and trigger",
    pastOf({ count: 10, yes: true, earlier: { level: "L2", budget: { rounds: 9 } } }),
    { kind: "earned" },
  ],
  [
    "a demotion after all that",
    pastOf({ count: 10, yes: true }, { most: "L2", by: "loopwright", why: "ada rejected it" }),
    not("it is held at L2: ada rejected it"),
  ],
  [
    "a word that came after it was proposed",
    pastOf({ count: 0, yes: false }, { most: "L3", by: "ada", why: "", ground: groundOf(openedWith()) }),
    not(`it has not earned to act alone here: it was proposed before ada let the loop go further; ${FEW(0)}`),
  ],
  [
    "a word about another target",
    pastOf({ count: 0, yes: false }, { most: "L3", by: "ada", why: "", ground: groundOf(openedWith({}, "/other")) }),
    not(`it has not earned to act alone here: what ada let go further was another target, maker, check or spec; ${FEW(0)}`),
  ],
])("tells whether a proposal may go on alone after %s", (_, past, alone) => {
  expect(aloneWith(past, "last")).toEqual(alone);
});

it("lets the next run act alone by somebody's word about exactly this loop", () => {
  const past = pastOf({ count: 0, yes: false }, { most: "L3", by: "ada", why: "", ground: groundOf(openedWith()) });

  expect(aloneNext(past)).toEqual({ kind: "said", by: "ada" });
});

it("knows nothing of a loop under another name, and nothing of a run that is out of sight", () => {
  const renamed: Past = { ...pastOf({ count: 0, yes: false }), held: undefined };

  expect([aloneNext({ ...renamed, opened: [] }), aloneWith(renamed, "gone"), aloneWith(renamed, "last").kind]).toEqual([
    not("it has not run yet"),
    not("its run is too old to tell what had been earned before it"),
    "not",
  ]);
});
