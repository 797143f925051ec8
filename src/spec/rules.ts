// Rules between the fields of a spec, which no schema of one field can say.
import * as z from "zod";
import type { Registries } from "../contract/crew.ts";
import { InputWish } from "../contract/inputs.ts";
import { KINDS, type KindName } from "../contract/proposal.ts";
import { Level } from "../contract/spec.ts";
import { canProve } from "../contract/verifier.ts";
import { canFail } from "../guard/command/can-fail.ts";
import { isSecretName } from "../guard/secrets/environment.ts";
import { secretsUnder } from "../guard/secrets/redact.ts";
import { globProblem } from "../std/glob.ts";
import { compareModels } from "../std/model-names.ts";
import type { Complaint } from "./complaints.ts";
import { endsAreSound } from "./ends-rules.ts";
import { guardsAreSound } from "./guard-rules.ts";
import { schemaAt, whatToWrite } from "./hints.ts";
import { improveIsSound } from "./improve-rules.ts";
import { hostsAreSound } from "./network-rules.ts";
import { notebookIsSound } from "./notebook-rules.ts";
import { type Path, quoted } from "./path.ts";
import { wishProblem } from "./read-inputs.ts";
import { specJsonSchema } from "./schema.ts";
import { checksOfWorkersAreSound, isAboutWork } from "./team-checks-rules.ts";
import { teamIsSound, workersIn } from "./team-rules.ts";
import { wakingDoubts, wakingIsSound } from "./wake-rules.ts";

/** Reads what it can of a value that may have other problems too, so that all are reported at once. */
export function brokenRules(value: unknown, registries: Registries): readonly Complaint[] {
  const sketch = sketchOf(value, registries);
  const example: Example = (path) => whatToWrite(schemaAt(specJsonSchema(registries), path, value));
  return [
    ...makersAgree(sketch),
    ...levelFits(sketch, registries),
    ...verifiersFit(sketch, registries),
    ...hasProof(sketch, registries),
    ...hasSource(sketch, registries),
    ...sealsAreSound(sketch, example),
    ...baseIsSound(sketch, example),
    ...verifiersSeeNoSecrets(sketch),
    ...judgesAreOthers(sketch),
    ...nothingUnlimitedAlone(sketch, value),
    ...hostsAreSound(value),
    ...endsAreSound(value),
    ...improveIsSound(value, registries),
    ...wakingIsSound(value, registries),
    ...inputsAreSound(value),
    ...documentIsSound(sketch, example),
    ...teamIsSound(value, registries),
    ...checksOfWorkersAreSound(value),
    ...notebookIsSound(value),
    ...guardsAreSound(value),
  ];
}

function documentIsSound({ maker, proposes, document, level, verifiers, aboutWork }: Sketch, example: Example): readonly Complaint[] {
  const noneProves = verifiers.length > 0 && verifiers.every((verifier, index) => verifier?.kind === "opinion" || aboutWork[index]);
  return [
    ...globsAreSound(["document", "files"], document.files ?? [], example),
    ...(maker && !KINDS[maker.proposes].hasFiles && document.files !== undefined
      ? [complain(["document"], `maker ${quoted(maker.name)} writes reports, and no files`, "Leave it out, or use another maker.")]
      : []),
    ...(proposes !== undefined && KINDS[proposes].mayBeOpinion && level === "L3" && noneProves
      ? [complain(["level"], "all of its verifiers are opinions, and what nobody proved never moves alone", "Write L2, or add a proof.")]
      : []),
  ];
}

/** What a declared input would refuse of itself. */
function inputsAreSound(value: unknown): readonly Complaint[] {
  const declared = z.object({ inputs: z.record(z.string(), z.unknown()) }).safeParse(value).data?.inputs ?? {};
  return Object.entries(declared).flatMap(([name, written]) => {
    const wish = InputWish.safeParse(written).data;
    const wrong = wish && wishProblem(wish);
    return wrong ? [complain(["inputs", name, wrong.at], wrong.problem, "Change one of them.")] : [];
  });
}

/** What is allowed and probably not meant, and what it is about. */
export interface Doubt extends Complaint {
  readonly code: "never-alone" | "no-effect" | "cannot-fail" | "own-judge" | "secret" | "waking";
}

