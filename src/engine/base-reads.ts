// What a check of base reads that decides how work is checked, from a trace of its run.
import type { BaseReads, BaseSight } from "../contract/baseline.ts";
import type { Checkout, Traced } from "../contract/workshop.ts";
import type { World } from "../contract/world.ts";
import { isManifest, productSource, type Standing } from "../guard/product-source.ts";
import { isSealedBy } from "../guard/seal.ts";
import { canonicalJson, sha256 } from "../std/hash.ts";

/** More than these are no few files beside the product: then names decide. */
const MOST_DECIDING = 2_000;
const MOST_TEXTS = 5_000;
const MOST_CHARS = 200_000;

/** The files in the tree, and those of them that were read: what product source names is found by reading it. */
export async function standingIn(
  room: Checkout,
  { paths, read }: { readonly paths: readonly string[]; readonly read: readonly string[] },
  { workspaceFiles }: Pick<World, "workspaceFiles">,
): Promise<(path: string) => Standing> {
  const files = workspaceFiles(room.work);
  const wanted = [...new Set([...paths.filter(isManifest), ...read.filter((path) => SOURCE.test(path))])].slice(0, MOST_TEXTS);
  const texts = new Map<string, string>();
  for (const path of wanted) {
    const text = await files.read(path);
    if (text !== undefined && text.length <= MOST_CHARS) texts.set(path, text);
  }
  return productSource({ paths, texts });
}

const SOURCE = /\.([cm]?[jt]sx?|py|go|rs)$/;
const isSealedByName = isSealedBy({ seal: [], unseal: [] });

/** What is sealed by its name already is not told again. */
export async function weighReads(
  room: Checkout,
  { paths, traced, sight }: { readonly paths: readonly string[]; readonly traced: Traced; readonly sight: BaseSight },
  world: Pick<World, "workspaceFiles">,
): Promise<BaseReads> {
  const touched = traced.touched.slice(0, MOST_DECIDING);
  if (traced.kind === "not-traced") return { kind: "not-traced", why: traced.why, touched };
  const standing = await standingIn(room, { paths, read: traced.read }, world);
  const decides = traced.read.filter((path) => !isSealedByName(path) && standing(path) === "other").sort();
  if (decides.length > MOST_DECIDING)
    return { kind: "not-traced", why: `base's checks read more than ${MOST_DECIDING} files that are no product source`, touched };
  return { kind: "traced", decides, touched, ...outcomesOf(sight) };
}

/** Stands for how every test ended. */
export function outcomesOf({ tests }: Pick<BaseSight, "tests">): { readonly outcomes?: string } {
  if (!tests) return {};
  const told = tests.map(({ id, outcome }) => `${outcome} ${id}`).sort();
  return { outcomes: sha256(canonicalJson(told)) };
}
