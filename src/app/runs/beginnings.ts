// How a checkout was before the work, kept in our home: for the whole checkout, or for one session of an agent.
import { join } from "node:path";
import * as z from "zod";
import { LoopError } from "../../contract/errors.ts";
import type { CheckoutOnDisk } from "../../contract/git.ts";
import type { Beginning, Protection } from "../../contract/referee.ts";
import { hiddenPaths } from "../../guard/protected.ts";
import { sha256 } from "../../std/hash.ts";
import type { House } from "../open-house.ts";

type Base = Pick<House, "home" | "world" | "plainFiles">;

const Globs = z.array(z.string());
const Written = z.strictObject({
  version: z.literal(1),
  at: z.string(),
  by: z.string(),
  root: z.string(),
  commit: z.string().regex(/^[0-9a-f]{40,64}$/),
  protection: z.strictObject({ protect: Globs, deny: Globs, allow: Globs }),
  hidden: z.array(z.strictObject({ path: z.string(), kind: z.enum(["file", "link"]), sha256: z.string() })),
});

/** Writes down how the checkout is now. Ignored files are told by their hashes; nothing of what they hold is kept. */
export async function begin(
  house: Base,
  checkout: CheckoutOnDisk,
  { by, session, protection }: { readonly by: string; readonly session: string | undefined; readonly protection: Protection },
): Promise<Beginning> {
  const head = await checkout.head();
  if (!head)
    throw new LoopError("cannot-judge", "the repository has no commit yet, so there is nothing to begin from", {
      retry: "never",
      hint: "Make a first commit, then begin.",
    });
  const at = { loop: ".begin", id: house.world.ids.token() };
  try {
    const store = await house.world.checkouts.openStore(checkout.root, join(house.home.rounds, at.loop, at.id));
    const { hidden } = await checkout.hidden(store, hiddenPaths(protection));
    const now = house.world.clock.now().toISOString();
    const beginning: Beginning = { version: 1, at: now, by, root: checkout.root, commit: head.commit, protection, hidden };
    await house.plainFiles.writeText(fileOf(house, checkout.root, session), JSON.stringify(beginning));
    return beginning;
  } finally {
    await house.world.workshop.close(at);
  }
}

/** Undefined where nobody began. One that cannot be read is no beginning, and nothing is judged by it. */
export async function readBeginning(house: Base, root: string, session: string | undefined): Promise<Beginning | undefined> {
  const path = fileOf(house, root, session);
  const text = await house.plainFiles.readText(path);
  if (text === undefined) return undefined;
  const read = Written.safeParse(parsed(text));
  if (read.success && read.data.root === root) return read.data;
  throw new LoopError("cannot-judge", `${path} cannot be read as a beginning`, {
    retry: "never",
    hint: "Begin anew with `lw referee --begin`, before the next work.",
  });
}

/** For which time a session asks, counted from 1. */
export async function countTime(house: Base, root: string, session: string): Promise<number> {
  const path = `${fileOf(house, root, session)}.times`;
  const time = (Number.parseInt((await house.plainFiles.readText(path)) ?? "0", 10) || 0) + 1;
  await house.plainFiles.writeText(path, `${time}\n`);
  return time;
}

/** A proven change begins the count anew. */
export const forgetTimes = (house: Base, root: string, session: string): Promise<void> =>
  house.plainFiles.writeText(`${fileOf(house, root, session)}.times`, "0\n");

const fileOf = ({ home }: Pick<Base, "home">, root: string, session: string | undefined): string =>
  join(home.folder, "referee", sha256(root).slice(0, 24), session === undefined ? "begun.json" : `${sha256(session).slice(0, 24)}.json`);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
