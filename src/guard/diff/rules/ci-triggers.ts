// Pipelines that are no longer started, jobs that are no longer asked for, and files put where nothing looks for pipelines.
import { roleOf } from "../roles.ts";
import type { Sighting } from "../rule.ts";
import type { ChangeView } from "../view.ts";
import { commandIn } from "./ci-commands.ts";
import { pipelines } from "./ci-files.ts";
import { purposeOf } from "./commands.ts";
import { readYaml } from "./setting-entries-lines.ts";
import { sideLines } from "./side-lines.ts";

/** A pipeline that was renamed to where nothing looks for pipelines is switched off. */
export function hiddenPipelines(view: ChangeView): readonly Sighting[] {
  return view.files.flatMap(({ path, oldPath, after }) => {
    if (!after || oldPath === undefined || roleOf(oldPath) !== "ci" || !/\.(ya?ml|json|groovy|toml)$|Jenkinsfile$/.test(oldPath)) return [];
    const isGithub = /^\.(github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$/;
    const isSeen =
      roleOf(path) === "ci" && (!isGithub.test(oldPath) || isGithub.test(path)) && !/\.(bak|old|disabled|off|txt)$/i.test(path);
    return isSeen
      ? []
      : [
          {
            file: path,
            line: 1,
            confidence: "medium" as const,
            what: `was ${oldPath}, and no pipeline is looked for under the new name`,
            before: oldPath,
            after: path,
          },
        ];
  });
}

/** What starts a pipeline for proposed changes. */
const PROPOSAL_TRIGGER =
  /(^|[\s,[{"'-])(pull_request|merge_request|merge_requests|pull_requests|merge_group|pull_request_target|external_pull_requests|pr)(?=$|[\s,\]}"':])/;
const CHECKING_NAME =
  /(^|[/_.-])(tests?|ci|checks?|build|verify|pr|lint|main|unit|integration|validate|quality|pipeline|pipelines)([/_.-]|$)/i;

export function lostTriggers(view: ChangeView): readonly Sighting[] {
  return pipelines(view).flatMap((file) => {
    if (file.role !== "ci" || !file.after || !file.before || !/\.ya?ml$/.test(file.path)) return [];
    const isTrigger = ({ text }: { readonly text: string }): boolean =>
      PROPOSAL_TRIGGER.test(text) && !/github\.|\$\{\{|^\s*#|run:|if:|name:/.test(text);
    const lost = file.removed.find(isTrigger);
    if (
      !lost ||
      sideLines(file, "after").some((lines) =>
        lines.some((line) => isTrigger(line) || /^\s*["']?on["']?:.*\bpush\b|^\s*workflow_call\b/.test(line.text)),
      )
    )
      return [];
    const runsTests = sideLines(file, "after").some((lines) =>
      lines.some(({ text }) => commandIn(text).some((command) => purposeOf(command) === "tests")),
    );
    const isChecking = runsTests || CHECKING_NAME.test(file.path.split("/").at(-1)!);
    return [
      {
        file: file.path,
        line: lost.after,
        severity: isChecking ? ("medium" as const) : ("low" as const),
        confidence: runsTests ? ("high" as const) : ("low" as const),
        what: "proposed changes no longer start it",
        before: lost.text,
      },
    ];
  });
}

/** Names under which pipelines list the jobs and stages that are run, or that others wait for. */
const SCHEDULE = /(^|\.)(stages|needs|requires|depends_on|dependsOn|dependencies|jobs)$/;
const TEST_JOB = /(^|[-_: ])(tests?|specs?|unit|integration|e2e|pytest|jest|check|checks|verify)([-_: ]|$)/i;

/** A job of tests that is still written down but that nothing starts or waits for any more. */
export function unscheduledJobs(view: ChangeView): readonly Sighting[] {
  return pipelines(view).flatMap((file) => {
    if (!file.before || !file.after || !/\.ya?ml$/.test(file.path)) return [];
    const listed = (side: "before" | "after") =>
      sideLines(file, side).flatMap((lines) =>
        readYaml(lines).flatMap((entry) => (SCHEDULE.test(entry.path) ? [{ ...entry, name: entry.value.replace(/:$/, "") }] : [])),
      );
    const [old, now] = [listed("before"), listed("after")];
    const lost = old.filter(
      ({ isChanged, name, path }) =>
        isChanged && TEST_JOB.test(name) && !now.some((entry) => entry.path === path && TEST_JOB.test(entry.name)),
    );
    // A job that went altogether is seen by its commands.
    const isStillThere = (name: string): boolean => !file.removed.some(({ text }) => text.trim() === `${name}:`);
    return lost
      .filter(({ name }) => isStillThere(name))
      .slice(0, 1)
      .map(({ line, name, path }) => ({
        file: file.path,
        line,
        confidence: "medium" as const,
        what: `${name} is no longer among the ${path.split(".").at(-1)}`,
        before: name,
      }));
  });
}
