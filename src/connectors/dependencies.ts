// Brings dependencies that are outdated or vulnerable, as the ecosystem's own tool tells of them.
import { join } from "node:path";
import * as z from "zod";
import { type Finished, tellFinished } from "../contract/commands.ts";
import { type ConnectorWorld, defineConnector, type GatheredThings, type GatherOrder, type Thing } from "../contract/connector.ts";
import { LoopError } from "../contract/errors.ts";
import { Duration, VariableName } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import { displayLine } from "../std/display-text.ts";
import { parseDuration } from "../std/duration.ts";
import { chosenEnvironment } from "../std/environment.ts";
import { readNames } from "../std/path-names.ts";
import { unseenOf } from "../std/unseen.ts";
import { dependencyTools } from "./dependency-tools/index.ts";
import type { DependencyTool, Outdated, Vulnerable } from "./dependency-tools/tool.ts";

type Ecosystem = keyof typeof dependencyTools;
const ECOSYSTEMS = Object.keys(dependencyTools) as [Ecosystem, ...Ecosystem[]]; // the keys of a closed object

/** What harms comes before what is merely old. */
const QUESTIONS = ["vulnerable", "outdated"] as const;

const Command = z.string().trim().min(1).max(10_000);

const Options = z.strictObject({
  ecosystem: z.enum(ECOSYSTEMS).meta({
    description: "Whose tool is asked; pip-audit, cargo-outdated, cargo-audit and govulncheck must be installed.",
    examples: ["npm"],
  }),
  in: z
    .string()
    .min(1)
    .max(1_000)
    .refine((path) => readNames(path).kind === "names", { error: "must lead to a folder inside the repository" })
    .optional()
    .meta({ description: "The folder of the working tree in which it runs. Default: the root of the repository.", examples: ["web"] }),
  look: z
    .array(z.enum(QUESTIONS))
    .min(1)
    .max(QUESTIONS.length)
    .default([...QUESTIONS])
    .meta({ description: "What is asked for.", examples: [["vulnerable"]] }),
  run: z
    .strictObject({
      outdated: Command.optional().meta({
        description: "Instead of the usual command for what is outdated.",
        examples: [".venv/bin/pip list --outdated --format json"],
      }),
      vulnerable: Command.optional().meta({
        description: "Instead of the usual command for what is vulnerable.",
        examples: ["pip-audit --format json -r requirements.txt"],
      }),
    })
    .default({})
    .meta({ description: "Other commands that print the same form.", examples: [{ vulnerable: "npm audit --json --omit=dev" }] }),
  most: z
    .int()
    .min(1)
    .max(500)
    .default(100)
    .meta({ description: "How many to bring at once; the others come the next time.", examples: [100] }),
  timeout: Duration.default("3m").meta({ description: "How long each of its commands may take.", examples: ["3m"] }),
  inherit: z
    .array(VariableName)
    .max(50)
    .default([])
    .meta({ description: "Variables of our environment it may see besides PATH, HOME and the language.", examples: [["NPM_TOKEN"]] }),
});

const MOST_CHARS = 16 * 1024 * 1024;

export const dependencies = defineConnector({
  name: "dependencies",
  summary:
    "Dependencies that are vulnerable or outdated, as npm, pnpm, pip, cargo or go tells of them; each once for every new version or advisory.",
  options: Options,
  async gather(order, options, world: Pick<ConnectorWorld, "proc" | "env">): Promise<GatheredThings> {
    const tool = dependencyTools[options.ecosystem];
    const look = QUESTIONS.filter((question) => options.look.includes(question));
    const things: Thing[] = [];
    const notes: string[] = [];
    for (const question of look) {
      const asked = options.run[question] ?? tool[question].run;
      const printed = await ask(asked, tool[question].answers, order, options, world);
      const reading =
        question === "vulnerable"
          ? told(tool.vulnerable.read(printed), (one) => vulnerableThing(one, options.ecosystem))
          : told(tool.outdated.read(printed), (one) => outdatedThing(one, options.ecosystem, tool));
      if (!reading) throw noAnswer(asked, printed);
      things.push(...reading.things);
      notes.push(...reading.notes.map((note) => displayLine(note, 300)));
    }
    const key = `dependencies:${JSON.stringify([options.ecosystem, options.in ?? null, look])}`;
    const { fresh, left, cursor } = unseenOf(things, Object.hasOwn(order.cursors, key) ? order.cursors[key] : undefined, options.most);
    return {
      kind: "things",
      source: [
        look.length === QUESTIONS.length ? "dependencies" : `${look.join(" and ")} dependencies`,
        `of ${options.ecosystem}`,
        ...(options.in === undefined ? [] : [`in ${options.in}`]),
      ].join(" "),
      things: fresh,
      notes: [...notes, ...(left > 0 ? [`${left} more come the next time`] : [])],
      cursors: { [key]: cursor },
    };
  },
});

