// Every part that there is for a home: those that are built in, and those of one's own that a person trusted.
import { isAbsolute, join, resolve } from "node:path";
import type { Registries } from "../contract/crew.ts";
import { LoopError } from "../contract/errors.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { sha256 } from "../std/hash.ts";
import { findModule, loadModule } from "../world/files/find-module.ts";
import { createSettingsFiles } from "../world/files/settings-files.ts";
import { systemClock } from "../world/machine/clock.ts";
import { builtIn } from "./crew.ts";
import type { Home } from "./home.ts";
import { namesIn, noParts, partsIn, type TrustedFile, TrustedFiles, withOwn } from "./parts/own-parts.ts";

type At = Pick<Home, "folder">;

const trustPath = (home: string): string => join(home, "parts.json");
const keptPath = (home: string, hash: string): string => join(home, "parts", `${hash}.mjs`);

const files = createSettingsFiles();
/** What was loaded stays loaded in a process, and schemas are made once for the same registries. */
const known = new Map<string, Registries>();

/** What a person trusted, in the order in which they did. */
export async function trustedIn({ folder }: At): Promise<readonly TrustedFile[]> {
  const path = trustPath(folder);
  const found = await files.read(path);
  if (found.kind === "absent") return [];
  const read = found.kind === "text" ? TrustedFiles.safeParse(asJson(found.text)) : undefined;
  if (read?.success) return read.data.trusted;
  throw new LoopError("bad-input", `${path} cannot be read, so it is not known which parts are trusted`, {
    retry: "never",
    hint: "Remove it, and trust each file again with `lw parts trust FILE`.",
  });
}

/** All parts. Where nobody trusted any, nothing is loaded for it. */
export async function partsOf(home: At): Promise<Registries> {
  const trusted = await trustedIn(home);
  if (trusted.length === 0) return builtIn;
  const key = [home.folder, ...trusted.map((file) => file.sha256)].join(" ");
  const before = known.get(key);
  if (before) return before;
  let all = builtIn;
  for (const { from, sha256: hash } of trusted) all = withOwn(all, { from, own: partsIn(await loadKept(home, hash, from), from) });
  known.set(key, all);
  return all;
}

/** Only exactly the bytes that were trusted run. */
async function loadKept({ folder }: At, hash: string, from: string): Promise<unknown> {
  const path = keptPath(folder, hash);
  const found = await files.read(path);
  if (found.kind !== "text" || sha256(found.text) !== hash)
    throw new LoopError("bad-input", `${path}, which was kept of ${from}, is not what was trusted`, {
      retry: "never",
      hint: `Trust it again with \`lw parts trust ${from}\`, or take it out with \`lw parts distrust ${from}\`.`,
    });
  return loadModule(path);
}

/** Looks at a file, keeps it by its hash, and puts on the list that somebody trusts it. Its program runs once, to see what is in it. */
export async function trust(home: At, asked: string, { cwd, by }: { readonly cwd: string; readonly by: string }): Promise<TrustedFile> {
  const { from, text } = await readAsked(asked, cwd);
  const imported = importsOf(text);
  if (imported !== undefined)
    throw noParts(
      from,
      `it imports ${imported}, which would not be pinned with it; bundle it into one file that imports nothing but node: modules`,
    );
  const hash = sha256(text);
  await files.write(keptPath(home.folder, hash), text);
  const own = partsIn(await loadModule(keptPath(home.folder, hash)).catch((cause: unknown) => failed(from, cause)), from);
  const others = (await trustedIn(home)).filter((file) => file.from !== from);
  let all = builtIn;
  for (const other of others)
    all = withOwn(all, { from: other.from, own: partsIn(await loadKept(home, other.sha256, other.from), other.from) });
  withOwn(all, { from, own });
  const trusted: TrustedFile = { from, sha256: hash, parts: [...namesIn(own)], by, at: systemClock.now().toISOString() };
  await write(home, [...others, trusted]);
  return trusted;
}

/** Takes a file off the list; undefined where it is not on it. Nothing of it is loaded for that. */
export async function distrust(home: At, asked: string, cwd: string): Promise<TrustedFile | undefined> {
  const all = await trustedIn(home);
  const out = all.find(({ from }) => from === asked || from === placeOf(asked, cwd));
  if (out)
    await write(
      home,
      all.filter((file) => file !== out),
    );
  return out;
}

/** Why a spec's own parts may not be used as they lie there; undefined where all are as somebody trusted them. */
export async function whyUntrusted(home: At, { parts = [] }: Pick<LoopSpec, "parts">, folder: string): Promise<LoopError | undefined> {
  if (parts.length === 0) return undefined;
  const trusted = await trustedIn(home);
  for (const asked of parts) {
    const { from, text } = await readAsked(asked, folder);
    const hash = sha256(text);
    if (trusted.some((file) => file.sha256 === hash)) continue;
    const was = trusted.find((file) => file.from === from);
    return new LoopError("bad-input", was ? `${asked} was changed since ${was.by} trusted it` : `nobody trusted ${asked} yet`, {
      retry: "never",
      hint: `Read it, then say so: lw parts trust ${asked}, from ${folder}.`,
    });
  }
  return undefined;
}

async function readAsked(asked: string, cwd: string): Promise<{ readonly from: string; readonly text: string }> {
  const from = placeOf(asked, cwd);
  const path = asked.startsWith(NPM) ? await findModule(asked.slice(NPM.length), cwd) : from;
  const found = path === undefined ? undefined : await files.read(path);
  if (found?.kind === "text") return { from, text: found.text };
  const why = found === undefined || found.kind === "absent" ? "there is no such file" : found.why;
  throw new LoopError("bad-input", `${asked} cannot be read: ${why}`, {
    retry: "never",
    hint: asked.startsWith(NPM)
      ? `Install it first: npm install ${asked.slice(NPM.length)}, in ${cwd}.`
      : "Check the path, from the spec's folder.",
  });
}

const NPM = "npm:";

const placeOf = (asked: string, cwd: string): string =>
  asked.startsWith(NPM) ? `${asked} in ${cwd}` : isAbsolute(asked) ? asked : resolve(cwd, asked);

/** The first module that it wants besides those of Node. What hides from this fails when it is loaded, since nothing lies beside it. */
const importsOf = (text: string): string | undefined =>
  [...text.matchAll(/^\s*(?:import|export)\b[^"'\n;]*?["']([^"']+)["']|\b(?:import|require)\(\s*["']([^"']+)["']/gm)]
    .map(([, whole, lazy]) => whole ?? lazy)
    .find((name) => name !== undefined && !name.startsWith("node:"));

const failed = (from: string, cause: unknown): never => {
  throw noParts(from, `it cannot be loaded (${cause instanceof Error ? cause.message : String(cause)})`);
};

const write = ({ folder }: At, trusted: readonly TrustedFile[]): Promise<void> =>
  files.write(trustPath(folder), `${JSON.stringify({ trusted }, null, 2)}\n`);

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
