// Brings what a command prints, a line for each thing: for whatever there is no connector for.
import * as z from "zod";
import { type Finished, tellFinished } from "../contract/commands.ts";
import { type ConnectorWorld, defineConnector, type GatheredThings, type Thing } from "../contract/connector.ts";
import { LoopError } from "../contract/errors.ts";
import { Duration, VariableName } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import { displayLine } from "../std/display-text.ts";
import { parseDuration } from "../std/duration.ts";
import { chosenEnvironment } from "../std/environment.ts";
import { type Fields, readRecord, textIn } from "../std/json-record.ts";
import { unseenOf } from "../std/unseen.ts";

const Options = z.strictObject({
  run: z
    .string()
    .trim()
    .min(1)
    .max(10_000)
    .meta({ description: "The shell command; it runs in the spec's folder.", examples: ["./open-tickets --json"] }),
  name: z
    .string()
    .regex(/^[\w.-]{1,60}$/, { error: "must be a short name of letters, digits, dots and dashes" })
    .default("command")
    .meta({ description: "What its things are called in reports. Two commands of a loop need two names.", examples: ["tickets"] }),
  form: z
    .enum(["lines", "json"])
    .default("lines")
    .meta({
      description: "Whether a line is a title, or a JSON object with `title`, and `id`, `body` and `url` if it likes.",
      examples: ["json"],
    }),
  most: z
    .int()
    .min(1)
    .max(500)
    .default(100)
    .meta({ description: "How many to bring at once; the others come the next time.", examples: [100] }),
  timeout: Duration.default("60s").meta({ description: "How long it may take.", examples: ["60s"] }),
  inherit: z
    .array(VariableName)
    .max(50)
    .default([])
    .meta({ description: "Variables of our environment it may see besides PATH, HOME and the language.", examples: [["TRACKER_TOKEN"]] }),
});

const MOST_LINES = 5_000;
const MOST_CHARS = 10_000;

export const command = defineConnector({
  name: "command",
  summary: "What a command prints, one thing a line; only what it did not print the last time. All of it counts as strangers' words.",
  options: Options,
  async gather({ folder, cursors }, options, { proc, env }: Pick<ConnectorWorld, "proc" | "env">): Promise<GatheredThings> {
    const lines: string[] = [];
    let more = 0;
    const finished = await proc.run(
      {
        run: options.run,
        cwd: folder,
        env: chosenEnvironment(["HOME", ...options.inherit], env),
        timeoutMs: parseDuration(options.timeout)!,
      },
      {
        async heard(line) {
          if (line.trim() === "") return;
          if (lines.length < MOST_LINES) lines.push(line.slice(0, MOST_CHARS));
          else more += 1;
        },
      },
    );
    if (finished.end.kind !== "exited" || finished.end.code !== 0) throw failed(options.run, finished);
    const read = lines.map((line) => (options.form === "lines" ? titleAlone(line) : thingIn(line)));
    const things = read.flatMap((thing) => thing ?? []);
    const key = `command:${options.name}`;
    const { fresh, left, cursor } = unseenOf(things, Object.hasOwn(cursors, key) ? cursors[key] : undefined, options.most);
    return {
      kind: "things",
      source: options.name,
      things: fresh,
      notes: [
        ...(read.length > things.length ? [`${read.length - things.length} line(s) are no JSON object with a title`] : []),
        ...(left > 0 ? [`${left} more come the next time`] : []),
        ...(more > 0 ? [`${more} line(s) after the first ${MOST_LINES} were not read`] : []),
      ],
      cursors: { [key]: cursor },
    };
  },
});

const titleAlone = (line: string): Thing => thingOf({ id: line, title: line });

function thingIn(line: string): Thing | undefined {
  const reading = readRecord(line);
  const fields: Fields | undefined = reading.kind === "record" ? reading.fields : undefined;
  const title = textIn(fields, "title");
  if (title === undefined) return undefined;
  return thingOf({ id: textIn(fields, "id") ?? line, title, body: textIn(fields, "body"), address: textIn(fields, "url") });
}

interface Printed {
  readonly id: string;
  readonly title: string;
  readonly body?: string | undefined;
  readonly address?: string | undefined;
}

const thingOf = ({ id, title, body, address }: Printed): Thing => ({
  id,
  title: untrustedText(title),
  ...(body === undefined ? {} : { body: untrustedText(body) }),
  ...(address !== undefined && /^https?:\/\/[^\s\p{Cc}]{1,2000}$/u.test(address) ? { address } : {}),
  trust: "outsider",
  why: untrustedText("printed by the command"),
  cites: [],
});

const failed = (run: string, finished: Finished): LoopError =>
  new LoopError("gather-failed", `nothing was gathered: \`${displayLine(run, 200)}\` ${tellFinished(finished)}`, {
    retry: "never",
    hint: "Run the command by hand in the spec's folder, then correct it under `gather`.",
  });
