// What can be seen of a document without running anything: that it is plain files, where they may be, and no more than they may be. Pure.
import type { Comparison, Side } from "../contract/change-set.ts";
import type { Finding } from "../contract/evidence.ts";
import type { Change } from "../contract/proposal.ts";
import type { DocumentWish } from "../contract/spec.ts";
import { compileAllowing } from "../std/glob.ts";
import { formatSize, parseSize } from "./size.ts";

/** Rules whose findings mean that it is not the document that was asked for: its maker hears of it and tries again. */
export const DOCUMENT_BOUNDS: readonly string[] = ["document-path", "document-size"];

const MOST = "1MB";
const MOST_FINDINGS = 20;

export function documentFindings(
  changes: readonly Change[],
  { files }: Pick<Comparison, "files">,
  { files: allowed, most = MOST }: Partial<DocumentWish>,
): readonly Finding[] {
  const isAllowed = allowed ? compileAllowing(allowed) : () => true;
  const left = changes.filter(({ after }) => after !== undefined);
  const odd = left.filter(({ after }) => after?.mode !== "100644" && after?.mode !== "100755");
  const outside = left.filter(({ path }) => !isAllowed(path));
  const bytes = files.reduce((sum, { after }) => sum + bytesOf(after), 0);
  return [
    ...odd
      .slice(0, MOST_FINDINGS)
      .map(({ path }) => finding("document-link", "high", path, "A document is plain files: no links, no repositories in it.")),
    ...outside
      .slice(0, MOST_FINDINGS)
      .map(({ path }) => finding("document-path", "medium", path, `Only these belong to it: ${allowed?.join(", ")}.`)),
    ...(bytes > parseSize(most)!
      ? [finding("document-size", "medium", formatSize(bytes), `What changed may have ${most} (document.most in the spec).`)]
      : []),
  ];
}

const finding = (rule: string, severity: Finding["severity"], where: string, why: string): Finding => ({
  rule,
  severity,
  where: where.slice(0, 300),
  why,
});

/** What could not be read is too large to be read. */
function bytesOf(side: Side | undefined): number {
  if (!side) return 0;
  const { content } = side;
  if (content.kind === "unread") return Number.MAX_SAFE_INTEGER;
  return content.kind === "text" ? content.pieces.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) : 0;
}
