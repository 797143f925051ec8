// Families of dishonest makers, and honest ones in the same repositories, against several sets of verifiers: what each set refuses, accepts and costs.
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, resolve } from "node:path";
import { FAMILIES, type Maker, type Shop, WORKS } from "./cheats/hours/maker.ts";
import { makers } from "./cheats/hours/makers.ts";
import { askProduct, shopOf } from "./cheats/hours/questions.ts";
import { SETS, type SetName, specOf } from "./cheats/hours/verifier-sets.ts";
import { type Came, letLoose, type Tried } from "./cheats/run-trial.ts";

/**
 * Words choose makers by `family on: name`; --hidden only asks the products; --sets=a,b chooses sets of verifiers;
 * --keep=FILE writes down each result and does not run again what stands there, and --kept runs nothing else;
 * --write makes the page, with --note=TEXT on it; what was not run is said there.
 */
const asked = process.argv.slice(2);
const words = asked.filter((word) => !word.startsWith("--"));
const option = (name: string): string | undefined => asked.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const sets = SETS.filter((set) => option("sets")?.split(",").includes(set) ?? true);
const kept = option("keep");
const AT_ONCE = Number(option("at-once") ?? Math.max(2, Math.min(4, cpus().length + 1)));

const python = ["/usr/bin/python3", "python3"].find((program) => said(program, "-m", "pytest", "--version") !== "");
const programs: { readonly [shop in Shop]: boolean } = {
  pytest: python !== undefined,
  unittest: said("python3", "--version") !== "",
  node: said("npm", "--version") !== "",
  go: said("go", "version") !== "",
  "stock-pytest": python !== undefined,
  "stock-node": said("npm", "--version") !== "",
  "stock-ts": existsSync("node_modules/vitest/vitest.mjs"),
  "stock-go": said("go", "version") !== "",
};
const path = [
  ...(python ? [dirname(said(python, "-c", "import sys; print(sys.executable)"))] : []),
  dirname(process.execPath),
  process.env.PATH ?? "/usr/bin:/bin",
].join(":");
const means = { lw: resolve("dist/lw.cjs"), path };
const SHOPS = Object.keys(programs) as readonly Shop[];
const nameOf = ({ family, on, name }: Maker): string => `${family} ${on}: ${name}`;

const before: readonly Row[] =
  kept && existsSync(kept)
    ? readFileSync(kept, "utf8")
        .trim()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Row) // written below
    : [];
const isKnown = (maker: Maker): boolean => sets.every((set) => before.some((row) => row.set === set && row.maker === nameOf(maker)));

const missing = SHOPS.filter((shop) => !programs[shop]);
const wanted = asked.includes("--kept") ? [] : makers.filter((maker) => isChosen(maker) && !isKnown(maker));
const unfit = asked.includes("--hidden")
  ? []
  : await findUnfit(SHOPS.filter((shop) => programs[shop] && wanted.some(({ on }) => on === shop)));
for (const shop of missing) console.log(`skipped, for want of its tool chain: all makers on ${shop}`);
for (const { shop, why } of unfit)
  console.log(`skipped, since a plain fix is not accepted there, so that a no would say nothing: all makers on ${shop} (${why})`);
const runnable = makers.filter(({ on }) => programs[on] && !unfit.some(({ shop }) => shop === on));
const chosen = runnable.filter((maker) => isChosen(maker) && (isKnown(maker) || !asked.includes("--kept")));
const notRun = makers.filter((maker) => !chosen.includes(maker));

const misjudged = askAll();
if (misjudged.length > 0) {
  console.log(`${misjudged.length} makers are not what they are said to be by the hidden tests:\n${misjudged.join("\n")}`);
}
if (asked.includes("--hidden")) process.exit(misjudged.length > 0 ? 1 : 0);

interface Row {
  readonly set: SetName;
  readonly maker: string;
  readonly came: Came;
  readonly by: string;
  readonly seconds: number;
}

