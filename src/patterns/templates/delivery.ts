// Loops around a release: what it needs, what it says, how it is taken back, and what an upgrade would ask.
import { asPattern, BUILD, BY_HAND, LINKS, LINT, only, says, TEST, WEEKLY } from "./template.ts";

export const delivery = [
  asPattern({
    name: "release-prep",
    purpose: "Make everything ready for a release but the release.",
    invariant: "Code is as it was: only what tells of a release changes, on a base that is tested, linted and built.",
    task: "Raise the version where it stands, and gather what changed since the last release from the commits. Claim nothing that no commit shows.",
    trigger: BY_HAND,
    verifiers: [
      TEST,
      LINT,
      BUILD,
      only(
        "**/CHANGELOG*",
        "**/package.json",
        "**/package-lock.json",
        "**/pyproject.toml",
        "**/Cargo.toml",
        "**/Cargo.lock",
        "docs/**",
        "VERSION",
      ),
      LINKS,
    ],
  }),
  asPattern({
    name: "changelog-generation",
    purpose: "Write into the changelog what landed since its last entry.",
    invariant: "Nothing but the changelog changes, and its links lead somewhere.",
    task: "Read the commits since the last entry. Write what a user notices, grouped, with the commit of each. Invent nothing; leave out what nobody notices.",
    trigger: WEEKLY,
    verifiers: [TEST, BUILD, only("**/CHANGELOG*"), LINKS],
  }),
  asPattern({
    name: "rollback-check",
    purpose: "Say how the last release would be taken back, and what stands in the way.",
    invariant: "Every page of it has steps and blockers, and nothing else of the repository changes.",
    task: "Read what the last release changed: migrations, formats, flags, settings. Write the steps to take it back, in order, and every blocker with the file that shows it.",
    trigger: WEEKLY,
    verifiers: [TEST, BUILD, only("docs/rollback.md"), says("## Steps", "## Blockers"), LINKS],
  }),
  asPattern({
    name: "version-upgrade-check",
    purpose: "Try the next version of the language or framework, and write down what it asks for.",
    invariant: "What is handed over is built and tested with the version that it names.",
    task: "Raise the version of the language or framework by one step, in every place that names it. Mend what breaks, and write what was needed and what is left into docs/upgrade.md.",
    trigger: BY_HAND,
    verifiers: [
      TEST,
      BUILD,
      "{ id: scope, use: scope, with: { dependencies: any, licences: keep, maxFiles: 60 } }",
      says("## Needed", "## Left"),
    ],
    needs: ["the hosts of the package registry, named in `box` of the spec"],
  }),
];
