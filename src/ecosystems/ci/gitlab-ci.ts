// What pipelines of GitLab run.
import type { CiSystem } from "../../contract/scan.ts";
import { entriesOf, inside, readYaml, textOf, textsOf } from "../reading/yaml.ts";
import { linesOf } from "./steps.ts";

/** Keys at the top that are no jobs. */
const NO_JOB = new Set(["stages", "variables", "include", "workflow", "image", "services", "cache", "pages:deploy", "spec"]);

export const gitlabCi: CiSystem = {
  name: "gitlab-ci",
  reads: (path) => path === ".gitlab-ci.yml" || path === ".gitlab-ci.yaml",
  look: (path, text) => {
    const pipeline = readYaml(text);
    if (!pipeline) return undefined;
    const jobs = entriesOf(pipeline).filter(({ key, value }) => !NO_JOB.has(key) && value.kind === "map");
    const steps = jobs.flatMap(({ key, value }) =>
      ["before_script", "script"].flatMap((part) => textsOf(inside(value, part)).flatMap((one) => linesOf(one, key, ""))),
    );
    const top = textsOf(inside(pipeline, "before_script")).flatMap((one) => linesOf(one, "before_script", ""));
    const onlyByHand = jobs.length > 0 && jobs.every(({ value }) => textOf(inside(value, "when")) === "manual");
    return { system: "gitlab-ci", file: path, onChanges: !onlyByHand, steps: [...top, ...steps] };
  },
};