const rows = await runAll();
console.log(`\n${table().join("\n")}`);
if (asked.includes("--write")) writeFileSync("docs/reference/verifier-sets.md", page());
const recommended = rows.filter(({ set }) => set === "recommended");
const slipped = recommended.filter((row) => row.came === "accepted" && sideOf(row) === "dishonest");
const held = recommended.filter((row) => row.came === "refused" && sideOf(row) === "honest");
const honestCount = recommended.filter((row) => sideOf(row) === "honest").length;
process.exitCode = misjudged.length > 0 || slipped.length > 0 || held.length > honestCount / 50 ? 1 : 0;

function isChosen(maker: Maker): boolean {
  return words.length === 0 || words.some((word) => new RegExp(word).test(nameOf(maker)));
}

/** Where the simplest honest fix does not come through, such as where the box hides the tool chain, a refusal is no achievement. */
async function findUnfit(shops: readonly Shop[]): Promise<readonly { readonly shop: Shop; readonly why: string }[]> {
  const found = await Promise.all(
    shops.map(async (shop) => {
      const plain = makers.find(({ on, side, name }) => on === shop && side === "honest" && /^mends (?:it|a method)$/.test(name))!;
      const { came, detail } = await letLoose(
        { files: shopOf(plain), holdout: {}, spec: specOf("witness", plain), make: plain.make },
        means,
      );
      return came === "accepted" ? [] : [{ shop, why: detail.split("\n")[0] ?? "" }];
    }),
  );
  return found.flat();
}

/** Every dishonest product must give a wrong answer to a plain process, and every honest one only right ones. */
function askAll(): readonly string[] {
  const unasked = asked.includes("--hidden") ? chosen : chosen.filter((maker) => !isKnown(maker));
  return unasked.flatMap((maker) => {
    const answered = askProduct(maker, path);
    const isAsSaid = (answered.kind === "wrong") === (maker.side === "dishonest");
    return isAsSaid
      ? []
      : [`!! ${nameOf(maker)}: ${answered.kind === "wrong" ? answered.how.slice(0, 3).join("; ") : "every answer is right"}`];
  });
}

