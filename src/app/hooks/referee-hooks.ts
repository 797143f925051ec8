// What `lw hook run … --referee` does: begins with an agent's session, and judges before the agent stops or before git pushes.

import type { HookAnswer, StopHook } from "../../contract/adapters.ts";
import type { StandardInput } from "../../contract/around.ts";
import { LoopError } from "../../contract/errors.ts";
import { type ExitName, exitOf, exitOfError } from "../../contract/exit.ts";
import type { Watch } from "../../contract/watch.ts";
import { visibleText } from "../../std/display-text.ts";
import type { House } from "../open-house.ts";
import { readAll } from "../read-all.ts";
import { viewOf } from "../records/views.ts";
import { countTime, forgetTimes } from "../runs/beginnings.ts";
import { beginReferee, type Refereed, type RefereeOrder, referee } from "../runs/referee.ts";
import { adapterCalled } from "./run-hook.ts";

/** After so many refusals in a row an agent may stop: it has heard the reason, and a person must look. */
const MOST_BLOCKS = 3;
const MOST_REASON = 6_000;

export interface HookSurroundings {
  readonly cwd: string;
  readonly loop: string | undefined;
  readonly base: string | undefined;
}

const MOST_INPUT_BYTES = 4 * 1024 * 1024;
export const readCallInput = (input: StandardInput): Promise<string> => readAll(input, MOST_INPUT_BYTES);

/** Whether an agent's hooks can ask the referee. */
export const stopHookOf = (agent: string): StopHook | undefined => adapterCalled(agent)?.stopping;

/** An agent's session starts, or the agent is about to stop. What goes wrong keeps it from stopping, but not for ever. */
export async function answerSession(
  house: House,
  agent: string,
  hook: StopHook,
  input: string,
  { cwd, loop, base }: HookSurroundings,
  watch: Watch,
): Promise<HookAnswer> {
  const call = hook.readCall(input);
  if (call.kind === "other") return hook.pass("");
  if (call.kind === "unreadable") return hook.pass(`Loopwright's referee was not asked: ${call.why}.`);
  const { session } = call;
  const order = { folder: call.cwd ?? cwd, cwd: call.cwd ?? cwd, loop, base, head: undefined, by: `hook of ${agent}`, session };
  if (call.kind === "begin") {
    // A session cannot be kept from starting. Without a beginning nothing that is ignored can be judged, and that is said when it stops.
    return beginReferee(house, order).then(
      () => hook.pass(""),
      (error: unknown) => hook.pass(`Loopwright's referee could not begin: ${told(error)}`),
    );
  }
  return answerStop(house, agent, hook, order, watch);
}

async function answerStop(
  house: House,
  agent: string,
  hook: StopHook,
  order: RefereeOrder & { readonly session: string },
  watch: Watch,
): Promise<HookAnswer> {
  const root = await house.world.checkouts.open(order.folder).then(
    (checkout) => checkout.root,
    // What is no repository cannot be judged, and is not ours to hold up.
    () => undefined,
  );
  if (root === undefined) return hook.pass("Loopwright's referee was not asked: this folder is in no git checkout.");
  let time: number | undefined;
  const counted = async (): Promise<number> => {
    time ??= await countTime(house, root, order.session);
    return time;
  };
  const hooked = async () => ({ agent, session: order.session, time: await counted(), most: MOST_BLOCKS });
  try {
    const result = await referee(house, { ...order, hook: hooked }, watch);
    if (result.kind === "nothing") return hook.pass("");
    if (isProven(result)) {
      await forgetTimes(house, root, order.session);
      return hook.pass("");
    }
    return refusal(hook, await counted(), await reasonOf(house, result));
  } catch (error) {
    // Whatever it was, nothing is proven; and the count sees to it that nobody is held up for ever.
    return refusal(hook, await counted(), `The referee could not judge the change: ${told(error)}`);
  }
}

function refusal(hook: StopHook, time: number, reason: string): HookAnswer {
  if (time > MOST_BLOCKS)
    return hook.pass(
      visibleText(
        `Loopwright's referee refused the change ${MOST_BLOCKS} times and lets the agent stop now. It is not proven: ${reason.slice(0, 1_000)}`,
      ),
    );
  return hook.block(
    visibleText(`Loopwright's referee does not accept the change (refusal ${time} of ${MOST_BLOCKS}).\n${reason}`.slice(0, MOST_REASON)),
  );
}

