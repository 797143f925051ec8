// Runs files of the Loop Specification Standard on a scripted model, with and without what they ask for.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse, stringify } from "yaml";
import { LSS_SAMPLES } from "./lss.ts";
import { inPlace, type Place } from "./lw.ts";
import { startModelServer } from "./model-server.ts";
import { playing, type Roles } from "./scripted-workers.ts";

export type Wire = "anthropic" | "openai";

export interface Run {
  readonly file: string;
  readonly roles: Roles;
  readonly wire?: Wire;
  /** What is changed in the file before it is run. */
  readonly change?: (text: string) => string;
  readonly args?: readonly string[];
  readonly before?: (place: Place) => void;
  /** Whether it is asked afterwards what the loop is worth. */
  readonly isScored?: boolean;
}

export const sample = (file: string): string => readFileSync(resolve(LSS_SAMPLES, `${file}.yaml`), "utf8");

/** Runs a file of the reference with `lw run`, and gives back what is on record, and what the models were told. */
export async function run({ file, roles, wire = "openai", change = (text) => text, args = [], before, isScored = false }: Run) {
  const server = await startModelServer(playing(roles));
  try {
    return await inPlace(async (place) => {
      place.repo.commit("start", { files: { "readme.md": "# A place\n" } });
      before?.(place);
      place.repo.write("loop.yaml", change(sample(file)));
      const models = ["openai", "anthropic"].flatMap((provider) => ["--provider", `${provider}=${server.url}/v1,MODEL_KEY,${wire}`]);
      const answer = await place.json(["run", "loop.yaml", ...models, ...args], {
        cwd: place.repo.dir,
        env: { MODEL_KEY: "k3y-of-nobody" },
      });
      const scored = isScored ? (await place.json(["score", answer.said.loop], { cwd: place.repo.dir })).said : undefined;
      return { ...answer, scored, words: server.asked.map((one) => one.words), wires: new Set(server.asked.map((one) => one.wire)) };
    });
  } finally {
    await server.close();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads the document as its reader would, by name
export type Said = { readonly said: any };

/** Whether each round was taken, and how it all ended. */
export const ended = ({ said }: Said): string => {
  const verdicts = (said.rounds ?? []).map(
    (round: { readonly verdict: { readonly kind: string } | null }) => round.verdict?.kind ?? "open",
  );
  return `${verdicts.join(" ")}: ${said.rest?.kind} ${said.rest?.because ?? said.rest?.on ?? ""}`.trim();
};

/** Imports a file that we have not everything for yet, and runs the spec that comes of it. */
export async function runImported({
  file,
  roles,
  args = [],
  inputs = [],
  change = (text) => text,
  before,
}: Run & { readonly inputs?: readonly string[] }) {
  const server = await startModelServer(playing(roles));
  try {
    return await inPlace(async (place) => {
      place.repo.commit("start", { files: { "readme.md": "# A place\n" } });
      before?.(place);
      place.repo.write("loop.yaml", change(sample(file)));
      const around = { cwd: place.repo.dir, env: { MODEL_KEY: "k3y-of-nobody" } };
      const models = ["openai", "anthropic"].flatMap((provider) => ["--provider", `${provider}=${server.url}/v1,MODEL_KEY`]);
      const imported = await place.json(["import", "loop.yaml", "--out", "loop.loop.yaml", ...models, ...args], around);
      const lost = (imported.said.fates ?? []).filter(({ kind }: Said["said"]) => kind === "lost" || kind === "asked");
      const answer = await place.json(["run", "loop.loop.yaml", ...inputs], around);
      return { ...answer, lost: lost.map(({ path }: Said["said"]) => path), words: server.asked.map((one) => one.words) };
    });
  } finally {
    await server.close();
  }
}

/** What a file asks for, and what comes of the same run once that is taken out of it. */
export async function withAndWithout(
  about: Run,
  takeOut: (text: string) => string,
  tell: (answer: Awaited<ReturnType<typeof run>>) => unknown,
) {
  const held = await run(about);
  const free = await run({ ...about, change: (text) => takeOut((about.change ?? ((one) => one))(text)) });
  return { held: tell(held), free: tell(free) };
}

/** Fails where there is nothing to take out: else a test would compare a file with itself. */
export const without =
  (...parts: readonly (string | RegExp)[]) =>
  (text: string): string =>
    parts.reduce<string>((rest, part) => {
      const left = rest.replace(part, "");
      if (left === rest) throw new Error(`the file has no ${part}`);
      return left;
    }, text);

export const instead = (part: string | RegExp, by: string) => (text: string) => {
  const left = text.replace(part, by);
  if (left === text) throw new Error(`the file has no ${part}`);
  return left;
};

/** The file with something in it changed by its meaning; fails where that leaves it as it was. */
export const edited =
  // biome-ignore lint/suspicious/noExplicitAny: a test changes the document as its author would, by name
    (...edits: readonly ((document: any) => void)[]) =>
    (text: string): string => {
      const document = parse(text);
      const before = stringify(document);
      for (const edit of edits) edit(document);
      const after = stringify(document);
      if (after === before) throw new Error("nothing in the file was changed");
      return after;
    };

// biome-ignore lint/suspicious/noExplicitAny: as above
export type Edit = (document: any) => void;
export const boundBy =
  (most: number): Edit =>
  ({ termination_conditions: { failure } }) => {
    for (const end of failure) if (end.type === "max_iterations") end.value = most;
  };
export const endless: Edit = ({ termination_conditions: ends }) => delete ends.stall;
export const unguarded: Edit = (document) => {
  document.safety_constraints = [];
};
export const lavish: Edit = ({ workers, cost_limits: limits }) => {
  Object.assign(limits, { per_iteration_usd: 100, cumulative_usd: 1000 });
  for (const worker of workers) delete worker.cost_budget_usd;
};

export const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

export const rounds = (most: number) => instead(/(?<=type: max_iterations\n\s+value: )\d+/, String(most));
export const twoRounds = rounds(2);

/** Workers of a sample that give JSON. */
export const asJson = (id: string, nth: number): string => JSON.stringify({ by: id, version: nth, source_count: 3, findings: [] });

/** The schemas that the core samples name and do not come with: what their workers here hand over, and nothing else. */
export const schemas = (place: Place): void => {
  const properties = { by: { type: "string" }, version: { type: "number" }, source_count: { type: "number" }, findings: { type: "array" } };
  for (const name of SCHEMAS)
    place.repo.write(`lib/schemas/${name}.json`, JSON.stringify({ type: "object", required: ["by"], properties }));
};
export const SCHEMAS =
  "research-notes brief-outline citation-report plan-draft architecture-review security-review consolidated-feedback unified-diff test-results test-review".split(
    " ",
  );
export const BOUND = ["--library", "lib", "--set", "memory.schema=any"];
