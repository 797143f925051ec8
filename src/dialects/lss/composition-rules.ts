// What a composition of LSS 1.1 must be besides what its schema says: roles, adapters and a merge that can be carried out.
import { type Path, quoted } from "../../spec/path.ts";
import type { RuleComplaint } from "../placed-problems.ts";
import { fieldsOf, listOf, numberOf, textOf } from "../values.ts";
import type { Sketch } from "./sketch.ts";

export function compositionProblems({ root, children, names }: Sketch): readonly RuleComplaint[] {
  if (root.composition === undefined) return [];
  const { type, adapters, merge } = fieldsOf(root.composition);
  const count = listOf(adapters).length;
  const withRole = (role: string) => children.filter(({ fields }) => (fields.role ?? "stage") === role);
  return [
    ...(type === "sequential" && count < children.length - 1
      ? [complain("composition-adapters", ["composition", "adapters"], tooFew(count, children.length - 1), ADAPTER)]
      : []),
    ...(type === "nested" && count < 1 ? [complain("composition-adapters", ["composition", "adapters"], tooFew(0, 1), ADAPTER)] : []),
    ...(type === "nested" && withRole("outer").length !== 1
      ? [
          complain(
            "composition-roles",
            ["composition", "children"],
            `a nested loop has one outer child, and this has ${withRole("outer").length}`,
            "Write `role: outer` on one of them.",
          ),
        ]
      : []),
    ...(type === "nested" && withRole("inner").length === 0
      ? [
          complain(
            "composition-roles",
            ["composition", "children"],
            "a nested loop has an inner child",
            "Write `role: inner` on the others.",
          ),
        ]
      : []),
    ...(type === "parallel" && withRole("branch").length < 2
      ? [
          complain(
            "composition-roles",
            ["composition", "children"],
            `a parallel loop has at least 2 branches, and this has ${withRole("branch").length}`,
            "Write `role: branch` on those that run side by side.",
          ),
        ]
      : []),
    ...branchesNeeded(fieldsOf(merge), children.length),
    ...listOf(adapters).flatMap((adapter, index) => adapterEnds(fieldsOf(adapter), ["composition", "adapters", index], names)),
    ...children.flatMap(({ path, fields }) => childNamed(textOf(fields.trigger), [...path, "trigger"], names)),
    ...synthesizer(textOf(fieldsOf(merge).synthesizer), names),
  ];
}

const ADAPTER = "Say what each stage is given, e.g. `{from: children.a.outputs.writer, to: children.b.inputs.task}`.";

const tooFew = (there: number, needed: number): string =>
  `${there === 0 ? "there are none" : `there are ${there}`}, and ${needed} are needed`;

function branchesNeeded({ min_branches_pass }: { readonly [field: string]: unknown }, count: number): readonly RuleComplaint[] {
  const needed = numberOf(min_branches_pass);
  if (needed === undefined || needed <= count) return [];
  const path = ["composition", "merge", "min_branches_pass"];
  return [complain("composition-merge", path, `wants ${needed} branches to pass, and there are ${count}`, `Write at most ${count}.`)];
}

function adapterEnds(adapter: { readonly [field: string]: unknown }, path: Path, names: Sketch["names"]): readonly RuleComplaint[] {
  return (["from", "to"] as const).flatMap((end) => {
    const text = textOf(adapter[end]);
    const form = end === "from" ? /^children\.[^.]+\.outputs\.[^.]+/ : /^children\.[^.]+\.inputs\.[^.]+/;
    if (text === undefined) return [];
    if (!form.test(text)) {
      const instead = end === "from" ? "Write `children.ID.outputs.WORKER`." : "Write `children.ID.inputs.NAME`.";
      return [
        complain(
          "composition-adapters",
          [...path, end],
          `${quoted(text)} names no ${end === "from" ? "result" : "input"} of a child`,
          instead,
        ),
      ];
    }
    return childNamed(text, [...path, end], names);
  });
}

function childNamed(text: string | undefined, path: Path, names: Sketch["names"]): readonly RuleComplaint[] {
  const name = /^children\.([^.]+)/.exec(text ?? "")?.[1];
  if (text === undefined || (name !== undefined && names.children.has(name))) return [];
  const known = [...names.children].slice(0, 12).map((child) => quoted(child));
  return [
    complain(
      "composition-names",
      path,
      `${quoted(text)} names no child`,
      known.length > 0 ? `There is: ${known.join(", ")}.` : "There are none.",
    ),
  ];
}

function synthesizer(text: string | undefined, names: Sketch["names"]): readonly RuleComplaint[] {
  const name = /^workers\.(.+)$/.exec(text ?? "")?.[1];
  if (text === undefined || (name !== undefined && names.workers.has(name))) return [];
  const path = ["composition", "merge", "synthesizer"];
  return [complain("composition-names", path, `${quoted(text)} names no worker of this file`, "Write `workers.ID`.")];
}

const complain = (code: string, path: Path, problem: string, instead: string): RuleComplaint => ({
  code,
  path,
  about: "value",
  problem,
  instead,
});