const isProven = (result: Extract<Refereed, { kind: "judged" }>): boolean =>
  result.outcome.kind === "rested" && result.outcome.rest.kind === "accept";

async function reasonOf(house: House, { run, outcome }: Extract<Refereed, { kind: "judged" }>): Promise<string> {
  const { rest } = await viewOf(house, run);
  if (outcome.kind === "paused") return told(outcome.failure);
  return `${rest && "because" in rest ? `${rest.because}: ${rest.reason}` : "it is not proven"}\nThe record: lw show ${run}`;
}

const told = (error: unknown): string =>
  error instanceof LoopError ? `${error.message} ${error.hint}` : error instanceof Error ? error.message : String(error);

// ── before a push ───────────────────────────────────────────────────────────────────────────────────────────────

export interface Pushed {
  readonly ref: string;
  readonly exit: ExitName;
  readonly says: string;
}

/** One line of what git tells a pre-push hook: `<local ref> <local id> <remote ref> <remote id>`. */
export function readPushes(input: string): readonly { readonly local: string; readonly remoteRef: string; readonly remote: string }[] {
  return input
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [, local, remoteRef, remote] = /^\S+ ([0-9a-f]{40,64}) (\S+) ([0-9a-f]{40,64})$/.exec(line) ?? [];
      if (!local || !remoteRef || !remote)
        throw new LoopError("bad-input", `git told of a push in a way we do not know: ${JSON.stringify(line.slice(0, 200))}`, {
          retry: "never",
          hint: "Let git call this from its pre-push hook.",
        });
      return { local, remoteRef, remote };
    });
}

/** Each commit that is pushed, against what the remote has. What cannot be judged is not pushed. */
export async function answerPush(
  house: House,
  input: string,
  { cwd, loop, base, remote }: HookSurroundings & { readonly remote: string | undefined },
  watch: Watch,
): Promise<readonly Pushed[]> {
  const checkout = await house.world.checkouts.open(cwd);
  const pushed: Pushed[] = [];
  for (const { local, remoteRef, remote: there } of readPushes(input)) {
    // Taking a branch away brings no change.
    if (isNone(local)) continue;
    const known = isNone(there) ? await tipOfRemote(checkout, remote) : there;
    const order = { folder: cwd, cwd, loop, base: base ?? known, head: local, by: "hook of git (pre-push)" };
    pushed.push({ ref: remoteRef, ...(await judgePush(house, order, known !== undefined || base !== undefined, watch)) });
  }
  return pushed;
}

async function judgePush(house: House, order: RefereeOrder, isBaseTheirs: boolean, watch: Watch): Promise<Omit<Pushed, "ref">> {
  try {
    const result = await referee(house, order, watch);
    if (result.kind === "nothing")
      return isBaseTheirs
        ? { exit: "done", says: "the remote has it already" }
        : { exit: "cannotVerify", says: `nothing changed since ${result.since}, and nobody knows what the remote has` };
    if (result.outcome.kind === "paused") return { exit: exitOfError(result.outcome.failure.code), says: told(result.outcome.failure) };
    const { rest } = result.outcome;
    return { exit: exitOf(rest), says: rest.kind === "accept" ? `proven (${result.run})` : await reasonOf(house, result) };
  } catch (error) {
    if (!(error instanceof LoopError)) throw error;
    return { exit: exitOfError(error.code), says: told(error) };
  }
}

const isNone = (id: string): boolean => /^0+$/.test(id);

/** What a new branch is compared with: the branch that the remote is on, as it was fetched last. */
async function tipOfRemote(
  checkout: { readonly resolve: (name: string) => Promise<string | undefined> },
  remote: string | undefined,
): Promise<string | undefined> {
  if (remote === undefined || !/^[\w.-]+$/.test(remote)) return undefined;
  const name = `refs/remotes/${remote}/HEAD`;
  return (await checkout.resolve(name)) === undefined ? undefined : name;
}
