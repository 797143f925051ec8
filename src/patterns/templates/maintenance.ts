// Loops that keep a repository as it should be: red CI, red tests, old dependencies, comments of reviewers.
import { asPattern, BUILD, BY_HAND, DAILY, LINT, TEST, WEEKLY } from "./template.ts";

export const maintenance = [
  asPattern({
    name: "ci-failure-repair",
    purpose: "Mend what is red in CI, with the smallest change that is right.",
    invariant: "CI itself is as it was: what was red is green because the code is right.",
    task: "Reproduce the failure first. Find its cause, and mend that. Leave CI, tests and what they read as they are.",
    trigger: DAILY,
    isForRed: true,
    verifiers: [
      TEST,
      LINT,
      BUILD,
      '{ id: scope, use: scope, with: { deny: [".github/**", ".gitlab-ci.yml", ".circleci/**", "azure-pipelines.yml"], maxFiles: 20 } }',
    ],
  }),
  asPattern({
    name: "test-repair",
    purpose: "Make failing tests pass by mending what they test.",
    invariant: "No test is weaker than it was on base.",
    task: "Run the tests, and take the first that fails. Mend the code that it tests; where the test itself is wrong, say why and change nothing.",
    trigger: DAILY,
    isForRed: true,
    verifiers: [TEST, "{ id: scope, use: scope, with: { maxFiles: 15, maxLines: 400 } }"],
  }),
  asPattern({
    name: "dependency-upgrade",
    purpose: "Bring one group of dependencies up to date, with whatever the code needs for it.",
    invariant: "Licences stay as they are, and everything is built and tested with the new versions.",
    task: "Take one group of dependencies that belong together, the one with the gravest known weakness first. Raise it, read what changed in it, and adapt the code. Leave the others.",
    trigger: WEEKLY,
    verifiers: [TEST, BUILD, "{ id: scope, use: scope, with: { dependencies: any, licences: keep, maxFiles: 30 } }"],
    needs: ["the hosts of the package registry, named in `box` of the spec"],
  }),
  asPattern({
    name: "pr-comment-handling",
    purpose: "Do what reviewers asked for in their comments, and nothing else.",
    invariant: "The change is small enough to be read beside the comments.",
    task: "Sort the comments: asked for, question, opinion. Do what was asked for, one comment at a time. Leave questions and opinions to a person.",
    trigger: BY_HAND,
    told: { name: "comments", about: "The comments, one below the other, each with its file and line." },
    verifiers: [TEST, LINT, "{ id: scope, use: scope, with: { maxFiles: 15, maxLines: 400 } }"],
  }),
];