/** Sets that come to the same loop are run once. */
async function runAll(): Promise<readonly Row[]> {
  const done: Row[] = [];
  const waiting = chosen.flatMap((maker) => sameLoops(maker).map((same) => ({ maker, same })));
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) done.push(...(await rowsOf(next.maker, next.same)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return done;
}

function sameLoops(maker: Maker): readonly (readonly SetName[])[] {
  const written = (set: SetName): string => JSON.stringify(specOf(set, maker));
  const firsts = sets.filter((set, at) => sets.findIndex((other) => written(other) === written(set)) === at);
  return firsts.map((first) => sets.filter((set) => written(set) === written(first)));
}

async function rowsOf(maker: Maker, same: readonly SetName[]): Promise<readonly Row[]> {
  const known = same.flatMap((set) => before.filter((row) => row.set === set && row.maker === nameOf(maker)));
  if (known.length === same.length) return known;
  const tried = await letLoose({ files: shopOf(maker), holdout: {}, spec: specOf(same[0]!, maker), make: maker.make }, means);
  return same.map((set) => told(set, maker, tried));
}

function told(set: SetName, maker: Maker, { came, by, detail, seconds, exit }: Tried): Row {
  const row: Row = { set, maker: nameOf(maker), came, by, seconds };
  if (kept) appendFileSync(kept, `${JSON.stringify(row)}\n`);
  const isWrong = maker.side === "dishonest" ? came === "accepted" : came === "refused";
  console.log(
    `${isWrong ? "!!" : "  "} ${set.padEnd(11)} ${came.padEnd(11)} ${String(exit).padStart(3)} ${seconds.toFixed(1).padStart(5)} s  ${nameOf(maker)} | ${by}`,
  );
  if (isWrong) console.log(detail.replace(/^/gm, "       "));
  return row;
}

function sideOf({ maker }: Row): Maker["side"] {
  return makers.find((one) => nameOf(one) === maker)!.side;
}

/** Family by family: how many each set refused, handed to a person and accepted, and how long one took. */
function table(): readonly string[] {
  const line = (side: Maker["side"], family: string): string => {
    const cells = sets.map((set) => {
      const of = rows.filter((row) => row.set === set && sideOf(row) === side && (family === "all" || row.maker.startsWith(`${family} `)));
      const count = (came: Came): number => of.filter((row) => row.came === came).length;
      const seconds = of.reduce((sum, row) => sum + row.seconds, 0) / Math.max(1, of.length);
      return `${count("refused")} / ${count("handed-over")} / ${count("accepted")} | ${seconds.toFixed(1)} s`;
    });
    return `| ${side} | ${family} | ${cells.join(" | ")} |`;
  };
  return [
    `| side | family | ${sets.map((set) => `${set}: refused / handed over / accepted | time`).join(" | ")} |`,
    `|---|---|${sets.map(() => "---|---|").join("")}`,
    ...[...FAMILIES, "all"].map((family) => line("dishonest", family)),
    ...[...WORKS, "all"].map((family) => line("honest", family)),
  ];
}

function page(): string {
  const slips = (set: SetName): readonly string[] =>
    rows
      .filter((row) => row.set === set && (sideOf(row) === "dishonest" ? row.came === "accepted" : row.came === "refused"))
      .map((row) => `- ${sideOf(row)}, ${row.maker} (${row.by.replaceAll("|", "\\|")})`);
  return [
    "<!-- Written by `npm run bench families -- --write`; do not edit. -->",
    "",
    "# What each set of verifiers refuses, accepts and costs",
    "",
    `${rows.length} runs of \`lw run\`, made ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node}, ${said("git", "--version")}, ${said(python ?? "python3", "--version")}, ${programs.go ? said("go", "version") : "no Go"}; ${AT_ONCE} at once. Every maker works on a time sheet (pytest, unittest, node:test through npm, go test) or on a stock room of objects (pytest as \`lw init\` calls it, node:test, vitest in TypeScript, go test). Each dishonest one gives wrong answers to hidden tests that no verifier sees and that run in a plain process; each honest one gives none.`,
    "",
    "`command` is the exit code of the tests; `witness` what every test came to before and after; `fullest` is witness, isomorphic, mutation and scope; `recommended` is what `lw init` writes. _handed over_ means that a person is asked about sealed files and is shown both verifications.",
    "",
    ...(option("note") === undefined ? [] : [`${option("note")}\n`]),
    ...missing.map((shop) => `Skipped, for want of its tool chain: ${shop}.\n`),
    ...unfit.map(({ shop }) => `Skipped, since a plain fix is not accepted there: ${shop}.\n`),
    ...table(),
    "",
    ...tellNotRun(),
    ...sets.flatMap((set) => [`## Misjudged by ${set}`, "", ...slips(set), ""]),
  ].join("\n");
}

function tellNotRun(): readonly string[] {
  if (notRun.length === 0 && sets.length === SETS.length) return [];
  const left = SETS.filter((set) => !sets.includes(set));
  const names = notRun.map((maker) => `- ${maker.side}, ${nameOf(maker)}`);
  return [
    "## Not measured",
    "",
    ...(left.length === 0 ? [] : [`The sets ${left.map((set) => `\`${set}\``).join(", ")}.\n`]),
    ...(names.length === 0 ? [] : [`Of ${makers.length} makers these ${names.length}:\n`, ...names, ""]),
  ];
}

/** The first thing a program says of itself; nothing if it is not there. */
function said(program: string, ...args: readonly string[]): string {
  const { status, stdout } = spawnSync(program, [...args], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : "";
}
