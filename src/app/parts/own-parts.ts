// Parts of one's own: files that a person has trusted, kept in the home by the hash of their bytes, and what is in them.
import * as z from "zod";
import { defineAction } from "../../contract/action.ts";
import { defineConnector } from "../../contract/connector.ts";
import type { Registries } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import { defineGate } from "../../contract/gate.ts";
import { defineMaker, defineReporter } from "../../contract/maker.ts";
import { defineNotifier } from "../../contract/notifier.ts";
import { defineCommitVerifier, defineDocumentVerifier, defineReportVerifier } from "../../contract/verifier.ts";

/** What the file of a part is handed, so that it needs nothing installed beside it. */
export const PART_KIT = {
  z,
  LoopError,
  defineAction,
  defineCommitVerifier,
  defineConnector,
  defineDocumentVerifier,
  defineGate,
  defineMaker,
  defineNotifier,
  defineReporter,
  defineReportVerifier,
};

/** What such a file may bring. When loops wake, and how they change themselves, is not among it. */
const KINDS = ["makers", "verifiers", "connectors", "gates", "actions", "notifiers"] as const;
type Kind = (typeof KINDS)[number];
export type OwnParts = { readonly [kind in Kind]?: Registries[kind] };

/** One file that was trusted. */
export const TrustedFile = z.strictObject({
  /** As it was named: a file's absolute path, or `npm:NAME` with the folder that it was looked up from. */
  from: z.string().min(1).max(4096),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  parts: z.array(z.string().min(1).max(100)).max(100),
  by: z.string().min(1).max(200),
  at: z.string().min(1).max(40),
});
export type TrustedFile = Readonly<z.infer<typeof TrustedFile>>;
export const TrustedFiles = z.strictObject({ trusted: z.array(TrustedFile).max(200) });

/** What a file's default export gives, looked at as far as that can be done without calling it. */
export function partsIn(exported: unknown, from: string): OwnParts {
  if (typeof exported !== "function") throw noParts(from, "its default export is no function");
  const made: unknown = exported(PART_KIT);
  if (typeof made !== "object" || made === null) throw noParts(from, "what its default export gives is no object");
  const kinds = Object.keys(made);
  const odd = kinds.find((kind) => !isKind(kind));
  if (odd !== undefined) throw noParts(from, `it brings ${odd}, and may bring ${KINDS.join(", ")}`);
  for (const kind of kinds) {
    const list: unknown = Reflect.get(made, kind);
    if (!Array.isArray(list) || list.length === 0 || !list.every(isPart))
      throw noParts(from, `its ${kind} are no list of what a define… function gives`);
  }
  if (kinds.length === 0) throw noParts(from, "there is none in it");
  return made;
}

const isKind = (kind: string): kind is Kind => KINDS.some((known) => known === kind);

/** As `define…` makes them. That it is of its kind is what whoever trusts it says. */
const isPart = (part: unknown): part is { readonly name: string } =>
  typeof part === "object" &&
  part !== null &&
  "name" in part &&
  typeof part.name === "string" &&
  /^[a-z][a-z0-9-]{0,49}$/.test(part.name) &&
  "summary" in part &&
  typeof part.summary === "string" &&
  "options" in part &&
  "configure" in part &&
  typeof part.configure === "function";

/** `verifier line-limit`, for people. */
export const namesIn = (own: OwnParts): readonly string[] =>
  KINDS.flatMap((kind) => (own[kind] ?? []).map(({ name }) => `${kind.slice(0, -1)} ${name}`));

/** All parts together. A name that is taken stays what it was, and is refused. */
export function withOwn(registries: Registries, { own, from }: { readonly own: OwnParts; readonly from: string }): Registries {
  for (const kind of KINDS)
    for (const { name } of own[kind] ?? [])
      if (registries[kind].some((known) => known.name === name))
        throw noParts(from, `there is a ${kind.slice(0, -1)} called ${name} already`);
  const joined = <K extends Kind>(kind: K): Registries[K] => [...registries[kind], ...(own[kind] ?? [])] as unknown as Registries[K];
  return {
    ...registries,
    makers: joined("makers"),
    verifiers: joined("verifiers"),
    connectors: joined("connectors"),
    gates: joined("gates"),
    actions: joined("actions"),
    notifiers: joined("notifiers"),
  };
}

export const noParts = (from: string, why: string): LoopError =>
  new LoopError("bad-input", `${from} cannot be taken for parts: ${why}`, {
    retry: "never",
    hint: "Write `export default ({ z, defineCommitVerifier }) => ({ verifiers: [defineCommitVerifier({ … })] })`; docs/extending.md has a whole one.",
  });
