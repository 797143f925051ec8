// A command that is asked about the proposal and answers by its exit code, by test results, by findings, or with a score.
import * as z from "zod";
import { type CommitClaim, defineCommitVerifier, type Sight } from "../contract/verifier.ts";
import { displayLine } from "../std/display-text.ts";
import { readSarif, type SarifResult } from "../std/read-sarif.ts";
import { readScore } from "./reading/read-score.ts";
import { INSIDE, RUN_OPTIONS, type RunOptions, runTests, sightOf, type TestRun, withFigures } from "./run-tests.ts";

const { run, timeout, env, inherit } = RUN_OPTIONS;

const options = z
  .strictObject({
    run: run.meta({
      description:
        "The command, given to /bin/sh in a clean copy of the proposal. It reads what is proposed as JSON from standard input: `commit`, `tree`, and `changes`, each with `path` and `how` (added, changed or removed).",
      examples: ["node scripts/score.mjs"],
    }),
    timeout,
    env,
    inherit,
    answers: z
      .enum(["exit", "junit", "sarif", "score"])
      .default("exit")
      .meta({
        description:
          "How it answers: exit (zero holds), junit (and its exit code), sarif (no finding of `worst` or above), or score: JSON with `score` from 0 to 1 or `passed`, and if it likes `values` by name, `codes` (what is wrong, in a word each) and `hints`.",
        examples: ["score"],
      }),
    file: z
      .string()
      .max(500)
      .regex(INSIDE, { error: "must be a path inside the repository, without `..`" })
      .optional()
      .meta({
        description:
          "Where it writes its answer, inside the copy; what lies there before is removed. Without it the answer is read from what it prints, which the code under test can print as well: prefer a file.",
        examples: ["score.json"],
      }),
    least: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: "What the score must reach.", examples: [0.8] }),
    worst: z
      .enum(["error", "warning", "note"])
      .default("warning")
      .meta({ description: "From which level on a finding refutes.", examples: ["error"] }),
  })
  .refine(({ answers, least }) => answers === "score" || least === undefined, { path: ["least"], error: "is for answers: score" });
type Options = z.infer<typeof options>;

export const check = defineCommitVerifier({
  name: "check",
  kind: "proof",
  provesDocuments: true,
  summary: "Runs a command that is told what is proposed, and reads its exit code, its test results, its findings, or its score.",
  options,
  async verify(claim, chosen, world) {
    const { answers, file } = chosen;
    const { checkout } = claim;
    const results = answers === "junit" ? { format: "junit" as const, ...(file === undefined ? {} : { file }) } : undefined;
    const asked: RunOptions = { ...chosen, results };
    if (file !== undefined && !results) await world.roomFiles(checkout).remove(file);
    const ran = await runTests(() => checkout, asked, world, { run: chosen.run, env: {}, input: tellProposal(claim) });
    if (answers === "exit" || answers === "junit" || ran.kind !== "exited") return withFigures(sightOf(ran, asked, claim.quarantined), ran);
    const text = file === undefined ? await world.readOutput(ran.output) : await world.roomFiles(checkout).read(file);
    if (text === undefined) return unknown(ran, `\`${chosen.run}\` wrote no ${file}, or no plain file of at most 32 MiB`);
    if (file === undefined && ran.output.truncated) return unknown(ran, `\`${chosen.run}\` printed more than could be kept`);
    return answers === "sarif" ? byFindings(ran, readSarif(text), chosen) : byScore(ran, text, chosen);
  },
});

type Exited = Extract<TestRun, { kind: "exited" }>;

const unknown = ({ output }: Exited, detail: string): Sight => ({ outcome: "unknown", detail, output });

function tellProposal({ proposal: { commit, tree, changes } }: CommitClaim): string {
  const told = changes.map(({ path, before, after }) => ({ path, how: !before ? "added" : after ? "changed" : "removed" }));
  return `${JSON.stringify({ commit, tree, changes: told })}\n`;
}

/** A command that says well and exits otherwise is not to be believed in either. */
function byScore(ran: Exited, text: string, { run: asked, file, least }: Options): Sight {
  const reading = readScore(text, file === undefined ? "printed" : "whole");
  const exited = `\`${asked}\` exited ${ran.code}`;
  if (reading.kind === "unreadable") return unknown(ran, `${exited}, and ${reading.why}`);
  const { passed } = reading;
  const measured = least === undefined ? reading.measured : { ...reading.measured, threshold: least };
  const { score, codes = [] } = measured;
  if (ran.code !== 0 && passed === true) return unknown(ran, `${exited}, and says that it passed: one of the two is not true`);
  if (least !== undefined && score === undefined) return unknown(ran, `${exited}, and gave no score to hold against ${least}`);
  const isReached = least === undefined || (score ?? 0) >= least;
  const holds = ran.code === 0 && passed !== false && isReached;
  const told = [
    exited,
    ...(score === undefined ? [] : [`score ${score}${least === undefined ? "" : ` of at least ${least}`}`]),
    ...codes.slice(0, 10),
  ];
  return {
    outcome: holds ? "holds" : "refuted",
    detail: told.map((one) => displayLine(one, 300)).join(": "),
    output: ran.output,
    measured,
  };
}

const RANK = { note: 0, warning: 1, error: 2 } as const;
const MOST_TOLD = 20;

function byFindings(ran: Exited, results: readonly SarifResult[] | undefined, { run: asked, worst }: Options): Sight {
  const exited = `\`${asked}\` exited ${ran.code}`;
  if (!results) return unknown(ran, `${exited}, and what it wrote is no SARIF`);
  const grave = results.filter(({ level }) => RANK[level] >= RANK[worst]);
  const count = (level: SarifResult["level"]): number => results.filter((result) => result.level === level).length;
  const measured = {
    score: grave.length === 0 ? 1 : 0,
    values: { findings: results.length, errors: count("error"), warnings: count("warning"), notes: count("note") },
    codes: [...new Set(grave.map(({ ruleId }) => ruleId.slice(0, 200)))].slice(0, 50),
  };
  const told = grave
    .slice(0, MOST_TOLD)
    .map(({ ruleId, file, line, message }) => `- ${displayLine(`${file ?? "?"}:${line ?? "?"} ${ruleId}: ${message}`, 300)}`);
  // Many scanners exit other than zero because they found something; one that found nothing and failed was not able to look.
  if (grave.length === 0 && ran.code !== 0 && results.length === 0)
    return unknown(ran, `${exited} and found nothing: whether it looked is not known`);
  const detail = [`${exited}: ${results.length} finding(s), ${grave.length} of them ${worst} or worse`, ...told].join("\n");
  return { outcome: grave.length === 0 ? "holds" : "refuted", detail, output: ran.output, measured };
}
