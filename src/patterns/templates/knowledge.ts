// Loops that keep what people know of a repository written down, and true.
import { asPattern, BUILD, BY_HAND, LINKS, only, says, TEST, WEEKLY } from "./template.ts";

export const knowledge = [
  asPattern({
    name: "readme-refresh",
    purpose: "Keep the README true.",
    invariant: "Nothing but READMEs changes, and their links lead somewhere.",
    task: "Check every command, path and claim of the README against the repository. Mend what is no longer so. Mark as TODO what cannot be told from here.",
    trigger: WEEKLY,
    verifiers: [BUILD, TEST, only("**/README*"), LINKS],
  }),
  asPattern({
    name: "architecture-notes",
    purpose: "Keep the notes on architecture as the code is.",
    invariant: "Every note names parts and how they depend on each other, and its links lead to files that are there.",
    task: "Compare the notes with the folders, entry points and imports. Mend what differs, each statement with the file that shows it. Mark guesses as guesses.",
    trigger: WEEKLY,
    verifiers: [BUILD, TEST, only("docs/architecture.md", "ARCHITECTURE.md"), says("## Parts", "## Who depends on whom"), LINKS],
  }),
  asPattern({
    name: "onboarding-guide",
    purpose: "Keep the guide for somebody's first day such that it can be followed.",
    invariant: "The guide says how to begin, how to check and where to ask, and its links lead somewhere.",
    task: "Follow the guide as somebody would who has never seen this repository. Mend every step that does not work as written. Mark as TODO what only a person knows.",
    trigger: WEEKLY,
    verifiers: [TEST, BUILD, only("docs/onboarding.md", "CONTRIBUTING.md"), says("## Begin", "## Check", "## Ask"), LINKS],
  }),
  asPattern({
    name: "decision-record-capture",
    purpose: "Write down a decision that was made, with what else was considered.",
    invariant: "The record has context, decision and consequences, and changes no other.",
    task: "Write one record of the decision: what was needed, what was chosen, what else was considered, what follows. Take only what you were told or what the code shows.",
    trigger: BY_HAND,
    told: { name: "decision", about: "What was decided, by whom, and why, in whatever words." },
    verifiers: [BUILD, TEST, only("docs/decisions/**"), says("## Context", "## Decision", "## Consequences"), LINKS],
  }),
];
