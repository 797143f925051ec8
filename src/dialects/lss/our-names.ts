// How workers, evaluators and metrics of a document are called in a spec of ours, where workers and verifiers share one set of names.
import { TAKEN_WORDS } from "../../contract/measuring.ts";
import { sha256 } from "../../std/hash.ts";
import type { LssDocument } from "./document.ts";

const LONGEST_WORKER = 41;
const LONGEST_CHECK = 64;
const HASH = 6;

/** As it is where it can be; a name that is too long is cut and keeps apart from others by its hash. */
export const workerName = (id: string): string => cut(TAKEN_WORDS.includes(id) || id === "maker" ? `${id}_worker` : id, LONGEST_WORKER);

export const checkName = (id: string, { workers }: Pick<LssDocument, "workers">): string =>
  cut(TAKEN_WORDS.includes(id) || id === "maker" || workers.some((worker) => worker.id === id) ? `${id}_check` : id, LONGEST_CHECK);

export const metricName = (name: string): string => cut(TAKEN_WORDS.includes(name) ? `${name}_metric` : name, LONGEST_CHECK);

const cut = (name: string, longest: number): string =>
  name.length <= longest ? name : `${name.slice(0, longest - HASH - 1)}_${sha256(name).slice(0, HASH)}`;

/** A name as notes and dimensions have it: `ResearchNotes` is `research_notes`. */
export const snakeCase = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();

/** The name under which a worker's output is kept. */
export const noteName = (output: string): string => cut(snakeCase(output).replace(/^[^a-z]+/, "") || "notes", LONGEST_WORKER);

export const guardName = (id: string): string => cut(TAKEN_WORDS.includes(id) ? `${id}_guard` : id, LONGEST_CHECK);
