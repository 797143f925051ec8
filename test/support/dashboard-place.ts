// A home with something of everything for the dashboard to show: made by real runs of a scripted maker.
import { inPlace, type Place } from "./lw.ts";

/** What a stranger could write anywhere: markup, escapes, what turns text around, and what has no width. */
export const HOSTILE = "</script><img src=x onerror=alert(1)>\u001b[31m\u202egnp.eciovni\u202c\u200b";

export interface LoopWishes {
  readonly name: string;
  readonly scenes: readonly object[];
  readonly check?: string;
  readonly level?: string;
  readonly intent?: string;
  readonly act?: readonly object[];
  readonly more?: object;
}

export const writeLoop = (
  place: Place,
  { name, scenes, check = "true", level = "L2", intent = "Make it right.", act = [], more = {} }: LoopWishes,
): string =>
  place.write(
    `${name}.loop.json`,
    JSON.stringify(
      {
        name,
        intent,
        level,
        target: { repo: place.repo.dir, base: "main" },
        maker: { use: "scripted", with: { scenes } },
        verifiers: [{ use: "command", with: { run: check } }],
        baseline: { when: "off" },
        act,
        ...more,
      },
      null,
      2,
    ),
  );

export const writes = (path: string, text: string, say = "done"): object => ({
  say,
  write: { [path]: text },
  spend: { usd: 0.41, tokens: 8600 },
});

/** Runs a loop, and gives back what it says of the run. */
export async function runLoop(place: Place, wishes: LoopWishes): Promise<{ readonly run: string; readonly branch: string | null }> {
  const { said } = await place.json(["run", writeLoop(place, wishes)]);
  if (said.run === undefined) throw new Error(`it did not run: ${JSON.stringify(said)}`);
  return said;
}

/** A target whose main nobody has checked out. */
export const inTarget = <T>(work: (place: Place) => Promise<T>): Promise<T> =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "docs/value.txt": "wrong\n", "src/total.js": TOTAL } });
    place.repo.git("checkout", "--quiet", "--detach");
    return work(place);
  });

const TOTAL = `import { lineOf } from "./line.js";

// Everything is in cents.
export function total(basket, voucher) {
  const sum = basket.map(lineOf).reduce((a, b) => a + b);
  return voucher ? sum - voucher.amount : sum;
}
`;

const MENDED = TOTAL.replace(
  "basket.map(lineOf).reduce((a, b) => a + b);",
  "basket.reduce((cents, line) => cents + lineOf(line), 0);",
).replace("return voucher ? sum - voucher.amount : sum;", "if (!voucher) return sum;\n  return Math.max(0, sum - voucher.amount);");

const MEGABYTE = "head -c 1000000 /dev/zero | tr '\\0' A";

/** Proposals that wait, one of them full of a stranger's words; a loop that gave up; one that is paused; notes and spending. */
export async function fillHome(place: Place): Promise<{ readonly run: string; readonly hostile: string }> {
  const odd = `docs/<b>${"very-long-".repeat(16)}name</b>.md`;
  const { run } = await runLoop(place, {
    name: "fix-tests",
    intent: "Keep main green.",
    scenes: [
      writes("docs/value.txt", "still wrong\n", "All tests pass now."),
      { say: "Mended.", write: { "docs/value.txt": "right\n", "src/total.js": MENDED }, spend: { usd: 0.41, tokens: 8600 } },
    ],
    check: "echo checked; grep -x right docs/value.txt",
    act: [{ use: "merge" }],
  });
  const { run: hostile } = await runLoop(place, {
    name: "migrate-legacy-price-rounding-across-checkouts",
    intent: `Say ${HOSTILE}`,
    // A megabyte without a line break comes from a command: a spec may not be that large.
    scenes: [{ say: `I did ${HOSTILE}`, write: { [odd]: `${HOSTILE}\n` }, run: `${MEGABYTE} > docs/wide.txt` }],
    check: `printf '%s' '<script>alert(2)</script>'; printf '\\033[31m'; ${MEGABYTE}`,
  });
  await runLoop(place, {
    name: "docs-drift",
    scenes: [{ ...writes("docs/value.txt", "no\n", "I cannot."), fail: "gives-up" }],
    more: { budget: { rounds: 1 } },
  });
  await runLoop(place, { name: "report-only", scenes: [writes("docs/other.txt", "x\n")] });
  await place.lw(["pause", "report-only", "--as", "ada", "--why", `because ${HOSTILE}`]);
  return { run, hostile };
}
