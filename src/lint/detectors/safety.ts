// Detectors of guards that are off, too wide or too few for what a loop may do.
import { levelOf } from "../../anatomy/level.ts";
import { fieldsOf, textOf, textsAt } from "../../dialects/values.ts";
import { secretsUnder } from "../../guard/secrets/redact.ts";
import { type Path, quoted } from "../../spec/path.ts";
import { type Detector, type Failure, type Flaw, ofLss, ofOurs } from "../detector.ts";

const acting = (list: object, besides: object = {}) => ({
  ours: { level: "L3", gate: { all: [{ use: "allowlist", with: list }] }, act: [{ use: "merge" }], ...besides },
});
const constraint = (change: object) => ({
  id: "scan",
  type: "secret_scan",
  scope: "post_worker",
  action: "halt",
  severity: "S0",
  ...change,
});

/** Entries of the list that is always in force without which a loop could undo its own limits, or give away what is not its own. */
const GRAVE = new Set(["secrets", "auth", "ci", "git", "agents", "payments"]);

/** What a level lacks, and which failure that leads to. */
const failureOfLack = (lack: string): Failure =>
  lack.startsWith("a bound") ? "F4" : lack.startsWith("a check") ? "F2" : lack.startsWith("a person") ? "F11" : "F12";

export const safetyDetectors: readonly Detector[] = [
  {
    id: "too-little-for-its-level",
    failure: "F12",
    weight: "warning",
    why: "The more goes on inside one round, the more guards a loop needs.",
    find: (subject) => {
      const { level, name, lacks } = levelOf(subject.anatomy);
      return lacks
        .filter((lack) => failureOfLack(lack) !== "F4")
        .map(
          (lack): Flaw => ({
            path: subject.lss ? ["safety_constraints"] : [],
            problem: `a loop of level ${level} (${name}) needs ${lack}`,
            instead: subject.lss
              ? "Add constraints that halt or quarantine, or make it a simpler loop."
              : "Add it, or make it a simpler loop.",
          }),
        );
    },
    examples: {
      flags: [{ lss: { safety_constraints: [constraint({})] } }, { lss: { safety_constraints: [] } }],
      passes: [{ lss: {} }, { ours: {} }],
    },
  },
  {
    id: "guard-only-warns",
    failure: "F12",
    weight: "warning",
    why: "A guard that only says so stops nothing.",
    find: ofLss(({ constraints }) =>
      constraints.flatMap(({ name, path, fields }): readonly Flaw[] => [
        ...(fields.action === "warn"
          ? [
              {
                path: [...path, "action"],
                problem: `${quoted(name ?? "it")} only warns`,
                instead: "Write halt or quarantine.",
                ...(/^S[01]$/.test(textOf(fields.severity) ?? "") ? { weight: "error" as const } : {}),
              },
            ]
          : []),
        ...(fields.on_error === "warn"
          ? [
              {
                path: [...path, "on_error"],
                problem: `${quoted(name ?? "it")} lets pass what it could not look at`,
                instead: "Write halt.",
                fix: { path: [...path, "on_error"], value: "halt" },
              },
            ]
          : []),
      ]),
    ),
    examples: {
      flags: [
        { lss: { safety_constraints: [constraint({}), constraint({ id: "two", action: "warn" })] } },
        { lss: { safety_constraints: [constraint({}), constraint({ id: "two", on_error: "warn" })] } },
      ],
      passes: [{ lss: {} }],
    },
  },
  {
    id: "box-off",
    failure: "F12",
    weight: "warning",
    why: "Without a box commands reach whatever their user can.",
    find: ofOurs(({ spec: { box, level } }) =>
      (["maker", "verifiers"] as const)
        .filter((whose) => box[whose].when === "off")
        .map(
          (whose): Flaw => ({
            path: ["box", whose, "when"],
            problem: `commands of the ${whose} reach whatever you can reach${level === "L3" ? ", in a loop that acts alone" : ""}`,
            instead: "Write available, or required.",
            ...(level === "L3" ? { weight: "error" } : {}),
          }),
        ),
    ),
    examples: {
      flags: [{ ours: { box: { maker: { when: "off" } } } }, { ours: { box: { verifiers: { when: "off" } } } }],
      passes: [{ ours: {} }],
    },
  },
  {
    id: "allows-everything",
    failure: "F12",
    weight: "error",
    why: "An allowlist of everything is none.",
    find: ofOurs(({ spec: { gate } }) =>
      gate.all.flatMap(({ use, with: options }, index) =>
        use !== "allowlist"
          ? []
          : textsAt(options?.allow, ["gate", "all", index, "with", "allow"])
              .filter(({ text }) => /^(\.\/)?\*{1,2}(\/\*{1,2})*$/.test(text))
              .map(
                ({ text, path }): Flaw => ({
                  path,
                  problem: `${quoted(text)} lets the loop change everything without being asked`,
                  instead: "Name the folders that it is about, e.g. docs/**.",
                }),
              ),
      ),
    ),
    examples: { flags: [acting({ allow: ["**"] }), acting({ allow: ["docs/**", "**/*"] })], passes: [acting({ allow: ["docs/**"] })] },
  },
  {
    id: "loosened",
    failure: "F12",
    weight: "warning",
    why: "These are closed in every loop, because a small change there does great harm.",
    find: ofOurs(({ spec: { gate } }) =>
      gate.all.flatMap(({ use, with: options }, index) =>
        use !== "allowlist"
          ? []
          : textsAt(options?.loosen, ["gate", "all", index, "with", "loosen"])
              .filter(({ text }) => GRAVE.has(text))
              .map(
                ({ text, path }): Flaw => ({
                  path,
                  problem: `the loop may change ${quoted(text)} without being asked`,
                  instead: "Leave it out.",
                }),
              ),
      ),
    ),
    examples: { flags: [acting({ allow: ["src/**"], loosen: ["auth"] })], passes: [acting({ allow: ["src/**"], loosen: ["lock-files"] })] },
  },
  {
    id: "changes-itself",
    failure: "F11",
    weight: "error",
    why: "A loop that may change specs without being asked can give itself whatever it likes.",
    find: ofOurs(({ spec: { gate } }) =>
      gate.all.flatMap(({ use, with: options }, index) =>
        use !== "allowlist"
          ? []
          : textsAt(options?.loosen, ["gate", "all", index, "with", "loosen"])
              .filter(({ text }) => text === "loop")
              .map(
                ({ path }): Flaw => ({
                  path,
                  problem: "the loop may change specs, its own too, without being asked",
                  instead: "Leave it out.",
                }),
              ),
      ),
    ),
    examples: { flags: [acting({ allow: ["src/**"], loosen: ["loop"] })], passes: [acting({ allow: ["src/**"] })] },
  },
  {
    id: "strangers-act",
    failure: "F12",
    weight: "warning",
    why: "What strangers write may be meant to make the loop do something.",
    find: ofOurs(({ spec: { outsiders, level } }) => [
      ...(outsiders.level === "L3" && level === "L3"
        ? [{ path: ["outsiders", "level"], problem: "a run that has read strangers' text acts alone", instead: "Write L2." }]
        : []),
      ...(outsiders.network === "open"
        ? [{ path: ["outsiders", "network"], problem: "a run that has read strangers' text reaches the network", instead: "Write closed." }]
        : []),
    ]),
    examples: {
      flags: [{ ours: { outsiders: { network: "open" } } }, acting({ allow: ["docs/**"] }, { outsiders: { level: "L3" } })],
      passes: [{ ours: {} }, acting({ allow: ["docs/**"] })],
    },
  },
  {
    id: "cheats-again",
    failure: "F12",
    weight: "warning",
    why: "A maker that faked its success once is let try again, alone.",
    find: ofOurs(({ spec: { gate, level } }) =>
      gate.tampering === "retry" && level === "L3"
        ? [
            {
              path: ["gate", "tampering"],
              problem: "a loop that acts alone lets a maker try again that faked its success",
              instead: "Write escalate.",
            },
          ]
        : [],
    ),
    examples: {
      flags: [{ ours: { level: "L3", gate: { all: [{ use: "allowlist", with: { allow: ["docs/**"] } }], tampering: "retry" } } }],
      passes: [acting({ allow: ["docs/**"] }), { ours: { gate: { tampering: "retry" } } }],
    },
  },
  {
    id: "secret",
    failure: "F12",
    weight: "error",
    why: "A secret in a file is one that many see.",
    find: (subject) => [
      ...(subject.ours?.doubts ?? [])
        .filter(({ code }) => code === "secret")
        .map(({ path, problem, instead }) => ({ path, problem, instead })),
      ...(subject.lss ? secretsIn(subject.lss.root, []) : []),
    ],
    examples: { flags: [], passes: [{ ours: { task: "Mend the token parser: the password field is empty." } }, { lss: {} }] },
  },
  {
    id: "never-alone",
    failure: "F12",
    weight: "warning",
    why: "It claims a level that its gates never let it reach.",
    find: ofOurs(({ doubts }) =>
      doubts
        .filter(({ code }) => code === "never-alone")
        .map(({ path, problem, instead }): Flaw => ({ path, problem, instead, fix: { path, value: "L2" } })),
    ),
    examples: { flags: [{ ours: { level: "L3" } }], passes: [acting({ allow: ["docs/**"] }), { ours: {} }] },
  },
  {
    id: "no-effect",
    failure: "F10",
    weight: "warning",
    why: "It is written down and holds for nothing, or can never come.",
    find: ofOurs(({ doubts }) =>
      doubts
        .filter(({ code }) => code === "no-effect" || code === "waking")
        .map(({ path, problem, instead }): Flaw => ({ path, problem, instead })),
    ),
    examples: {
      flags: [
        {
          ours: {
            level: "L1",
            gather: [{ use: "commits", with: {} }],
            maker: { use: "triage" },
            verifiers: [{ use: "grounded" }],
            seal: ["test/**"],
            budget: {},
          },
        },
      ],
      passes: [{ ours: {} }],
    },
  },
  {
    id: "claims-not-believed",
    failure: "F5",
    weight: "note",
    why: "What a file says of its own worth is no evidence.",
    find: (subject) =>
      subject.anatomy.claims.map(({ at, says }) => ({
        path: at.split("."),
        problem: `says of itself ${quoted(says)}`,
        instead: "Leave it out: `lw score` says what its runs show.",
      })),
    examples: { flags: [{ lss: { les_scores: { effectiveness: 1 } } }], passes: [{ lss: {} }] },
  },
];

function secretsIn(value: unknown, path: Path): readonly Flaw[] {
  if (typeof value === "string") {
    const [kind] = secretsUnder(String(path.at(-1) ?? ""), value);
    return kind === undefined
      ? []
      : [{ path, problem: `this looks like a secret (${kind})`, instead: "Take it out, and make it invalid if it ever was one." }];
  }
  if (Array.isArray(value)) return value.flatMap((inner, index) => secretsIn(inner, [...path, index]));
  return Object.entries(fieldsOf(value)).flatMap(([key, inner]) => secretsIn(inner, [...path, key]));
}