export function doubts(value: unknown, registries: Registries): readonly Doubt[] {
  const sketch = sketchOf(value, registries);
  const { level, maker, proposes, seal, prepares, verifiers, wantOfBase, gates } = sketch;
  const alone = "no gate of this loop is an allowlist, so that it never acts alone; it proposes like L2";
  return [
    ...(level === "L3" && !gates.includes("allowlist")
      ? [doubt("never-alone", ["level"], alone, "Write L2 to say so, or add {use: allowlist, with: {allow: [...]}} to gate.all.")]
      : []),
    ...(maker && proposes && !KINDS[proposes].hasBase && seal.length > 0
      ? [doubt("no-effect", ["seal"], `has no effect: maker ${quoted(maker.name)} changes no files${ofTarget(proposes)}`, "Leave it out.")]
      : []),
    ...(maker && proposes && !KINDS[proposes].hasBase && prepares
      ? [
          doubt(
            "no-effect",
            ["prepare"],
            `has no effect: maker ${quoted(maker.name)} changes no files${ofTarget(proposes)}`,
            "Leave it out.",
          ),
        ]
      : []),
    ...(wantOfBase !== undefined && verifiers.every((verifier) => verifier?.looksAtBase === false)
      ? [doubt("no-effect", ["baseline", "want"], "has no effect: no verifier of this loop looks at base", lookingAtBase(registries))]
      : []),
    ...(level === "L3" && gates.includes("allowlist") ? checksThatHoldOnNothing(sketch) : []),
    ...checksThatCannotFail(sketch),
    ...judgesThatMayBeTheMaker(sketch),
    ...secretsSpelledOut(value),
    ...wakingDoubts(value, registries).map((complaint) => ({ ...complaint, code: "waking" as const })),
  ];
}

const ofTarget = (proposes: KindName): string => (KINDS[proposes].hasFiles ? " of the target" : "");

/** What would never look at anything, and was told that this is enough, is enough for a person alone. */
const checksThatHoldOnNothing = ({ verifiers, options }: Sketch): readonly Doubt[] =>
  verifiers.flatMap((verifier, index) => {
    const why = verifier?.whyNeverAlone?.(options[index]);
    return why === undefined
      ? []
      : [
          doubt(
            "never-alone",
            ["level"],
            `${quoted(verifier!.name)} will have nothing to look at (${why}), so that this loop never acts alone; it proposes like L2`,
            "Write L2 to say so, or let that check run what it can look at.",
          ),
        ];
  });

/** What says yes to everything proves nothing; a loop that has only such checks is a draft. */
const checksThatCannotFail = ({ runs }: Sketch): readonly Doubt[] =>
  runs.flatMap((run, index) =>
    run === undefined || canFail(run)
      ? []
      : [
          doubt(
            "cannot-fail",
            ["verifiers", index, "with", "run"],
            `${quoted(run)} cannot fail, so that it proves nothing`,
            "Run something that exits other than 0 when it does not hold, such as the test suite.",
          ),
        ],
  );

