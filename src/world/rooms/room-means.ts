// How rooms are made on this machine: tried once by doing it, and remembered for this kernel, this disk and this user.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, lstatSync } from "node:fs";
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { release } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { Environment } from "../../contract/clock.ts";
import type { Box } from "../box/box.ts";
import { makeFolder } from "../files/make-folder.ts";
import { removeTree } from "../files/remove-tree.ts";
import { isOwnerGone, ownName } from "../process/owner.ts";
import { layUnder } from "./lay-under.ts";
import { findLayerTools, inLayers, mountLines } from "./overlay.ts";

/** What was found; of copies, why there is nothing better. */
export type FoundMeans = { readonly kind: "overlay" } | { readonly kind: "copy"; readonly why: string };

const TRIED = z.strictObject({
  version: z.literal(1),
  where: z.string(),
  means: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("overlay") }),
    z.strictObject({ kind: z.literal("copy"), why: z.string() }),
  ]),
});

const FILE = "rooms.json";
const TRIAL_MS = 10_000;
const TRIAL = ".rooms-";

/** Asked as often as one likes: it is looked at once in a process, and tried once for a machine. */
export function createRoomMeans(home: string, env: Environment, box: Pick<Box, "means">): () => Promise<FoundMeans> {
  let found: Promise<FoundMeans> | undefined;
  return () => (found ??= recall(home, env, box));
}

async function recall(home: string, env: Environment, box: Pick<Box, "means">): Promise<FoundMeans> {
  const where = await whereabouts(home);
  const text = await readFile(join(home, FILE), "utf8").catch(() => "");
  const known = TRIED.safeParse(parsed(text));
  if (known.success && known.data.where === where && known.data.means.kind === "copy") return known.data.means;
  if (!(await seesLayers(box))) return NO_BOX;
  if (known.success && known.data.where === where) return known.data.means;
  const asked = `${where} ${env.get("PATH")}`;
  const found = works.has(asked) ? OVERLAY : await tryOverlay(home, env);
  if (found.kind === "overlay") works.add(asked);
  return remember(home, where, found);
}

const OVERLAY: FoundMeans = { kind: "overlay" };
/** Where this process has seen overlays work: a process may have many homes on one disk. */
const works = new Set<string>();

/** For who wants to know how it is now, whatever was remembered; without a home there is nobody to remember it for. */
export async function tryRooms(home: string, env: Environment, box: Pick<Box, "means">): Promise<FoundMeans> {
  if (!existsSync(home)) return { kind: "copy", why: `not tried, because ${home} is not there yet` };
  if (!(await seesLayers(box))) return NO_BOX;
  return remember(home, await whereabouts(home), await tryOverlay(home, env));
}

const NO_BOX: FoundMeans = { kind: "copy", why: "there is no box whose commands could see layers" };

async function seesLayers(box: Pick<Box, "means">): Promise<boolean> {
  const { kind } = await box.means();
  return kind === "bubblewrap" || kind === "namespaces";
}

/** What it depends on: another kernel, disk or user may do more, or less. */
const whereabouts = async (home: string): Promise<string> =>
  [process.platform, release(), (await stat(home)).dev, process.getuid?.() ?? 0].join(" ");

async function remember(home: string, where: string, means: FoundMeans): Promise<FoundMeans> {
  const path = join(home, FILE);
  // A home that cannot be written tries again next time.
  await writeFile(`${path}.${process.pid}`, JSON.stringify({ version: 1, where, means }), { mode: 0o600 })
    .then(() => rename(`${path}.${process.pid}`, path))
    .catch(() => {});
  return means;
}

/** Lays a folder under another and does what rooms do: reads, writes, removes a folder of the layer and makes it again. */
async function tryOverlay(home: string, env: Environment): Promise<FoundMeans> {
  const no = (why: string): FoundMeans => ({ kind: "copy", why });
  if (process.platform !== "linux") return no("overlays are Linux's");
  const tools = await findLayerTools(env);
  if (tools === undefined) return no("the tools of util-linux (unshare, mount) are not all here");
  // Where rooms lie: another folder of the home may be another disk.
  const rounds = join(home, "rounds");
  const trial = join(rounds, `${TRIAL}${ownName()}.${randomBytes(6).toString("hex")}`);
  const [layer, room] = [join(trial, "entry", "layer"), join(trial, "work")];
  try {
    makeFolder(rounds);
    await sweepTrials(rounds);
    await mkdir(join(layer, "kept", "deep"), { recursive: true });
    await writeFile(join(layer, "kept", "text"), "below");
    await mkdir(room);
    await writeFile(join(room, "own"), "own");
    const isRoot = process.getuid?.() === 0;
    const layered = await layUnder({ room, below: [layer] }, lstatSync(layer).uid);
    const lines = mountLines(tools, layered, isRoot);
    const run =
      'cd "$0"; cat kept/text own; echo changed > kept/text; rm -r kept/deep; mkdir kept/deep; ls kept/deep; echo new > kept/deep/new; mv own moved';
    const said = await ask([...inLayers(tools, lines, isRoot), "/bin/sh", "-c", run, room]);
    const after = await Promise.all([
      readFile(join(layer, "kept", "text"), "utf8"),
      readdir(join(layer, "kept", "deep")),
      readFile(join(room, "kept", "text"), "utf8").catch(() => ""),
      readFile(join(room, "moved"), "utf8").catch(() => ""),
    ]);
    if (said !== "belowown") return no(said.slice(0, 300) || "an overlay showed nothing");
    if (JSON.stringify(after) !== JSON.stringify(["below", [], "changed\n", "own"])) return no("an overlay did not keep a layer as it was");
    return { kind: "overlay" };
  } catch (error) {
    return no(error instanceof Error ? error.message : String(error));
  } finally {
    await removeTree(trial).catch(() => {});
  }
}

/** Of those who were killed meanwhile. */
async function sweepTrials(rounds: string): Promise<void> {
  const gone = (await readdir(rounds)).filter(
    (name) => name.startsWith(TRIAL) && isOwnerGone(name.slice(TRIAL.length).split(".")[0] ?? ""),
  );
  for (const name of gone) await removeTree(join(rounds, name)).catch(() => {});
}

/** What it prints, whatever becomes of it. */
const ask = ([program = "", ...args]: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: TRIAL_MS, killSignal: "SIGKILL", encoding: "utf8" }, (_, stdout, stderr) =>
      resolve(`${stdout}${stderr}`.trim()),
    );
  });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
