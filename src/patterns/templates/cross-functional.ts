// Loops for work between people who write code and people who do not: requirements, acceptance, data, what a customer met.
import { asPattern, BUILD, BY_HAND, LINKS, only, says, TEST } from "./template.ts";

export const crossFunctional = [
  asPattern({
    name: "requirements-clarification",
    purpose: "Turn a wish into requirements that can be checked, and into questions.",
    invariant: "What is known, what is assumed and what is open stand apart.",
    task: "Write what is asked for as requirements, each with how one would check it. What the code already does is known; what nobody said is a question, not a requirement.",
    trigger: BY_HAND,
    told: { name: "wish", about: "What somebody wants, in their words." },
    verifiers: [TEST, BUILD, only("docs/requirements/**"), says("## Known", "## Assumed", "## Open questions"), LINKS],
  }),
  asPattern({
    name: "qa-acceptance-checklist",
    purpose: "Write down how somebody would see that a change does what was asked.",
    invariant: "The list has steps to tick off, each with what is expected, and nothing else changes.",
    task: "For each thing that was asked for write a step that a person can do and what they must see, edge cases too. Say which of them a test of this repository covers, by its name.",
    trigger: BY_HAND,
    told: { name: "asked", about: "What was asked for, and where the change is." },
    verifiers: [TEST, only("docs/acceptance/**"), says("- [ ]", "Expected"), LINKS],
  }),
  asPattern({
    name: "data-processing-check",
    purpose: "Write down what data is read, kept and handed on, as the code does it.",
    invariant: "Inputs, what is kept, and who gets it stand on the page, each with the file that shows it.",
    task: "Follow the data through the code: where it comes in, what is kept and how long, who is handed what. Name the file of each. Facts apart from inferences.",
    trigger: BY_HAND,
    verifiers: [TEST, BUILD, only("docs/data-processing.md"), says("## Inputs", "## Kept", "## Handed on"), LINKS],
  }),
  asPattern({
    name: "customer-issue-retro",
    purpose: "Look back at what a customer met: what happened, why, and what would have caught it.",
    invariant: "Facts and inferences stand apart, and nobody is blamed.",
    task: "From what was reported and the commits: what happened and when, the cause in the code with its file, and which test or check would have caught it. Facts apart from inferences.",
    trigger: BY_HAND,
    told: { name: "report", about: "What the customer met, without names or data of theirs." },
    verifiers: [TEST, BUILD, only("docs/retros/**"), says("## Facts", "## Inferences", "## What would have caught it"), LINKS],
  }),
];