/** A secret in a file is one that many see; here it would also be cut out of every record, so that no run could be resumed from it. */
function secretsSpelledOut(value: unknown, path: Path = []): readonly Doubt[] {
  if (typeof value === "string") {
    const [kind] = secretsUnder(String(path.at(-1) ?? ""), value);
    if (kind === undefined) return [];
    const instead = "Put it into a variable of your environment, and name that in `inherit`.";
    return [doubt("secret", path, `this looks like a secret (${kind})`, instead)];
  }
  if (Array.isArray(value)) return value.flatMap((inner, index) => secretsSpelledOut(inner, [...path, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => secretsSpelledOut(inner, [...path, key]));
}

/** What the schema would have written at a path. */
type Example = (path: Path) => string;

type Sketch = ReturnType<typeof sketchOf>;

const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

/** Nothing in it can fail on a map: what is wrong with a field is the schema's to say. */
const Outline = z.object({
  level: lenient(Level),
  maker: lenient(z.union([z.array(z.unknown()), z.unknown().transform((ref) => [ref])])),
  verifiers: lenient(z.array(z.unknown())),
  gather: z.unknown().optional(),
  seal: lenient(z.array(z.unknown())),
  unseal: lenient(z.array(z.unknown())),
  prepare: lenient(z.object({ from: lenient(z.array(z.unknown())) })),
  target: lenient(z.object({ base: lenient(z.string()) })),
  referee: lenient(z.object({ deny: lenient(z.array(z.unknown())), allow: lenient(z.array(z.unknown())) })),
  document: lenient(z.object({ files: lenient(z.array(z.unknown())) })),
  gate: lenient(z.object({ all: lenient(z.array(z.unknown())) })),
  baseline: lenient(z.object({ want: lenient(z.enum(["red", "green"])) })),
});

const Making = z.object({ use: z.string(), with: lenient(z.object({ model: lenient(z.string()) })) });
const Asking = z.object({ model: z.string(), sameModel: lenient(z.boolean()) });
const Judging = z.object({ with: z.union([z.object({ judges: z.array(z.unknown()) }), Asking]) });

/** The models that a verifier asks, and where each of them is named. */
function askedIn(ref: unknown, index: number): readonly { readonly path: Path; readonly model: string; readonly isMeant: boolean }[] {
  const options = Judging.safeParse(ref).data?.with;
  if (!options) return [];
  const at = ["verifiers", index, "with"];
  const places =
    "judges" in options
      ? options.judges.map((judge, place) => ({ path: [...at, "judges", place], judge }))
      : [{ path: at, judge: options }];
  return places.flatMap(({ path, judge }) => {
    const asking = Asking.safeParse(judge).data;
    return asking ? [{ path: [...path, "model"], model: asking.model, isMeant: asking.sameModel === true }] : [];
  });
}

const Listing = z.object({ with: z.object({ allow: lenient(z.array(z.unknown())), deny: lenient(z.array(z.unknown())) }) });
const Running = z.object({ with: z.object({ run: z.string() }) });
const Inheriting = z.object({ with: z.object({ inherit: z.array(z.string()) }) });

/** Who makes changes makes documents where the spec says so; who reports does not. */
const proposedBy = (maker: KindName | undefined, isDocument: boolean): KindName | undefined =>
  isDocument && maker !== undefined && KINDS[maker].hasFiles ? "document" : maker;

function sketchOf(value: unknown, registries: Registries) {
  const outline = Outline.parse(typeof value === "object" && value !== null && !Array.isArray(value) ? value : {});
  const inherited = (outline.verifiers ?? []).map((ref) => Inheriting.safeParse(ref).data?.with.inherit ?? []);
  const verifiers = (outline.verifiers ?? []).map((ref) => z.object({ use: z.string() }).safeParse(ref).data?.use);
  const making = (outline.maker ?? []).map((ref) => Making.safeParse(ref).data);
  const makers = making.map((ref) => registries.makers.find(({ name }) => name === ref?.use));
  return {
    level: outline.level,
    /** The first, which says what all of them must propose. */
    maker: makers.find((maker) => maker !== undefined),
    /** What that is, or that it is a document. */
    proposes: proposedBy(makers.find((maker) => maker !== undefined)?.proposes, outline.document !== undefined),
    document: outline.document ?? {},
    makers,
    isModelNamed: making.map((ref) => ref?.with?.model !== undefined),
    verifiers: verifiers.map((use) => registries.verifiers.find(({ name }) => name === use)),
    /** Which of them look at what workers made, and not at what is proposed. */
    aboutWork: verifiers.map((_, index) => isAboutWork(value, index)),
    gathersNothing: outline.gather === undefined || (Array.isArray(outline.gather) && outline.gather.length === 0),
    seal: outline.seal ?? [],
    unseal: outline.unseal ?? [],
    prepares: outline.prepare !== undefined,
    preparedFrom: outline.prepare?.from ?? [],
    base: outline.target?.base,
    referee: outline.referee ?? {},
    wantOfBase: outline.baseline?.want,
    allowlists: (outline.gate?.all ?? []).flatMap((ref, index) => {
      const options = Listing.safeParse(ref).data?.with;
      return options ? [{ at: ["gate", "all", index, "with"], allow: options.allow ?? [], deny: options.deny ?? [] }] : [];
    }),
    gates: (outline.gate?.all ?? []).map((ref) => z.object({ use: z.string() }).safeParse(ref).data?.use),
    inherited,
    options: (outline.verifiers ?? []).map((ref) => z.object({ with: z.unknown() }).safeParse(ref).data?.with),
    runs: (outline.verifiers ?? []).map((ref) => Running.safeParse(ref).data?.with.run),
    makerModels: [...making, ...workersIn(value).map((ref) => Making.safeParse(ref).data)].flatMap((ref) => ref?.with?.model ?? []),
    asked: (outline.verifiers ?? []).flatMap(askedIn),
  };
}

/** One takes over from another only if what it does is the same kind of thing. */
const makersAgree = ({ maker: first, makers }: Sketch): readonly Complaint[] =>
  makers.flatMap((maker, index) =>
    !maker || !first || maker.proposes === first.proposes
      ? []
      : [
          complain(
            ["maker", index, "use"],
            `${quoted(maker.name)} proposes ${maker.proposes}s, and maker ${quoted(first.name)} proposes ${first.proposes}s`,
            "All makers of a list must propose the same; make it a loop of its own.",
          ),
        ],
  );

function levelFits({ level, maker, proposes }: Sketch, { makers }: Registries): readonly Complaint[] {
  if (level !== "L1" || !maker || !proposes || !KINDS[proposes].isDecided) return [];
  const reporters = makers.filter(({ proposes }) => !KINDS[proposes].isDecided).map(({ name }) => name);
  const instead = ["Write L2", ...(reporters.length > 0 ? [`or use a maker that reports: ${reporters.join(", ")}`] : [])].join(", ");
  return [complain(["level"], `L1 only reports, and maker ${quoted(maker.name)} proposes ${proposes}s`, `${instead}.`)];
}

function verifiersFit({ maker, proposes, verifiers }: Sketch, registries: Registries): readonly Complaint[] {
  if (maker === undefined || proposes === undefined) return [];
  return verifiers.flatMap((verifier, index) => {
    if (verifier === undefined || canProve(verifier, proposes)) return [];
    const problem = `${quoted(verifier.name)} proves ${verifier.proves}s, and maker ${quoted(maker.name)} proposes ${proposes}s`;
    return [
      complain(
        ["verifiers", index, "use"],
        problem,
        oneOfThese(registries, (verifier) => canProve(verifier, proposes)),
      ),
    ];
  });
}

/** Silent while a verifier is unknown: it might have been the proof. */
function hasProof({ proposes, verifiers, aboutWork }: Sketch, registries: Registries): readonly Complaint[] {
  if (verifiers.length > 0 && aboutWork.every(Boolean))
    return [
      complain(
        ["verifiers"],
        "all of these look at what workers made, and none at what is proposed",
        "Add one without `of`, or one that is `of` all that is proposed.",
      ),
    ];
  if (proposes !== undefined && KINDS[proposes].mayBeOpinion) return [];
  const noneProves = verifiers.length > 0 && verifiers.every((verifier, index) => verifier?.kind === "opinion" || aboutWork[index]);
  if (!noneProves) return [];
  const suits = (verifier: Registries["verifiers"][number]) =>
    verifier.kind === "proof" && (proposes === undefined || canProve(verifier, proposes));
  return [complain(["verifiers"], provesNothing(aboutWork), oneOfThese(registries, suits))];
}

const provesNothing = (aboutWork: readonly boolean[]): string =>
  aboutWork.some(Boolean)
    ? "all of these that look at what is proposed are opinions, and an opinion proves nothing"
    : "all of these are opinions, and an opinion proves nothing";

function hasSource({ maker, gathersNothing }: Sketch, { connectors }: Registries): readonly Complaint[] {
  if (!maker || !KINDS[maker.proposes].isGathered || !gathersNothing) return [];
  const names = connectors.map(({ name }) => name).join(", ");
  return [
    complain(["gather"], `maker ${quoted(maker.name)} reports on what was gathered, and nothing is`, `Add at least one of: ${names}.`),
  ];
}

const sealsAreSound = ({ seal, unseal, preparedFrom, allowlists, referee }: Sketch, example: Example): readonly Complaint[] => [
  ...globsAreSound(["seal"], seal, example),
  ...globsAreSound(["unseal"], unseal, example),
  ...globsAreSound(["prepare", "from"], preparedFrom, example),
  ...globsAreSound(["referee", "deny"], referee.deny ?? [], example),
  ...globsAreSound(["referee", "allow"], referee.allow ?? [], example),
  ...allowlists.flatMap(({ at, allow, deny }) => [
    ...globsAreSound([...at, "allow"], allow, example),
    ...globsAreSound([...at, "deny"], deny, example),
  ]),
];

const globsAreSound = (field: Path, globs: readonly unknown[], example: Example): readonly Complaint[] =>
  globs.flatMap((glob, index) => {
    const problem = typeof glob === "string" && glob !== "" ? globProblem(glob) : undefined;
    return problem === undefined ? [] : [complain([...field, index], `this glob ${problem}`, example([...field, index]))];
  });

function baseIsSound({ base }: Sketch, example: Example): readonly Complaint[] {
  if (base === undefined) return [];
  const problem = base.startsWith("-")
    ? "begins with a dash"
    : /[\0-\x20\x7f\s~^:?*[\\]|\.\./.exec(base)
      ? "contains what no branch, tag or commit has in its name"
      : undefined;
  return problem === undefined ? [] : [complain(["target", "base"], `${quoted(base)} ${problem}`, example(["target", "base"]))];
}

/** What is verified was written by the maker, and could take a secret out with it. */
const verifiersSeeNoSecrets = ({ inherited }: Sketch): readonly Complaint[] =>
  inherited.flatMap((names, index) =>
    names.flatMap((name, at) =>
      isSecretName(name)
        ? [
            complain(
              ["verifiers", index, "with", "inherit", at],
              `${quoted(name)} sounds like a secret, and a verifier runs what the maker wrote`,
              "Let the check do without it, or give it a value made for tests with `env`.",
            ),
          ]
        : [],
    ),
  );

/** A model finds its own work good. Where the maker does not say which model it uses, nobody can tell here. */
const judgesAreOthers = ({ makerModels, asked }: Sketch): readonly Complaint[] =>
  asked.flatMap(({ path, model, isMeant }) =>
    !isMeant && makerModels.some((makerModel) => compareModels(model, makerModel) === "same")
      ? [
          complain(
            path,
            `${quoted(model)} is also the maker's model, and a model finds its own work good`,
            "Ask another one, or write `sameModel: true` if you mean it.",
          ),
        ]
      : [],
  );

/** Makers that take a model of one house where they are told no other. */
const HOUSES: { readonly [maker: string]: RegExp } = {
  "claude-code": /claude|sonnet|opus|haiku/i,
  codex: /gpt|codex|\bo\d/i,
  "gemini-cli": /gemini/i,
};

function judgesThatMayBeTheMaker({ makerModels, makers, isModelNamed, asked }: Sketch): readonly Doubt[] {
  const houses = makers.flatMap((maker, index) => (maker && !isModelNamed[index] ? (HOUSES[maker.name] ?? []) : []));
  return asked.flatMap(({ path, model, isMeant }) => {
    const isDoubtful =
      makerModels.some((makerModel) => compareModels(model, makerModel) === "cannot-tell") || houses.some((house) => house.test(model));
    return isDoubtful && !isMeant
      ? [
          doubt(
            "own-judge",
            path,
            `nobody can tell whether ${quoted(model)} is the maker's own model, which would find its own work good`,
            "Name the maker's model in full in its options, or ask a model of another house.",
          ),
        ]
      : [];
  });
}

const lookingAtBase = ({ verifiers }: Registries): string =>
  `Leave it out, or use one of: ${verifiers
    .filter(({ looksAtBase }) => looksAtBase)
    .map(({ name }) => name)
    .join(", ")}.`;
/** A loop that may act alone has a ceiling everywhere. */
function nothingUnlimitedAlone({ level }: Sketch, value: unknown): readonly Complaint[] {
  if (level !== "L3") return [];
  const budget = z.object({ budget: z.record(z.string(), z.unknown()) }).safeParse(value).data?.budget ?? {};
  return unlimitedIn(budget, ["budget"]).map((path) =>
    complain(path, "an L3 loop acts alone, and may not be unlimited in anything", "Write an amount, or a lower level."),
  );
}

function unlimitedIn(value: unknown, path: Path): readonly Path[] {
  if (value === "unlimited") return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => unlimitedIn(inner, [...path, key]));
}

function oneOfThese({ verifiers }: Registries, suits: (verifier: Registries["verifiers"][number]) => boolean): string {
  const names = verifiers.filter(suits).map(({ name }) => name);
  return names.length > 0 ? `Use one of: ${names.join(", ")}.` : "No such verifier is built in; use another maker.";
}

const complain = (path: Complaint["path"], problem: string, instead: string): Complaint => ({ path, about: "value", problem, instead });

const doubt = (code: Doubt["code"], path: Path, problem: string, instead: string): Doubt => ({ ...complain(path, problem, instead), code });
