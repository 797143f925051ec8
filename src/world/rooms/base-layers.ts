// Base as it is checked out: made once for its tree, kept by its hash and never written again, to lie under rooms that then hold only what
// differs from it. Where it cannot be had, rooms are checked out whole.
import { randomBytes } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Environment } from "../../contract/clock.ts";
import type { RoomMeans } from "../../contract/workshop.ts";
import { handOver } from "../box/hand-over.ts";
import { surveyTrees } from "../files/copy-tree.ts";
import { makeFolder } from "../files/make-folder.ts";
import { removeTree } from "../files/remove-tree.ts";
import { layUnder } from "./lay-under.ts";
import { findLayerTools, inLayers, type LayerTools, mountLines } from "./overlay.ts";
import { isOwnedLayer } from "./owned-layer.ts";

/** A base that lies ready. */
export interface BaseLayer {
  readonly layer: string;
  /** Git's index of it, with what the files looked like on disk when they were checked out. */
  readonly index: string;
}

export interface BaseLayers {
  /** What is there and is whole, else what `checkOut` fills an empty folder with; undefined where rooms have no layers, or copies are quicker. */
  find(tree: string, checkOut: CheckOut): Promise<BaseLayer | undefined>;
  /** Words that make a command see a room with base under it. Nobody else may be at work in that room. */
  around(room: string, base: Pick<BaseLayer, "layer">): Promise<readonly string[]>;
  /** Whether folders of base can be renamed in a room that it lies under: only root can. */
  readonly isMovable: boolean;
}

export interface CheckOut {
  /** Fills the folder, and writes the index. False where it is not worth it. */
  fill(order: Filling): Promise<boolean>;
  /** Notes in the index how the files look on disk, to who is started with these words. */
  refresh(order: Filling, around: readonly string[]): Promise<void>;
}

interface Filling {
  readonly folder: string;
  readonly index: string;
}

interface Around {
  readonly env: Environment;
  readonly means: () => Promise<RoomMeans>;
  /** Whose it should be, where commands are run as somebody else than us. */
  readonly owner: () => Promise<number | undefined>;
}

const ENTRY = /^[0-9a-f]{64}$/;
const [LAYER, INDEX, ABOUT] = ["layer", "index", "about.json"];
const MAKING = "making-";
const About = z.object({ files: z.number(), bytes: z.number(), madeMs: z.number() });
/** Git tells a file that was written to by the second of its last change: none of them may be that of the making. */
const SETTLED_MS = 2_100;

/** Layout: `<folder>/<tree>/<sha256>/{layer,index,about.json}`; `making-…` is one in the making. The hash says whether it is whole. */
export function createBaseLayers(folder: string, { env, means, owner }: Around): BaseLayers {
  let tools: Promise<LayerTools | undefined> | undefined;
  const layerTools = async (): Promise<LayerTools> => {
    tools ??= findLayerTools(env);
    const found = await tools;
    if (found === undefined) throw new TypeError("a room lies on base where nothing can be laid under rooms");
    return found;
  };
  const seenWhole = new Map<string, Promise<boolean>>();
  const looksWhole = (place: string, sha256: string): Promise<boolean> => {
    const seen = seenWhole.get(place) ?? isWhole(place, sha256);
    seenWhole.set(place, seen);
    return seen;
  };

  return {
    isMovable: process.getuid?.() === 0,
    async find(tree, checkOut) {
      if ((await means()) !== "overlay") return undefined;
      for (const name of await readdir(join(folder, tree)).catch(() => [])) {
        if (!ENTRY.test(name)) continue;
        const place = join(folder, tree, name);
        // Somebody who makes room may take it away just now.
        const used = (await looksWhole(place, name)) ? await use(place).catch(() => undefined) : undefined;
        if (used) return used;
        await removeTree(place);
      }
      const making = { uid: await owner(), around: asInRooms(await layerTools()) };
      // Where there is no room for it, or somebody is in the way, copies are checked out whole.
      const made = await make(join(folder, tree), checkOut, making).catch(() => undefined);
      if (made === undefined) return undefined;
      seenWhole.set(made, Promise.resolve(true));
      return use(made);
    },

    async around(room, { layer }) {
      const found = await layerTools();
      const isRoot = process.getuid?.() === 0;
      const layered = await layUnder({ room, below: [layer] }, (await lstat(layer)).uid);
      return inLayers(found, mountLines(found, layered, isRoot), isRoot);
    },
  };
}

/** What is used is not collected. */
async function use(place: string): Promise<BaseLayer> {
  const now = new Date();
  await utimes(place, now, now);
  const about = await aboutOf(place);
  const leftMs = SETTLED_MS - (Date.now() - (about?.madeMs ?? 0));
  if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, SETTLED_MS)));
  return { layer: join(place, LAYER), index: join(place, INDEX) };
}

interface Making {
  readonly uid: number | undefined;
  readonly around: readonly string[];
}

/** Who is not root is called so where layers are mounted, and files belong to it there. */
const asInRooms = ({ unshare }: LayerTools): readonly string[] =>
  process.getuid?.() === 0 ? [] : [unshare, "--user", "--map-root-user", "--"];

/** Gives back its place; whoever was quicker made the same. */
async function make(folder: string, { fill, refresh }: CheckOut, { uid, around }: Making): Promise<string | undefined> {
  const making = join(folder, `${MAKING}${randomBytes(6).toString("hex")}`);
  makeFolder(making);
  try {
    const order = { folder: join(making, LAYER), index: join(making, INDEX) };
    await mkdir(order.folder, { mode: 0o755 });
    if (!(await fill(order))) return undefined;
    if (uid !== undefined) await handOver([order.folder], uid);
    await refresh(order, around);
    const { sha256, files, bytes } = await surveyTrees([Buffer.from(order.folder)]);
    await writeFile(join(making, ABOUT), JSON.stringify({ files, bytes, notes: [], madeMs: Date.now() }));
    const place = join(folder, sha256);
    await rename(making, place);
    return place;
  } finally {
    await removeTree(making);
  }
}

const aboutOf = async (place: string): Promise<z.infer<typeof About> | undefined> =>
  readFile(join(place, ABOUT), "utf8").then(
    (text) => About.safeParse(JSON.parse(text)).data,
    () => undefined,
  );

async function isWhole(place: string, sha256: string): Promise<boolean> {
  const names = await readdir(place).catch(() => []);
  if (names.some((name) => ![LAYER, INDEX, ABOUT].includes(name) && !isOwnedLayer(name))) return false;
  const isThere = await stat(join(place, INDEX)).catch(() => undefined);
  const survey = await surveyTrees([Buffer.from(join(place, LAYER))]).catch(() => undefined);
  return isThere !== undefined && survey?.sha256 === sha256;
}