function told<Found>(
  reading: { readonly found: readonly Found[]; readonly notes?: readonly string[] } | undefined,
  thingOf: (found: Found) => Thing,
): { readonly things: readonly Thing[]; readonly notes: readonly string[] } | undefined {
  return reading && { things: reading.found.map(thingOf), notes: reading.notes ?? [] };
}

async function ask(
  run: string,
  answers: readonly number[],
  { repo }: Pick<GatherOrder, "repo">,
  options: z.infer<typeof Options>,
  { proc, env }: Pick<ConnectorWorld, "proc" | "env">,
): Promise<string> {
  const lines: string[] = [];
  let chars = 0;
  const finished = await proc.run(
    {
      run,
      cwd: options.in === undefined ? repo : join(repo, options.in),
      env: chosenEnvironment(["HOME", ...options.inherit], env),
      timeoutMs: parseDuration(options.timeout)!,
    },
    {
      async heard(line) {
        chars += line.length + 1;
        if (chars <= MOST_CHARS) lines.push(line);
      },
    },
  );
  if (finished.end.kind !== "exited" || !answers.includes(finished.end.code)) throw failed(run, finished);
  if (chars > MOST_CHARS) throw noAnswer(run, `more than ${MOST_CHARS} characters`);
  return lines.join("\n");
}

function vulnerableThing(found: Vulnerable, ecosystem: Ecosystem): Thing {
  const { name, version, advisory, title, severity, mendedIn, address, more = [] } = found;
  return {
    // Worth another look once another version is in use, or there is one without it.
    id: JSON.stringify([ecosystem, name, version ?? null, advisory, mendedIn ?? null]),
    title: untrustedText(`${name}${version === undefined ? "" : ` ${version}`}: ${title}`),
    ...shared,
    ...addressed(address),
    why: untrustedText(
      [
        ...(severity === undefined ? [] : [severity]),
        advisory,
        ...more,
        mendedIn === undefined ? "not mended yet" : `mended in ${mendedIn}`,
      ].join(", "),
    ),
  };
}

function outdatedThing(found: Outdated, ecosystem: Ecosystem, { address }: DependencyTool): Thing {
  const { name, version, latest, more = [] } = found;
  return {
    id: JSON.stringify([ecosystem, name, version ?? null, latest]),
    title: untrustedText(`${name} ${version ?? "(not installed)"} → ${latest}`),
    ...shared,
    ...addressed(address(name, latest)),
    why: untrustedText([version === undefined ? "not installed" : "a newer version is there", ...more].join(", ")),
  };
}

/** Names, versions and advisories are written by whoever publishes. */
const shared = { trust: "outsider", cites: [] } as const;

const addressed = (address: string | undefined): Pick<Thing, "address"> =>
  address !== undefined && /^https:\/\/[^\s\p{Cc}"<>]{1,2000}$/u.test(address) && URL.canParse(address) ? { address } : {};

const failed = (run: string, finished: Finished): LoopError =>
  new LoopError("gather-failed", `nothing is known of the dependencies: \`${displayLine(run, 200)}\` ${tellFinished(finished)}`, {
    retry: "never",
    hint: "Run it by hand in that folder; install what is missing, ask for less with `look`, or name another command with `run`.",
  });

const noAnswer = (run: string, printed: string): LoopError =>
  new LoopError(
    "gather-failed",
    `nothing is known of the dependencies: \`${displayLine(run, 200)}\` printed something else than its form: ${displayLine(printed, 300) || "nothing"}`,
    { retry: "never", hint: "Run it by hand in that folder and look at what it says; a newer or older tool may print another form." },
  );
