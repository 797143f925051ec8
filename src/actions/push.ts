// Sends the proposal's branch to another repository, where nothing of that name may be, or only an earlier state of it.
import * as z from "zod";
import { type ActionWorld, type Deed, defineAction } from "../contract/action.ts";
import { VariableName } from "../contract/spec.ts";

const Options = z.strictObject({
  remote: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]*$/, { error: "must be the name of a remote of the repository" })
    .default("origin")
    .meta({ description: "The remote, by its name in the repository.", examples: ["origin"] }),
  branch: z
    .string()
    .regex(/^(?!.*\.\.)[\w][\w./-]*$/, { error: "must be the name of a branch" })
    .optional()
    .meta({ description: "The branch over there. Default: the proposal's own.", examples: ["main"] }),
  token: VariableName.optional().meta({ description: "The variable that holds a token for an https address.", examples: ["GITHUB_TOKEN"] }),
});
type Options = z.infer<typeof Options>;

const placeOf = ({ branch }: Deed, { remote, branch: asked, token }: Options, { env }: ActionWorld) => ({
  remote,
  branch: asked ?? branch,
  token: token === undefined ? undefined : env.get(token),
});
const receiptOf = ({ commit }: Deed, { remote, branch }: { readonly remote: string; readonly branch: string }) => ({
  says: `${branch} of ${remote} is ${commit.slice(0, 12)}`,
  facts: { remote, branch, commit },
});

export const push = defineAction({
  name: "push",
  summary: "Pushes the proposal to a branch of a remote, with a lease on what is there now. Never forces.",
  options: Options,
  async prepare(deed, options, world) {
    const place = placeOf(deed, options, world);
    if (options.token !== undefined && place.token === undefined)
      return { kind: "refused", why: `the variable ${options.token} is not set`, hint: "Set it where `lw` runs." };
    return { kind: "ready", says: `push ${deed.commit.slice(0, 12)} to ${place.branch} of ${place.remote}` };
  },
  async execute(deed, options, world) {
    const place = placeOf(deed, options, world);
    const from = await world.git.remoteTip(deed.repo, place);
    if (from === deed.commit) return { kind: "done", receipt: receiptOf(deed, place) };
    const moved = await world.git.push(deed.repo, { ...place, from, to: deed.commit });
    return moved.kind === "moved" ? { kind: "done", receipt: receiptOf(deed, place) } : moved;
  },
  async confirm(deed, options, world) {
    const place = placeOf(deed, options, world);
    return (await world.git.remoteTip(deed.repo, place)) === deed.commit
      ? { kind: "done", receipt: receiptOf(deed, place) }
      : { kind: "not-done" };
  },
});
