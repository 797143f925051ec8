// A layer for another user: where root's commands are run as somebody else, what lies under their rooms must be theirs, or they could not
// write over it.
import { randomBytes } from "node:crypto";
import { lstatSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { handOver } from "../box/hand-over.ts";
import { copyTree, surveyTrees } from "../files/copy-tree.ts";
import { removeTree } from "../files/remove-tree.ts";

/** Names beside a layer that are no part of what it says of itself. */
export const isOwnedLayer = (name: string): boolean => /^layer-\d+(\.[\w-]+)?$/.test(name);

const seenWhole = new Set<string>();

/** The layer itself where it is that user's, else a copy that is made once and kept beside it. */
export async function ownedLayer(layer: string, uid: number): Promise<string> {
  if (lstatSync(layer).uid === uid) return layer;
  const owned = `${layer}-${uid}`;
  if (seenWhole.has(owned) || (await isWhole(owned))) {
    seenWhole.add(owned);
    return owned;
  }
  const making = `${owned}.${randomBytes(6).toString("hex")}`;
  await copyTree(Buffer.from(layer), Buffer.from(making));
  await handOver([making], uid);
  const { sha256 } = await survey(making);
  await removeTree(owned);
  await writeFile(surveyOf(owned), sha256);
  // Whoever was quicker made the same.
  await rename(making, owned).catch(() => removeTree(making));
  seenWhole.add(owned);
  return owned;
}

const surveyOf = (owned: string): string => `${owned}.survey`;
const survey = (folder: string): ReturnType<typeof surveyTrees> => surveyTrees([Buffer.from(folder)]);

async function isWhole(owned: string): Promise<boolean> {
  const said = await readFile(surveyOf(owned), "utf8").catch(() => undefined);
  return said !== undefined && said === (await survey(owned).catch(() => undefined))?.sha256;
}
