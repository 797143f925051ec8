// The memory of a document as a notebook of ours: under which names something is kept, by whom, for whom and for how long.
import type { Path } from "../../spec/path.ts";
import type { LssDocument } from "./document.ts";
import { noteName, workerName } from "./our-names.ts";
import { readSchema } from "./references.ts";
import { isTeam, type Translating } from "./translating.ts";

type Worker = LssDocument["workers"][number];

export function translateMemory(at: Translating): { readonly notebook: object } {
  const { document, notes } = at;
  const { type, backend, redaction, write_policy } = document.memory;
  if (backend !== undefined && backend !== null) notes.tell("inert", ["memory", "backend"], "", "where notes are kept is the home");
  if (redaction !== undefined && Object.keys(redaction).length > 0)
    notes.tell("lost", ["memory", "redaction"], "", "secrets are cut out of every note, and nothing else is by this");
  const keys = keysIn(at);
  if (type === "ephemeral" || (write_policy?.allowed_writers ?? []).length === 0) {
    const why = type === "ephemeral" ? "nothing is kept from one round for the next but lessons" : "nobody is named who may write to it";
    notes.tell("translated", ["memory"], "notebook.keep", why);
    return { notebook: { keep: "none" } };
  }
  const keep = type === "session" ? "run" : "loop";
  if (!isTeam(at)) {
    notes.tell("lost", ["memory"], "notebook.keep", "one maker alone writes notes without names, which nobody else reads");
    return { notebook: { keep } };
  }
  if (keys.size === 0) {
    notes.tell("lost", ["memory", "write_policy", "allowed_writers"], "notebook.keep", "none of these is a worker: nobody writes to it");
    return { notebook: { keep: "none" } };
  }
  notes.tell("translated", ["memory"], "notebook", "what a writer gives is kept under the name of its output");
  const shape = { ...shapeOf(at), ...lengthOf(keys.size, at) };
  const entries = [...keys].slice(0, MOST_KEYS).map(([key, writers]) => {
    const readers = readersOf(key, at);
    return [
      key,
      { writes: writers.map(({ id }) => workerName(id)), ...(readers === undefined ? {} : { reads: readers }), ...shape },
    ] as const;
  });
  if (keys.size > MOST_KEYS) notes.tell("lost", ["memory", "write_policy", "allowed_writers"], "", `ours has at most ${MOST_KEYS} names`);
  return { notebook: { keep, keys: Object.fromEntries(entries) } };
}

const MOST_KEYS = 40;
const MOST_SHOWN = 200;
const MOST_ROUNDS = 1000;
const MOST_DAYS = 3650;

/** Whoever may write, by the name of what they give. */
function keysIn({ document }: Pick<Translating, "document">): ReadonlyMap<string, readonly Worker[]> {
  const { type, write_policy } = document.memory;
  if (type === "ephemeral") return new Map();
  const writers = document.workers.filter(({ id }) => write_policy?.allowed_writers?.includes(id));
  const keys = new Set(writers.map(({ outputs }) => noteName(outputs.name)));
  return new Map([...keys].map((key) => [key, writers.filter(({ outputs }) => noteName(outputs.name) === key)]));
}

/** Undefined where everybody may read. */
function readersOf(key: string, { document }: Pick<Translating, "document">): readonly string[] | undefined {
  const { read_policy } = document.memory;
  if (read_policy === undefined) return undefined;
  return document.workers
    .filter(({ id }) => Object.hasOwn(read_policy, id) && read_policy[id]?.includes(key))
    .map(({ id }) => workerName(id));
}

/** The note that a worker reads by this name; undefined, and said, where there is none for it. */
export function noteRead(worker: Worker, name: string, path: Path, at: Translating): string | undefined {
  if (!keysIn(at).has(name)) {
    at.notes.tell("inert", path, "", "nobody writes a note of this name: there is never one");
    return undefined;
  }
  if (readersOf(name, at)?.includes(workerName(worker.id)) === false) {
    at.notes.tell("tightened", path, "", "read_policy does not let it: it is not shown");
    return undefined;
  }
  return `notes.${name}`;
}

/** An entry is one worker's result, so that all of the document's entries are shared out among the names. */
function lengthOf(keys: number, { document, notes }: Translating): object {
  const { retention, write_policy } = document.memory;
  const most = write_policy?.max_entries;
  if (most !== undefined && most < keys)
    notes.tell("lost", ["memory", "write_policy", "max_entries"], "notebook.keys", "one entry of each name is the least");
  else if (most !== undefined && keys > 1)
    notes.tell("tightened", ["memory", "write_policy", "max_entries"], "notebook.keys", "shared out among the names");
  return {
    ...(most === undefined ? {} : { most: Math.min(Math.max(Math.floor(most / keys), 1), MOST_SHOWN) }),
    ...(retention?.unit === "iteration" ? { rounds: Math.min(Math.floor(retention.value), MOST_ROUNDS) } : {}),
    ...(retention?.unit === "hour" ? { age: `${Math.min(Math.floor(retention.value), MOST_DAYS * 24)}h` } : {}),
    ...(retention?.unit === "day" ? { age: `${Math.min(Math.floor(retention.value), MOST_DAYS)}d` } : {}),
  };
}

function shapeOf({ document, bindings, shelf, notes }: Translating): { readonly schema?: object } {
  const ref = document.memory.write_policy?.schema;
  if (ref === undefined) return {};
  const path = ["memory", "write_policy", "schema"];
  const found = readSchema(shelf.find(ref));
  if (found.kind === "schema") {
    notes.tell("translated", path, "notebook.keys", `by ${found.file}`);
    return { schema: found.schema };
  }
  if (bindings.set.get("memory.schema") === "any") notes.tell("translated", path, "", "--set memory.schema=any: any note will do");
  else notes.tell("lost", path, "", `${found.why}; --set memory.schema=any says that any note will do`);
  return {};
}
