// Calls the makers of a round, one after the other: the next takes over where one has reached a limit or cannot be reached, and only then.
import type { CrewMaker } from "../contract/crew.ts";
import { LoopError } from "../contract/errors.ts";
import type { HeldLock } from "../contract/locks.ts";
import type { FilesKind, MakerFact } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import { type SeenLimit, usableFrom, weighReset } from "../journal/accounts.ts";
import { accountOf } from "./account.ts";
import { type Called, type Launched, launchMaker, type Order } from "./launch-maker.ts";
import { isOfMaker } from "./outcome.ts";
import type { Run } from "./run.ts";

interface Passed {
  readonly name: string;
  readonly failure: LoopError;
}

export async function callMakers<K extends FilesKind>(
  round: Round,
  run: Run<K>,
  order: Order,
): Promise<Launched & { readonly maker?: MakerFact }> {
  const { makers } = run.crew;
  const passed: Passed[] = [];
  for (const [index, { ref, make }] of makers.entries()) {
    try {
      const launched = await callMaker(round, run, { ref, make, place: index + 1 }, order);
      if (makers.length === 1) return launched;
      const insteadOf = passed.map(({ name, failure }) => ({ name, why: failure.message }));
      return { ...launched, maker: { name: ref.use, place: index + 1, insteadOf } };
    } catch (error) {
      if (!isOfMaker(error)) throw error;
      passed.push({ name: ref.use, failure: error });
    }
  }
  throw soonest(passed);
}

/** All of them must wait: for the one that may be tried first. */
function soonest(passed: readonly Passed[]): LoopError {
  const timed = passed.filter(({ failure }) => failure.until !== undefined);
  const [first] = timed.toSorted((one, other) => Date.parse(one.failure.until!) - Date.parse(other.failure.until!));
  const chosen = first ?? passed.at(-1)!;
  if (passed.length === 1) return chosen.failure;
  const { code, hint, until } = chosen.failure;
  const message = passed.map(({ name, failure }) => `${name}: ${failure.message}`).join("; ");
  return new LoopError(code, `no maker of this loop can be used now: ${message}`, { retry: "later", hint, until, cause: chosen.failure });
}

/** Where its account is used up it is not called; where a limit of it has passed, only one run tries it first. */
export async function callMaker<K extends FilesKind>(round: Round, run: Run<K>, maker: Called<K>, order: Order): Promise<Launched> {
  const { accounts, world, journal } = run;
  const account = maker.make.login && (await accountOf(maker.make.login, world));
  if (account === undefined) return believing(run, undefined, () => launchMaker(round, run, maker, order));
  const limit = await accounts.limitOn(account);
  if (!limit) return believing(run, account, () => launchMaker(round, run, maker, order));
  const from = usableFrom(limit, journal.loop);
  if (from > world.clock.now() && run.limits === "wait") throw usedUp(maker, journal.loop, from);
  const trying = await accounts.holdToTry(account);
  if (!trying) throw beingTried(maker, world.clock.now());
  const good = once(() => goodAgain(run, limit, trying));
  try {
    const launched = await believing(run, account, () => launchMaker(round, run, maker, { ...order, onAnswer: good }));
    if (launched.ended !== "gave-up") await good();
    return launched;
  } finally {
    await trying.release();
  }
}

async function goodAgain({ accounts, journal }: Run, limit: SeenLimit, trying: HeldLock): Promise<void> {
  await accounts.sawGood(limit, journal.run);
  await trying.release();
}

/** A limit that says when it passes binds all who use the account; a time that cannot be right is nothing to wait for. */
async function believing(run: Run, account: string | undefined, call: () => Promise<Launched>): Promise<Launched> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof LoopError) || error.until === undefined || !isOfMaker(error)) throw error;
    switch (weighReset(error.until, run.world.clock.now())) {
      case "in-force":
        if (account !== undefined) await run.accounts.sawLimit(account, error.until, run.journal.run);
        throw error;
      case "passing":
        throw error;
      case "doubtful":
        throw new LoopError(error.code, `${error.message} (it should pass at ${error.until}, which cannot be right)`, {
          retry: error.retry,
          hint: "Go on with `lw resume` when it has passed. It costs no round.",
          cause: error,
        });
    }
  }
}

const usedUp = ({ ref }: Pick<CrewMaker<FilesKind>, "ref">, loop: string, from: Date): LoopError =>
  new LoopError("maker-rate-limited", `the account of ${ref.use} has reached a limit, as an earlier call found out`, {
    retry: "later",
    hint: `It may be used again at ${from.toISOString()}: go on with \`lw resume\` then; \`lw resume ${loop}\` tries it at once. It costs no round.`,
    until: from.toISOString(),
  });

/** How long others wait before they look again whether the one who tries an account got an answer. */
const TRY_MS = 30_000;

const beingTried = ({ ref }: Pick<CrewMaker<FilesKind>, "ref">, now: Date): LoopError =>
  new LoopError("maker-rate-limited", `another run tries whether the limit of the account of ${ref.use} has passed`, {
    retry: "later",
    hint: "Go on with `lw resume` in a minute. It costs no round.",
    until: new Date(now.getTime() + TRY_MS).toISOString(),
  });

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
