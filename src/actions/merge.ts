// Moves base to the proposal: only forward, only from the commit that was verified. A checkout of it moves along where nothing is in the way.
import * as z from "zod";
import { type Deed, defineAction } from "../contract/action.ts";

const moveOf = ({ base, commit, key }: Deed) => ({ branch: base.ref, from: base.commit, to: commit, because: key });
const movedBy = ({ base, commit }: Deed) => ({
  says: `${base.ref} moved from ${base.commit.slice(0, 12)} to ${commit.slice(0, 12)}`,
  facts: { branch: base.ref, from: base.commit, to: commit },
});

export const merge = defineAction({
  name: "merge",
  summary:
    "Fast-forwards base to the proposal, if base is still the commit that was verified. A checkout of base moves along, if nothing of yours is in the way. Never forces.",
  options: z.strictObject({}),
  async prepare(deed, _, { git }) {
    const ready = await git.canFastForward(deed.repo, moveOf(deed));
    if (ready.kind === "refused") return ready;
    const along = ready.along === undefined ? "" : `, and the checkout in ${ready.along} along with it`;
    return { kind: "ready", says: `move ${deed.base.ref} to ${deed.commit.slice(0, 12)}${along}` };
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
