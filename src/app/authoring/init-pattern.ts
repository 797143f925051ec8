// lw init --pattern: writes one of the production loops for this repository, or leaves the one that is there alone.
import { join, relative } from "node:path";
import { dependencyTools } from "../../connectors/dependency-tools/index.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Files } from "../../contract/files.ts";
import type { ProductionLoop } from "../../contract/production-loop.ts";
import type { ForgeFact, ManagerFact } from "../../contract/scan.ts";
import { productionLoops } from "../../patterns/production.ts";
import { formatProblem, readSpec } from "../../spec/read-spec.ts";
import { closest } from "../../std/closest.ts";
import { displayLine } from "../../std/display-text.ts";
import { builtIn } from "../crew.ts";
import { lineDiff } from "../hooks/line-diff.ts";
import type { InitPlan } from "./init-loop.ts";
import type { SeenRepository } from "./look-at-repository.ts";
import { SPEC_FOLDER } from "./outline-loop.ts";

export async function planPattern(
  { root, scan }: Pick<SeenRepository, "root" | "scan">,
  asked: string,
  { readText }: Pick<Files, "readText">,
): Promise<InitPlan> {
  const loop = loopCalled(asked);
  const path = join(root, SPEC_FOLDER, `${loop.name}.loop.yaml`);
  const about = { path, file: relative(root, path), name: loop.name, tried: undefined };
  const before = await readText(path);
  if (before !== undefined) return { ...about, kind: "unchanged", before, text: before, diff: [], notes: [] };
  const text = boundLoop(loop, { base: scan.branch?.branch ?? "HEAD", forge: scan.forge, managers: scan.managers });
  const reading = readSpec(about.file, text, builtIn);
  if (reading.kind !== "read") throw new TypeError(`${loop.name} is no sound spec: ${reading.problems.map(formatProblem).join("; ")}`);
  return { ...about, kind: "new", before, text, diff: lineDiff("", text), notes: [`It needs ${loop.needs.join("; ")}.`] };
}

/** Its text for a repository, with what it does and costs above it. */
export function boundLoop(loop: ProductionLoop, seen: SeenForLoop): string {
  const bound: { readonly [name: string]: unknown } = {
    base: seen.base,
    ...(loop.reads === "forge" ? { place: placeOf(loop, seen.forge) } : {}),
    ...(loop.reads === "dependencies" ? { dependencies: dependenciesOf(loop, seen.managers) } : {}),
  };
  const head = [loop.does, `It costs ${loop.costs}.`, `It is ${loop.level}: ${loop.why}.`].map((line) => `# ${line}\n`).join("");
  // JSON is YAML, so that whatever stands in a name stays one value.
  return `${head}${loop.text.replaceAll(/\{\{(base|place|dependencies)\}\}/g, (_, name) => JSON.stringify(bound[name]))}`;
}

interface SeenForLoop {
  readonly base: string;
  readonly forge: ForgeFact | undefined;
  readonly managers: readonly Pick<ManagerFact, "manager" | "folder" | "sure">[];
}

const MOST_MANAGERS = 10;

/** What pip would tell of is the environment that it is run in, which only the user knows; and without a lock file npm has nothing to look at. */
function dependenciesOf({ name }: ProductionLoop, managers: SeenForLoop["managers"]): readonly object[] {
  const known = managers.filter(({ manager, sure }) => Object.hasOwn(dependencyTools, manager) && manager !== "pip" && sure !== "guessed");
  if (known.length === 0) throw noManager(name);
  return known.slice(0, MOST_MANAGERS).map(({ manager, folder }) => ({
    use: "dependencies",
    with: { ecosystem: manager, ...(folder === "" ? {} : { in: folder }) },
  }));
}

const noManager = (name: string): LoopError =>
  new LoopError("bad-input", `${name} asks npm, pnpm, cargo or go, and nothing of theirs was seen here, such as a lock file`, {
    retry: "never",
    hint: "For Python, write a loop with the connector `dependencies`, `ecosystem: pip` and the commands of its environment: docs/gathering.md.",
  });

/** A server of somebody's own gets the token that the spec names, and no other. */
function placeOf({ name }: ProductionLoop, forge: ForgeFact | undefined): { readonly [option: string]: string } {
  if (forge?.forge !== "github" && forge?.forge !== "gitlab") throw noForge(name, forge);
  const { host, repository: repo } = forge;
  if (forge.forge === "github") return { repo, ...(host === "github.com" ? {} : { api: `https://${host}/api/v3`, token: "GITHUB_TOKEN" }) };
  return { forge: "gitlab", repo, ...(host === "gitlab.com" ? {} : { api: `https://${host}`, token: "GITLAB_TOKEN" }) };
}

const noForge = (name: string, forge: ForgeFact | undefined): LoopError =>
  new LoopError(
    "bad-input",
    `${name} reads GitHub or GitLab, and ${forge ? `the remote origin leads to ${displayLine(forge.host, 100)}` : "no remote called origin leads to a forge"}`,
    {
      retry: "never",
      hint: `Name it with \`git remote add origin ADDRESS\`; these need no forge: ${productionLoops
        .filter(({ reads }) => reads !== "forge")
        .map((loop) => loop.name)
        .join(", ")}.`,
    },
  );

function loopCalled(asked: string): ProductionLoop {
  const found = productionLoops.find(({ name }) => name === asked);
  if (found) return found;
  const names = productionLoops.map(({ name }) => name);
  const guess = closest(asked, names);
  throw new LoopError("bad-input", `no loop is called ${displayLine(asked, 60)}`, {
    retry: "never",
    hint: guess ? `Did you mean ${guess}?` : `There is: ${names.join(", ")}. Ways of thinking are written with \`lw patterns write\`.`,
  });
}
