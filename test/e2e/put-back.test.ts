// A home that was put back, or cut to before its first checkpoint, is seen by what was written in its target, and stays seen.
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDatabase } from "../../src/world/store/sqlite.ts";
import { ADA, withProposal } from "../support/decisions.ts";
import type { Place } from "../support/lw.ts";

const proofsOf = ({ repo }: Place): string => repo.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/loopwright/proofs/");
const putBack = (place: Place, from: string): void => {
  rmSync(place.home, { recursive: true, force: true });
  cpSync(from, place.home, { recursive: true });
};
const verify = async (place: Place): Promise<unknown> => (await place.lw(["ledger", "verify"])).exit;

it("tells a home that was put back, also after further runs, and leaves what the true one wrote in the target", () =>
  withProposal(async (place, { run }) => {
    const [older, newest] = [join(place.dir, "older"), join(place.dir, "newest")];
    cpSync(place.home, older, { recursive: true });
    expect((await place.lw(["approve", run, ...ADA])).exit).toBe(0);
    cpSync(place.home, newest, { recursive: true });
    const written = proofsOf(place);

    putBack(place, older);
    const atOnce = await verify(place);
    await place.lw(["reject", run, ...ADA, "--why", "put back"]);
    await place.lw(["run", "fix.loop.json", "--again"]);
    const later = await verify(place);
    const after = proofsOf(place);
    putBack(place, newest);

    expect([atOnce, later, after, await verify(place)]).toEqual([5, 5, written, 0]);
  }));

it("tells a home that was cut to before its first checkpoint, and verifying a receipt there moves nothing", () =>
  withProposal(async (place, { run }) => {
    const whole = join(place.dir, "whole");
    cpSync(place.home, whole, { recursive: true });
    const written = proofsOf(place);
    const db = openDatabase(join(place.home, "journal.db"), "read-write");
    db.run("delete from records where seq >= (select min(seq) from records where kind = 'receipted')");
    db.close();
    for (const name of ["checkpoints.jsonl", "journal.head"]) rmSync(join(place.home, name));

    const atOnce = await verify(place);
    await place.lw(["receipt", "verify", run]);
    const after = proofsOf(place);
    putBack(place, whole);

    expect([atOnce, after, await verify(place)]).toEqual([5, written, 0]);
  }));

it("does not take a key for what is to be verified", () =>
  withProposal(async (place) => {
    await place.lw(["key", "export", "--out", "home.pub"]);

    expect([
      (await place.lw(["ledger", "verify", "--key", "home.pub", "tampered.jsonl"])).exit,
      (await place.lw(["ledger", "verify", "--key", "nosuchfile"])).exit,
    ]).toEqual([64, 64]);
  }));
