// Calls the makers of a round, one after the other: the next takes over where one has reached a limit or cannot be reached, and only then.
import { LoopError } from "../contract/errors.ts";
import type { FilesKind, MakerFact } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import { type Called, type Launched, launchMaker, type Order } from "./launch-maker.ts";
import { isOfMaker } from "./outcome.ts";
import type { Run } from "./run.ts";
import { useAccount } from "./use-account.ts";

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
export const callMaker = <K extends FilesKind>(round: Round, run: Run<K>, maker: Called<K>, order: Order): Promise<Launched> =>
  useAccount(run, {
    login: maker.make.login,
    who: maker.ref.use,
    code: "maker-rate-limited",
    call: (onAnswer) => launchMaker(round, run, maker, { ...order, onAnswer }),
    isGood: ({ ended }) => ended !== "gave-up",
  });
