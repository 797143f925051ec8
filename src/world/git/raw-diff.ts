// Reads what git prints of a comparison of two trees. Pure.
import { LoopError } from "../../contract/errors.ts";
import type { Change } from "../../contract/proposal.ts";
import { decodeText } from "../../std/decode-text.ts";

/** Reads `git diff-tree -r -z`: `:100644 100644 <old> <new> M\0path\0`, over and over. */
export const parseRawDiff = (raw: Buffer): readonly Change[] => parseRawNames(raw).map(({ change }) => change);

/** The same, each with its name in one character a byte: a name need not be text. */
export function parseRawNames(raw: Buffer): readonly { readonly change: Change; readonly bytes: string }[] {
  const fields = raw.toString("latin1").split("\0");
  const changes: { readonly change: Change; readonly bytes: string }[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const meta = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]/.exec(fields[at]!);
    if (!meta)
      throw new LoopError("git-failed", "git diff-tree answered in a form we do not know", {
        retry: "never",
        hint: "Report this with your git version.",
      });
    const [, oldMode, newMode, oldBlob, newBlob] = meta as unknown as readonly [string, string, string, string, string]; // four groups, all of which must match
    const bytes = fields[at + 1]!;
    const path = decodeText(Buffer.from(bytes, "latin1"));
    changes.push({ bytes, change: { path, before: version(oldMode, oldBlob), after: version(newMode, newBlob) } });
  }
  return changes;
}

const version = (mode: string, blob: string): Change["before"] => (mode === "000000" ? undefined : { mode, blob });
