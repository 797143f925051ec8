// What the dashboard asks of this program in processes of its own: whether the journal is whole, and what can be seen of a repository.
import type { LookAtTarget, OutlineFor } from "../app/page/new-loop.ts";
import type { LookThrough } from "../app/page/read-ledger.ts";
import { LoopError } from "../contract/errors.ts";
import type { AskApart } from "./ask-apart.ts";

/** As `lw ledger verify` does, kept outputs included. */
export const verifyBy =
  (ask: AskApart, home: string): LookThrough =>
  async () => {
    const found = (await ask(["ledger", "verify", "--home", home])) as Awaited<ReturnType<LookThrough>>; // our own program's words
    if (typeof found.entries !== "number") throw noAnswer("ledger verify");
    return found;
  };

const PATIENCE_MS = 60_000;

/** As `lw scan` does: nothing of the repository is run. */
export const scanBy =
  (ask: AskApart): LookAtTarget =>
  async (folder) => {
    const { scan } = (await ask(["scan", folder], PATIENCE_MS)) as { readonly scan?: Awaited<ReturnType<LookAtTarget>> }; // the same
    if (!scan) throw noAnswer("scan");
    return scan;
  };

/** As `lw init` would write it, without trying the tests, and without writing anything. */
export const outlineBy =
  (ask: AskApart): OutlineFor =>
  async (folder) => {
    const args = ["init", folder, "--yes", "--no-try", "--dry-run"];
    const { text } = (await ask(args, PATIENCE_MS)) as { readonly text?: string }; // the same
    if (typeof text !== "string") throw noAnswer("init");
    return text;
  };

const noAnswer = (what: string): LoopError =>
  new LoopError("store-unusable", `\`lw ${what}\` answered with something else`, { retry: "later", hint: "Type it where this home is." });
