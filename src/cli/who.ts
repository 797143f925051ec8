// Says who calls, for what goes on record with a name.
import { LoopError } from "../contract/errors.ts";
import { parseDuration } from "../std/duration.ts";
import type { Call } from "./call.ts";

/** Who decides: `--as`, else whoever this terminal belongs to. Nobody is no identity. */
export function deciderOf({ options, env, loginName }: Call): { readonly by: string; readonly why: string } {
  // Every command that a loop runs carries this. It can be taken off: the guard and the box are what holds a maker, and this is a reminder.
  if (env.LOOPWRIGHT_MARK !== undefined)
    throw new LoopError("command-blocked", "a command that a loop runs may not decide about loops", {
      retry: "never",
      hint: "Decide in a terminal of your own.",
    });
  const by = String(options.as ?? env.USER ?? env.LOGNAME ?? env.USERNAME ?? loginName?.() ?? "").trim();
  if (by === "" || by.length > 200 || /[\0-\x1f\x7f]/.test(by))
    throw new LoopError("bad-input", "it is not clear who decides", { retry: "never", hint: "Say it with --as, e.g. --as ada." });
  return { by, why: String(options.why ?? "").slice(0, 2_000) };
}

/** For what must not fail because nobody gave a name, such as stopping everything. */
export const whoever = ({ options, env, loginName }: Call): string =>
  String(options.as ?? env.USER ?? env.LOGNAME ?? loginName?.() ?? "somebody");

/** A length of time from now on, as an ISO time. */
export function timeFrom(now: Date, flag: string, asked: unknown): string | undefined {
  if (asked === undefined) return undefined;
  const ms = parseDuration(String(asked));
  if (ms === undefined)
    throw new LoopError("bad-input", `${flag} ${String(asked)} is not a length of time`, {
      retry: "never",
      hint: `Write e.g. ${flag} 2d.`,
    });
  return new Date(now.getTime() + ms).toISOString();
}
