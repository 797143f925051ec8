// What somebody may decide about something that waits, and what is sent for it. Pure: the bar only shows and sends.
import type { DecisionAnswer, DecisionBody, InboxCard } from "../../src/contract/api.ts";

export type Wish = "approve" | "reject" | "amend" | "defer" | "answer" | "take-away" | "resume";

/** What can be done about it, in the order of the buttons. */
export function wishesOf({ kind, tree, id, loop }: Pick<InboxCard, "kind" | "tree" | "id" | "loop">): readonly Wish[] {
  // A spec that is wrong is put right where it lies.
  if (kind === "needs-you" && id === loop) return [];
  switch (kind) {
    case "proposal":
      return tree === null ? ["take-away"] : ["approve", "reject", "amend", "defer"];
    case "question":
      return ["answer", "take-away"];
    case "needs-you":
      return ["take-away"];
    case "halted":
      return ["resume"];
    // It is said with `lw review`, where what was made can be looked at.
    case "review":
    case "absent":
      return [];
  }
}

export interface Draft {
  readonly why: string;
  readonly until: string;
}

/** What is sent, or why it cannot be sent yet. A yes is of the tree that was shown, and of no other. */
export function bodyOf(wish: Wish, tree: string | null, { why, until }: Draft): DecisionBody | string {
  const said = why.trim();
  switch (wish) {
    case "approve":
      return tree === null ? "There is no tree to approve." : { decision: "approve", tree, why: said };
    case "reject":
      return said === "" ? "A no needs a reason: it goes into the next brief." : { decision: "reject", tree, why: said };
    case "amend":
      return tree === null ? "There is no tree to amend." : { decision: "amend", tree, why: said };
    case "defer":
      return tree === null ? "There is no tree to defer." : { decision: "defer", tree, why: said, until };
    case "answer":
      return said === "" ? "Write the answer first." : { decision: "answer", text: said };
    case "take-away":
      return { decision: "reject", tree: null, why: said };
    case "resume":
      return "A loop is resumed by its own wish.";
  }
}

export const LABELS: { readonly [W in Wish]: { readonly label: string; readonly key: string; readonly sure: string } } = {
  approve: { label: "Approve", key: "a", sure: "Approve this tree" },
  reject: { label: "Reject", key: "r", sure: "Reject it" },
  amend: { label: "Amend", key: "m", sure: "Take what lies on the branch" },
  defer: { label: "Defer", key: "f", sure: "Defer it" },
  answer: { label: "Answer", key: "a", sure: "Send the answer" },
  "take-away": { label: "Take from the inbox", key: "r", sure: "Take it from the inbox" },
  resume: { label: "Resume the loop", key: "a", sure: "Resume the loop" },
};

/** When something deferred comes back: in an hour, tomorrow at eight, on Monday at eight. By the viewer's clock. */
export function timesToDefer(nowMs: number): readonly { readonly label: string; readonly until: string }[] {
  const at = (days: number): Date => {
    const day = new Date(nowMs);
    day.setDate(day.getDate() + days);
    day.setHours(8, 0, 0, 0);
    return day;
  };
  const toMonday = (8 - new Date(nowMs).getDay()) % 7 || 7;
  return [
    { label: "until tomorrow 08:00", until: at(1).toISOString() },
    { label: "for an hour", until: new Date(nowMs + 3_600_000).toISOString() },
    { label: "until Monday 08:00", until: at(toMonday).toISOString() },
  ];
}

/** Why the buttons are off; undefined where they are on. */
export function whyOff({
  isLive,
  isReadOnly,
  shownTree,
  card,
}: {
  readonly isLive: boolean;
  readonly isReadOnly: boolean;
  readonly shownTree: string | null;
  readonly card: Pick<InboxCard, "tree"> | null;
}): "read-only" | "not-live" | "tree-changed" | "waits-no-more" | undefined {
  if (isReadOnly) return "read-only";
  if (!isLive) return "not-live";
  if (card === null) return "waits-no-more";
  return card.tree === shownTree ? undefined : "tree-changed";
}

/** Only what truly moved or was released is marked as done; a yes that waits for something is not. */
export const isCarriedOut = ({ stage }: Pick<DecisionAnswer, "stage">): boolean =>
  stage === "acted" || stage === "released" || stage === "landed";
