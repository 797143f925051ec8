// What people want of the command line: every command belongs to one of these, and the help is read by them.

/** In the order in which somebody meets them. */
export const GROUPS = {
  begin: "begin: from a repository, a wish or another tool's file to a loop",
  run: "run: let loops run, by hand or by themselves",
  decide: "decide: say yes, no or later to what waits for you",
  look: "look: where loops stand, what happened and what it cost",
  prove: "prove: receipts, the journal, and what others changed",
  guard: "guard: commands, texts, secrets and changes of any agent",
  edit: "edit: check, lay out and vary loops",
  measure: "measure: what a loop is and what it is worth",
} as const;

export type Group = keyof typeof GROUPS;

/** What the help of a day shows, and no more than a dozen: the rest is a group away. */
export const DAILY: readonly string[] = [
  ...["demo", "init", "intent"],
  ...["run", "resume", "stop"],
  ...["inbox", "approve"],
  ...["status", "show"],
  "receipt",
  "guard",
];

export const isGroup = (name: string): name is Group => Object.hasOwn(GROUPS, name);
