// Answers an agent that asks about a tool call. Whatever goes wrong on the way is a denial.
import { hookAdapters } from "../../adapters/index.ts";
import { plain } from "../../adapters/plain.ts";
import type { HookAdapter, HookAnswer, HookCall } from "../../contract/adapters.ts";
import { askGuard } from "../../guard/command/ask-guard.ts";
import type { CommandDecision } from "../../guard/command/decision.ts";
import { visibleText } from "../../std/display-text.ts";

/** Nothing that an agent says is longer than this; a longer call is not read at all. */
const MOST_INPUT = 1024 * 1024;

/** The answer to an agent that asks about a tool call. Whatever goes wrong on the way is a denial. */
export async function runHook(adapterName: string, input: string, ask: Ask = askGuard): Promise<HookAnswer> {
  const adapter = adapterCalled(adapterName);
  if (!adapter) return plain.answer("deny", denial(noSuchAdapter(adapterName)));
  try {
    const call: HookCall =
      input.length > MOST_INPUT ? { kind: "unreadable", why: `the call is longer than ${MOST_INPUT} characters` } : adapter.readCall(input);
    if (call.kind === "other") return adapter.answer("allow", "");
    if (call.kind === "unreadable") return adapter.answer("deny", denial(call.why));
    if (!isText(call.command))
      return adapter.answer("deny", denial("the command is not valid text, so what would run is not what was read"));
    const answer = await ask(call.command, call.cwd === undefined ? {} : { workspace: withoutEndSlash(call.cwd) });
    return adapter.answer(answer.decision === "ask" && call.unattended ? "deny" : answer.decision, reasonOf(answer));
  } catch (error) {
    return adapter.answer("deny", denial(`the guard failed (${error instanceof Error ? error.message : String(error)})`));
  }
}

/** Who is asked: the guard alone, or with the policies of the folder. */
export type Ask = (command: string, at: { readonly workspace?: string }) => CommandDecision | Promise<CommandDecision>;

export const adapterCalled = (wanted: string): HookAdapter | undefined => hookAdapters.find(({ name }) => name === wanted);

export const noSuchAdapter = (name: string): string =>
  `no hook is called ${JSON.stringify(name)}; there are ${hookAdapters.map((adapter) => adapter.name).join(", ")}`;

const denial = (why: string): string => visibleText(`Loopwright denied this: ${why}. Nothing was run.`);

/** Bytes that were no UTF-8 come as replacement characters; a NUL or half a character may mean something else to a shell. */
const isText = (text: string): boolean => text.isWellFormed() && !text.includes("\ufffd") && !text.includes("\0");

const withoutEndSlash = (path: string): string => (path.length > 1 ? path.replace(/[/\\]+$/, "") || "/" : path);

const MOST_FINDINGS = 5;

function reasonOf({ decision, findings }: CommandDecision): string {
  if (decision === "allow") return "";
  const head = decision === "deny" ? "Loopwright denied this command." : "Loopwright wants a human to decide about this command.";
  const told = findings
    .slice(0, MOST_FINDINGS)
    .map(({ rule, where, why, instead }) => `- ${rule}: ${why} Here: \`${where}\`. Instead: ${instead}`);
  const more = findings.length > MOST_FINDINGS ? [`- and ${findings.length - MOST_FINDINGS} more`] : [];
  return visibleText([head, ...told, ...more].join("\n"));
}
