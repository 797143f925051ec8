// What workflows of GitHub Actions run.
import type { CiFact, CiStep, CiSystem } from "../../contract/scan.ts";
import { entriesOf, inside, itemsOf, readYaml, textOf, textsOf, type YamlValue } from "../reading/yaml.ts";
import { linesOf, plainFolder } from "./steps.ts";

const CHANGES = new Set(["push", "pull_request", "merge_group"]);

export const githubActions: CiSystem = {
  name: "github-actions",
  reads: (path) => /^\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$/.test(path),
  look: (path, text) => {
    const workflow = readYaml(text);
    if (!workflow) return undefined;
    const events = inside(workflow, "on");
    const names = events?.kind === "map" ? events.entries.map(({ key }) => key) : textsOf(events).map((one) => one.text);
    const steps = entriesOf(inside(workflow, "jobs")).flatMap(({ key, value }) => stepsOf(key, value, workflow));
    return { system: "github-actions", file: path, onChanges: names.some((name) => CHANGES.has(name)), steps } satisfies CiFact;
  },
};

function stepsOf(job: string, value: YamlValue, workflow: YamlValue): readonly CiStep[] {
  const usual = [value, workflow].flatMap((one) => textOf(inside(one, "defaults", "run", "working-directory")) ?? [])[0];
  return itemsOf(inside(value, "steps")).flatMap((step) => {
    const run = inside(step, "run");
    const folder = plainFolder(textOf(inside(step, "working-directory")) ?? usual);
    return run?.kind === "text" && folder !== undefined ? linesOf(run, job, folder) : [];
  });
}
