// Uses an account for one call: one that is used up is not asked, one whose limit has passed is tried by one run first, and a limit that is
// met binds everybody who uses it.
import { LoopError } from "../contract/errors.ts";
import type { HeldLock } from "../contract/locks.ts";
import type { Login } from "../contract/maker.ts";
import { type SeenLimit, usableFrom, weighReset } from "../journal/accounts.ts";
import { accountOf } from "./account.ts";
import { isOfMaker } from "./outcome.ts";
import type { Run } from "./run.ts";

export type UsingRun = Pick<Run, "accounts" | "limits"> & {
  readonly journal: Pick<Run["journal"], "loop" | "run">;
  readonly world: Pick<Run["world"], "clock" | "env" | "files" | "ids">;
};

export interface AccountUse<T> {
  /** Undefined where it uses none that is known. */
  readonly login: Login | undefined;
  /** Who is told to have reached the limit. */
  readonly who: string;
  readonly code: "maker-rate-limited" | "model-limited";
  /** Told as soon as an answer came, where that is before the end. */
  readonly call: (onAnswer: () => Promise<void>) => Promise<T>;
  /** Whether an end shows that the account can be used. */
  readonly isGood: (result: T) => boolean;
}

export async function useAccount<T>(run: UsingRun, use: AccountUse<T>): Promise<T> {
  const { accounts, world, journal } = run;
  const account = use.login && (await accountOf(use.login, world));
  const limit = account === undefined ? undefined : await accounts.limitOn(account);
  if (account === undefined || !limit) return believing(run, account, () => use.call(async () => {}));
  const from = usableFrom(limit, journal.loop);
  if (from > world.clock.now() && run.limits === "wait") throw usedUp(use, journal.loop, from);
  const trying = await accounts.holdToTry(account);
  if (!trying) throw beingTried(use, world.clock.now());
  const good = once(() => goodAgain(run, limit, trying));
  try {
    const result = await believing(run, account, () => use.call(good));
    if (use.isGood(result)) await good();
    return result;
  } finally {
    await trying.release();
  }
}

async function goodAgain({ accounts, journal }: UsingRun, limit: SeenLimit, trying: HeldLock): Promise<void> {
  await accounts.sawGood(limit, journal.run);
  await trying.release();
}

/** A limit that says when it passes binds all who use the account; a time that cannot be right is nothing to wait for. */
async function believing<T>(run: UsingRun, account: string | undefined, call: () => Promise<T>): Promise<T> {
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

const usedUp = ({ who, code }: Pick<AccountUse<unknown>, "who" | "code">, loop: string, from: Date): LoopError =>
  new LoopError(code, `the account of ${who} has reached a limit, as an earlier call found out`, {
    retry: "later",
    hint: `It may be used again at ${from.toISOString()}: go on with \`lw resume\` then; \`lw resume ${loop}\` tries it at once. It costs no round.`,
    until: from.toISOString(),
  });

/** How long others wait before they look again whether the one who tries an account got an answer. */
const TRY_MS = 30_000;

const beingTried = ({ who, code }: Pick<AccountUse<unknown>, "who" | "code">, now: Date): LoopError =>
  new LoopError(code, `another run tries whether the limit of the account of ${who} has passed`, {
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
