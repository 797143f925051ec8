// Makes ready what is to lie under a room for one command.
import { randomBytes } from "node:crypto";
import { mkdir, readlink, rm, symlink, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Layered } from "./overlay.ts";
import { ownedLayer } from "./owned-layer.ts";

/** Beside the room, so that no command sees it. */
const FOLDER = "layers";

/** May be done for every command of a room: what lies under it stays the same, and is not collected meanwhile. */
export async function layUnder(
  { room, below }: { readonly room: string; readonly below: readonly string[] },
  uid: number,
): Promise<Layered> {
  const place = dirname(room);
  const own = basename(room);
  const scratch = join(FOLDER, `scratch-${randomBytes(6).toString("hex")}`);
  await mkdir(join(place, scratch), { recursive: true, mode: 0o700 });
  const names: string[] = [];
  for (const [index, layer] of below.entries()) {
    const name = join(FOLDER, `${own}-${index}`);
    await pointTo(join(place, name), process.getuid?.() === 0 ? await ownedLayer(layer, uid) : layer);
    const now = new Date();
    await utimes(dirname(layer), now, now);
    names.push(name);
  }
  return { place, room: own, below: names, scratch };
}

async function pointTo(link: string, target: string): Promise<void> {
  if ((await readlink(link).catch(() => undefined)) === target) return;
  await rm(link, { force: true });
  await symlink(target, link);
}
