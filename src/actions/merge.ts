// Moves base to the proposal: only forward, only from the commit that was verified, and only where nobody has it checked out.
import * as z from "zod";
import { type Deed, defineAction } from "../contract/action.ts";

const moveOf = ({ base, commit, key }: Deed) => ({ branch: base.ref, from: base.commit, to: commit, because: key });
const movedBy = ({ base, commit }: Deed) => ({
  says: `${base.ref} moved from ${base.commit.slice(0, 12)} to ${commit.slice(0, 12)}`,
  facts: { branch: base.ref, from: base.commit, to: commit },
});

export const merge = defineAction({
  name: "merge",
  summary: "Fast-forwards base to the proposal, if base is still the commit that was verified and is checked out nowhere. Never forces.",
  options: z.strictObject({}),
  async prepare(deed, _, { git }) {
    const ready = await git.canFastForward(deed.repo, moveOf(deed));
    return ready.kind === "ready" ? { kind: "ready", says: `move ${deed.base.ref} to ${deed.commit.slice(0, 12)}` } : ready;
  },
  async execute(deed, _, { git }) {
    const moved = await git.fastForward(deed.repo, moveOf(deed));
    return moved.kind === "moved" ? { kind: "done", receipt: movedBy(deed) } : moved;
  },
  async confirm(deed, _, { git }) {
    const tip = await git.branchTip(deed.repo, deed.base.ref);
    // Whoever moved it there, it is there; commits that came after it change nothing about that.
    return tip !== undefined && (await git.contains(deed.repo, tip, deed.commit))
      ? { kind: "done", receipt: movedBy(deed) }
      : { kind: "not-done" };
  },
});
