// A spec: everything that a person may say about a loop, as one schema.
import * as z from "zod";
import { PROTECTED_NAMES } from "./allowlist.ts";
import { Calling } from "./calling.ts";
import { Guards } from "./guarding.ts";
import { Improve } from "./improve.ts";
import { InputName, InputWish } from "./inputs.ts";
import { NotebookWish } from "./keeping.ts";
import { Feedback, Metrics, PartId, TAKEN_WORDS, Until } from "./measuring.ts";
import { ENDINGS } from "./waking.ts";

// A process reads few specs: to compile each schema takes longer than it ever saves. Said before the first one is made.
z.config({ jitless: true });

/** A length of time with its unit, kept as it was written; `parseDuration` reads it. */
export const Duration = z
  .string()
  .regex(/^(?=.*[1-9])(\d+(\.\d+)?(ms|s|m|h|d))+$/, { error: "is not a length of time" })
  .meta({ description: "A length of time with its unit: ms, s, m, h or d.", examples: ["20m", "90s", "1h30m"] });

/** Where a secret, or anything of the user's environment, is: its name and never its value. */
export const VariableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "must be the name of an environment variable" });

/** Nothing is sent in the clear, except to this machine itself. */
export const ServerUrl = z.string().regex(/^https:\/\/\S+$|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/\S*)?$/, {
  error: "must be an https address, or http on this machine",
});

/** An amount of money, kept as it was written; `parseUsd` reads it. */
export const Usd = z
  .string()
  .regex(/^\$(?=.*[1-9])\d+(\.\d{1,4})?$/, { error: "is not an amount of money" })
  .meta({ description: "An amount in US dollars, with the dollar sign.", examples: ["$2.50"] });

/** A number of things, with k or M if large, kept as it was written; `parseCount` reads it. */
export const Count = z
  .string()
  .regex(/^(?=.*[1-9])\d+(\.\d+)?[kM]?$/, { error: "is not a count" })
  .meta({ description: "A number above zero, with k or M if large.", examples: ["200k", "1.5M"] });

/** A part asked for by name, with its own options. The registries narrow this to the parts that exist. */
export const PartRef = z.strictObject({
  use: z.string().min(1).meta({ description: "Name of the part; `lw parts` lists them." }),
  with: z.record(z.string(), z.unknown()).optional().meta({ description: "Options of the part." }),
});
export type PartRef = Readonly<z.infer<typeof PartRef>>;

/** A verifier may have a name of its own, by which other parts of the spec speak of it. */
export const VerifierRef = PartRef.extend({
  id: PartId.optional(),
  of: z
    .array(z.string().min(1).max(80))
    .min(1)
    .max(50)
    .optional()
    .meta({
      description:
        "Of a team: the workers whose results it looks at. What it then says of them can sink a proposal and never carry it. Default: what is proposed.",
      examples: [["plan"]],
    }),
  before: z
    .array(z.string().min(1).max(80))
    .min(1)
    .max(50)
    .optional()
    .meta({
      description:
        "Of a team: workers that wait until this holds of those it is `of`. If it does not, they do not work, and the round is refused.",
      examples: [["code"]],
    }),
});
export type VerifierRef = Readonly<z.infer<typeof VerifierRef>>;

export const Level = z.enum(["L1", "L2", "L3"]).meta({
  description: "How far the loop may go: L1 only reports, L2 proposes and a human decides, L3 may act inside its allowlist.",
  examples: ["L2"],
});
export type Level = z.infer<typeof Level>;

export const Target = z.strictObject({
  repo: z
    .string()
    .min(1)
    .default(".")
    .meta({ description: "The git repository, relative to the spec's folder.", examples: ["."] }),
  base: z
    .string()
    .min(1)
    .optional()
    .meta({ description: "Branch, tag or commit that work starts from. Default: the branch the repository is on.", examples: ["main"] }),
});

/** Nothing, zero and infinity could all be read as no limit; only a word can mean it. */
const NO_CAP = "is no cap: write an amount above zero, or the word unlimited, which lifts it below L3";
const LIFTED = "unlimited";

/** As `Duration`, `Usd` and `Count`, or `unlimited`. */
const TimeCap = z
  .string({ error: NO_CAP })
  .regex(/^(unlimited|(?=.*[1-9])(\d+(\.\d+)?(ms|s|m|h|d))+)$/, { error: NO_CAP })
  .meta({ description: "A length of time with its unit, or `unlimited`.", examples: ["20m", LIFTED] });
const UsdCap = z
  .string({ error: NO_CAP })
  .regex(/^(unlimited|\$(?=.*[1-9])\d+(\.\d{1,4})?)$/, { error: NO_CAP })
  .meta({ description: "An amount in US dollars, with the dollar sign, or `unlimited`.", examples: ["$2.50", LIFTED] });
const TokenCap = z
  .string({ error: NO_CAP })
  .regex(/^(unlimited|(?=.*[1-9])\d+(\.\d+)?[kM]?)$/, { error: NO_CAP })
  .meta({ description: "A number above zero, with k or M if large, or `unlimited`.", examples: ["200k", LIFTED] });
const SizeCap = z
  .string({ error: NO_CAP })
  .regex(/^(unlimited|(?=.*[1-9])\d+(\.\d+)?(kB|MB|GB))$/, { error: NO_CAP })
  .meta({ description: "A size in kB, MB or GB, or `unlimited`.", examples: ["2GB", LIFTED] });
const CountCap = z
  .union([z.int().min(1).max(1_000_000_000), z.string().regex(/^(unlimited|(?=.*[1-9])\d+(\.\d+)?[kM]?)$/)], { error: NO_CAP })
  .meta({ description: "A number above zero, with k or M if large, or `unlimited`.", examples: [200, LIFTED] });

/** What may be capped anywhere: in a call, a round, a day, a month. What is left out is not capped there. */
const Caps = z.strictObject({
  usd: UsdCap.optional().meta({ description: "What it may cost.", examples: ["$2.50"] }),
  tokens: TokenCap.optional().meta({ description: "How many tokens it may use, of all kinds together.", examples: ["200k"] }),
  time: TimeCap.optional().meta({ description: "How long makers may work.", examples: ["2h"] }),
  cpu: TimeCap.optional().meta({ description: "How much CPU time commands may use, where the system tells.", examples: ["1h"] }),
  rounds: CountCap.optional().meta({ description: "How many rounds.", examples: [50] }),
  launches: CountCap.optional().meta({ description: "How many times a maker may be started.", examples: [50] }),
  calls: CountCap.optional().meta({ description: "How many model calls.", examples: [500] }),
  tools: CountCap.optional().meta({ description: "How many tool calls.", examples: ["5k"] }),
  processes: CountCap.optional().meta({ description: "How many processes, as far as they are seen.", examples: ["10k"] }),
  disk: SizeCap.optional().meta({ description: "How much makers may write to disk, where the system tells.", examples: ["2GB"] }),
});
export type Caps = Readonly<z.infer<typeof Caps>>;

const then = z
  .enum(["warn", "throttle"])
  .optional()
  .meta({
    description: "Makers are told; or also only one worker works at a time, and none is tried again. Default: warn.",
    examples: ["throttle"],
  });

export const Budget = z.strictObject({
  rounds: z
    .int()
    .min(1)
    .max(1000)
    .default(3)
    .meta({ description: "How many rounds one run may take.", examples: [3] }),
  time: TimeCap.default("30m").meta({ description: "How long one run may work, all rounds together.", examples: ["30m"] }),
  usd: UsdCap.default("$5.00").meta({
    description: "What one run may cost. What makers do not report is estimated, and counts.",
    examples: ["$2.50"],
  }),
  patience: Duration.optional().meta({
    description:
      "How long `lw run` and `lw resume` wait for usage limits to pass, all waits together. It costs no round and no time. Default: they do not wait.",
    examples: ["5h"],
  }),
  tokens: TokenCap.default("1M").meta({ description: "How many tokens one run may use.", examples: ["200k"] }),
  cpu: TimeCap.default("4h").meta({
    description: "How much CPU time one run's commands may use, where the system tells.",
    examples: ["1h"],
  }),
  launches: CountCap.default(30).meta({ description: "How many times one run may start a maker, crashes included.", examples: [30] }),
  calls: CountCap.default(1000).meta({ description: "How many model calls one run may make.", examples: [500] }),
  tools: CountCap.default("10k").meta({ description: "How many tool calls one run may make.", examples: ["5k"] }),
  processes: CountCap.default("100k").meta({
    description: "How many processes one run's makers may start, as far as they are seen.",
    examples: ["10k"],
  }),
  disk: SizeCap.default("20GB").meta({ description: "How much one run's makers may write, where the system tells.", examples: ["2GB"] }),
  perCall: Caps.pick({ usd: true, tokens: true }).prefault({ usd: "$2.00" }).meta({ description: "What one model call may use." }),
  perRound: Caps.omit({ rounds: true }).prefault({}).meta({ description: "What one round may use." }),
  loop: z
    .strictObject({
      day: Caps.prefault({ usd: "$20.00", tokens: "20M", rounds: 200 }).meta({ description: "What all runs of a day may use." }),
      month: Caps.prefault({ usd: "$200.00" }).meta({ description: "What all runs of a month may use." }),
    })
    .prefault({})
    .meta({ description: "What the whole loop may use, whichever run it is in." }),
  soft: z
    .strictObject({
      tokens: Count.meta({ description: "From how many tokens of a run on.", examples: ["8k"] }),
      then,
    })
    .optional()
    .meta({ description: "A line before the cap, from which on a run goes easy.", examples: [{ tokens: "8k" }] }),
  warnAt: z
    .int()
    .min(1)
    .max(99)
    .default(80)
    .meta({ description: "From how many percent of a cap on the maker is warned in its brief.", examples: [80] }),
});
export type Budget = Readonly<z.infer<typeof Budget>>;

/** What all loops of one home may use together: the file `limits.yaml` there. */
export const Limits = z.strictObject({
  zone: z
    .string()
    .min(1)
    .default("UTC")
    .meta({ description: "The time zone whose days and months are counted.", examples: ["Europe/Berlin"] }),
  day: Caps.prefault({ usd: "$50.00", rounds: 1000 }).meta({ description: "What all loops together may use in a day." }),
  month: Caps.prefault({ usd: "$500.00" }).meta({ description: "What all loops together may use in a month." }),
  kept: SizeCap.default("20GB").meta({
    description:
      "How much the home keeps only to be quick: bases, prepared folders, caches of tool chains. What was not used for longest goes first.",
    examples: ["5GB"],
  }),
});
export type Limits = Readonly<z.infer<typeof Limits>>;

export const Gate = z.strictObject({
  use: z.literal("ask").optional().meta({ description: "Short for `all: [{use: ask}]`, which is what holds where nothing is said." }),
  all: z
    .array(PartRef)
    .min(1)
    .max(10)
    .default([{ use: "ask" }])
    .meta({
      description: "Who must say yes before anything moves: every one of these. No gate lets a loop go further than its level.",
      examples: [[{ use: "allowlist", with: { allow: ["docs/**"] } }]],
    }),
  tampering: z
    .enum(["escalate", "retry"])
    .default("escalate")
    .meta({
      description: "After a change that fakes its own success: hand over at once, or refuse it and let the maker try again.",
      examples: ["escalate"],
    }),
});

const Outsiders = z.strictObject({
  level: z
    .enum(["L1", "L2", "L3"])
    .default("L2")
    .meta({ description: "The highest level of a run that has read outsiders' text.", examples: ["L1"] }),
  network: z
    .enum(["closed", "open"])
    .default("closed")
    .meta({ description: "Whether commands of such a run may reach the network.", examples: ["open"] }),
});

/** A folder inside the repository, and not git's own. */
const KEPT_FOLDER = /^(?!\/)(?!(?:.*\/)?(?:\.{1,2}|\.[gG][iI][tT])?(?:\/|$))[^\0-\x1f\x7f\\]+$/;

export const Prepare = z.strictObject({
  run: z
    .string()
    .min(1)
    .meta({ description: "The command, given to /bin/sh in a fresh copy of base that no maker touched.", examples: ["npm ci"] }),
  keep: z
    .array(
      z
        .string()
        .max(500)
        .regex(KEPT_FOLDER, { error: "must be a folder inside the repository, without `..`, `.git` or a slash at its end" }),
    )
    .min(1)
    .max(20)
    .refine((paths) => paths.every((path, at) => paths.every((other, index) => at === index || !`${other}/`.startsWith(`${path}/`))), {
      error: "must name each folder once, and none inside another",
    })
    .meta({
      description:
        "The folders it leaves that are kept, and copied into the maker's copy and into every room of a verifier, in place of whatever is there. Base may not track anything in them, and a proposal never contains them.",
      examples: [["node_modules"]],
    }),
  from: z
    .array(z.string().min(1))
    .min(1)
    .max(100)
    .optional()
    .meta({
      description:
        "Globs of the files that decide what is prepared: as long as they are the same on base, it is reused. Default: the manifests, lock files and settings of known package managers; where base has none of them, it is prepared for every base.",
      examples: [["package.json", "package-lock.json"]],
    }),
  time: Duration.default("10m").meta({ description: "How long it may take.", examples: ["10m"] }),
  inherit: z
    .array(VariableName)
    .max(50)
    .default([])
    .meta({
      description:
        "Variables of your environment it may see besides PATH, locale and time zone; secrets only if they are named here. HOME is an empty folder unless named.",
      examples: [["NPM_TOKEN"]],
    }),
});
export type Prepare = Readonly<z.infer<typeof Prepare>>;

export const WorkspaceWish = z.strictObject({
  include: z
    .boolean()
    .default(true)
    .meta({
      description:
        "Whether ignored files of your checkout that `.worktreeinclude` names, by patterns as in `.gitignore`, are copied into the maker's copy. They are never part of a proposal, and verifiers do not see them.",
      examples: [true],
    }),
  setup: z
    .strictObject({
      run: z
        .string()
        .min(1)
        .meta({ description: "The command, given to /bin/sh in the maker's copy, in the maker's box.", examples: ["npm run db:create"] }),
      timeout: Duration.default("5m").meta({ description: "How long it may take.", examples: ["5m"] }),
      inherit: z
        .array(VariableName)
        .max(50)
        .default([])
        .meta({
          description: "Variables of your environment it may see besides PATH, locale and time zone. HOME is an empty folder unless named.",
          examples: [["DATABASE_URL"]],
        }),
    })
    .optional()
    .meta({
      description: "What is run before the maker, in every round. If it fails, the run ends with no maker called.",
      examples: [{ run: "npm run db:create" }],
    }),
  ports: z
    .int()
    .min(0)
    .max(100)
    .default(0)
    .meta({
      description:
        "How many free ports in a row, which no other run has, are kept for the maker and its set-up: LOOPWRIGHT_PORT is the first, LOOPWRIGHT_PORT_END the last.",
      examples: [10],
    }),
});
export type WorkspaceWish = Readonly<z.infer<typeof WorkspaceWish>>;

export const BriefWish = z.strictObject({
  tokens: Count.default("20k").meta({
    description:
      "How long the brief may be, by an estimate of three bytes a token. What does not fit is left out, notes and lessons first, oldest first; the intent, the sealed files and the checks never are.",
    examples: ["20k"],
  }),
});

const BoxWhen = z
  .enum(["available", "required", "off"])
  .default("available")
  .meta({
    description: "Use the OS sandbox where there is one, refuse to run without one, or do without. What was enforced is on record.",
    examples: ["required"],
  });
const boxReads = z
  .array(z.string().min(1))
  .max(50)
  .default([])
  .meta({
    description:
      "Places it may read although the box hides them, such as files of your home, or a socket that it is to reach: absolute, from `~`, or from the spec's folder.",
    examples: [["~/.m2/settings.xml"]],
  });

const Credential = z.strictObject({
  to: z
    .string()
    .min(1)
    .max(300)
    .meta({
      description: "Where it goes: https:// and a host, or http:// and a host of this machine. It may be reached without being listed.",
      examples: ["https://api.anthropic.com"],
    }),
  header: z
    .string()
    .max(100)
    .regex(/^[A-Za-z0-9-]+$/, { error: "must be the name of a header" })
    .meta({ description: "The header that it is put into.", examples: ["x-api-key"] }),
  scheme: z
    .string()
    .regex(/^[A-Za-z]{1,20}$/, { error: "must be a word such as Bearer" })
    .optional()
    .meta({ description: "What stands before it in the header.", examples: ["Bearer"] }),
  variable: VariableName.meta({
    description: "The variable of your environment that holds it. The maker's has a placeholder under this name.",
    examples: ["ANTHROPIC_API_KEY"],
  }),
  baseUrls: z
    .record(VariableName, z.string().regex(/^(?:\/[\w.~-]+)*\/?$/, { error: "must be a path, or empty" }))
    .default({})
    .meta({
      description: "Variables that tell the maker where it reaches the host by plain HTTP through the proxy, each with the path behind it.",
      examples: [{ ANTHROPIC_BASE_URL: "", OPENAI_BASE_URL: "/v1" }],
    }),
});

const Listed = z.strictObject({
  allow: z
    .array(z.string().min(1).max(300))
    .max(100)
    .default([])
    .meta({
      description:
        "Hosts that may be reached: `host` (port 443), `host:port`, or `*.host` for all names below. Hosts of this machine and of private networks only as host and port. An agent's model is allowed without being named.",
      examples: [["packages.example.com", "*.example.com", "127.0.0.1:11434"]],
    }),
  credentials: z
    .array(Credential)
    .max(20)
    .default([])
    .meta({
      description: "Keys that the proxy puts into requests, so that the maker has none of them.",
      examples: [
        [{ to: "https://api.anthropic.com", header: "x-api-key", variable: "ANTHROPIC_API_KEY", baseUrls: { ANTHROPIC_BASE_URL: "" } }],
      ],
    }),
});

export const Box = z.strictObject({
  maker: z
    .strictObject({
      when: BoxWhen,
      network: z
        .union([z.enum(["closed", "open"]), Listed])
        .default("open")
        .meta({
          description:
            "Whether its commands reach the network; an agent needs it for its model. With a list they reach only these hosts, by a proxy that writes down every connection.",
          examples: ["closed", { allow: ["packages.example.com"] }],
        }),
      reads: boxReads,
      writes: z
        .array(z.string().min(1))
        .max(50)
        .default([])
        .meta({
          description: "Places it may write besides its copy and its temporary files. They must be there; agents keep their state in some.",
          examples: [["~/.claude", "~/.claude.json"]],
        }),
    })
    .refine(({ when, network }) => when !== "off" || typeof network === "string", {
      path: ["network"],
      error: "can be a list of hosts only where there may be a box: `when` is off",
    })
    .prefault({})
    .meta({ description: "The box of the maker's commands." }),
  verifiers: z
    .strictObject({
      when: BoxWhen,
      network: z
        .enum(["closed", "open"])
        .default("closed")
        .meta({ description: "Whether checks reach the network; those that install packages need it.", examples: ["open"] }),
      reads: boxReads,
    })
    .prefault({})
    .meta({ description: "The box of the verifiers' commands. They write only in their room and in temporary files of their own." }),
});

export type Box = Readonly<z.infer<typeof Box>>;

export const BaselineWish = z.strictObject({
  when: z
    .enum(["always", "off"])
    .default("always")
    .meta({ description: "Whether base is looked at before the first maker is called.", examples: ["always"] }),
  runs: z
    .int()
    .min(1)
    .max(10)
    .default(2)
    .meta({
      description:
        "How often each check is run on base, to see whether it says the same every time. No further run is begun once a quarter of the run's time is used.",
      examples: [3],
    }),
  want: z
    .enum(["any", "red", "green"])
    .default("any")
    .meta({
      description:
        "red: the loop mends something, so when all checks are green there is nothing to do. green: the checks must be green to start with, else a human looks.",
      examples: ["red"],
    }),
});

export const Flakes = z.strictObject({
  quarantine: Duration.default("7d").meta({
    description: "How long a test that base cannot make up its mind about is left out of verdicts.",
    examples: ["7d"],
  }),
});

const dayTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: "is not a time of the day" })
  .meta({ description: "A time of the day.", examples: ["22:00"] });

const zone = z
  .string()
  .min(1)
  .default("UTC")
  .meta({ description: "Time zone by its IANA name.", examples: ["Europe/Berlin"] });

export const Alert = z.strictObject({
  to: z
    .array(PartRef)
    .max(10)
    .default([])
    .meta({ description: "Who tells, by the same parts as `notify`.", examples: [[{ use: "desktop" }]] }),
  quiet: z
    .strictObject({
      from: dayTime.default("22:00"),
      to: dayTime.default("07:00"),
      zone,
    })
    .optional()
    .meta({
      description: "When nobody is told; what came up meanwhile is told together afterwards.",
      examples: [{ from: "22:00", to: "07:00" }],
    }),
});

const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** A time during which a loop may wake, or may not. */
const Window = z.strictObject({
  days: z
    .array(z.enum(WEEKDAYS))
    .min(1)
    .max(7)
    .optional()
    .meta({ description: "On which days of the week it begins. Default: all.", examples: [["mon", "tue", "wed", "thu", "fri"]] }),
  dates: z
    .array(z.iso.date({ error: "is not a date that there is" }))
    .min(1)
    .max(400)
    .optional()
    .meta({ description: "On which dates it begins. Default: all.", examples: [["2026-12-24", "2026-12-25"]] }),
  from: dayTime.default("00:00").meta({ description: "When it begins.", examples: ["22:00"] }),
  to: z
    .string()
    .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, { error: "is not a time of the day" })
    .default("24:00")
    .meta({ description: "When it ends; on the next day where that is not after its beginning.", examples: ["06:00"] }),
  zone,
});
export type Window = Readonly<z.infer<typeof Window>>;

/** When a loop may wake, and what becomes of the times at which it could not. All of it may be left out. */
export const Wake = z.strictObject({
  missed: z
    .union([z.enum(["skip", "once"]), z.strictObject({ all: z.int().min(1).max(1000) })])
    .optional()
    .meta({
      description:
        "What becomes of times at which nothing was running: nothing, one run for all of them, or one run each for so many of the newest. Default: once.",
      examples: ["skip", { all: 10 }],
    }),
  overlap: z
    .enum(["skip", "queue", "stop"])
    .optional()
    .meta({
      description:
        "What becomes of a waking while a run is open: nothing, it waits, or the run is stopped. Default: skip for times, queue for what happens.",
      examples: ["queue"],
    }),
  jitter: Duration.optional().meta({
    description: "It wakes up to so much later than its time: always the same for the same loop and time.",
    examples: ["5m"],
  }),
  within: z
    .array(Window)
    .min(1)
    .max(20)
    .optional()
    .meta({ description: "It wakes only in one of these.", examples: [[{ days: ["mon", "tue"], from: "22:00", to: "06:00" }]] }),
  not: z
    .array(Window)
    .min(1)
    .max(20)
    .optional()
    .meta({ description: "It wakes in none of these.", examples: [[{ dates: ["2026-12-24"] }]] }),
  priority: z
    .int()
    .min(-10)
    .max(10)
    .optional()
    .meta({ description: "Who goes first where not all can. Default: 0.", examples: [5] }),
  wip: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: "It does not wake while so many of its proposals wait for a person.", examples: [3] }),
  backoff: z
    .strictObject({
      first: Duration.default("1m").meta({ description: "How long it waits after the first failure.", examples: ["1m"] }),
      most: Duration.default("6h").meta({ description: "How long at most; it doubles up to there.", examples: ["6h"] }),
    })
    .optional()
    .meta({ description: "How it waits after outside failures that pass. Default: from 1m to 6h.", examples: [{ first: "5m" }] }),
  expect: z
    .strictObject({
      ending: z
        .enum([...ENDINGS, "any"])
        .default("any")
        .meta({ description: "How it must come to rest to count.", examples: ["proven"] }),
      within: Duration.meta({ description: "At least once in so long.", examples: ["25h"] }),
    })
    .optional()
    .meta({ description: "What is expected of it; if it does not come, somebody is told, once.", examples: [{ within: "25h" }] }),
  spare: z
    .boolean()
    .optional()
    .meta({ description: "It runs only when nobody else waits, and is the first to be stopped.", examples: [true] }),
});
export type Wake = Readonly<z.infer<typeof Wake>>;

export const DocumentWish = z.strictObject({
  files: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(50)
    .optional()
    .meta({ description: "Globs of the files that may be in it. Default: any.", examples: [["*.md", "data/*.csv"]] }),
  most: z
    .string()
    .regex(/^(?=.*[1-9])\d+(\.\d+)?(kB|MB)$/, { error: "is not a size" })
    .optional()
    .meta({ description: "How much of it may change in one round. Default: 1MB.", examples: ["200kB"] }),
});
export type DocumentWish = Readonly<z.infer<typeof DocumentWish>>;

/** What a worker hands over. */
const Gives = z.strictObject({
  as: z.enum(["text", "markdown", "json", "handover", "file", "commit"]).meta({
    description:
      "What it hands over: a text, Markdown, JSON, a handover (goal, facts, decisions, questions, artifacts), a file as it is, or what it changed in its copy.",
    examples: ["markdown"],
  }),
  schema: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({
      description:
        "Of JSON: what it must look like, by type, properties, required, items, enum, minimum, maximum, minLength, maxLength, minItems, maxItems.",
      examples: [{ type: "object", required: ["plan"] }],
    }),
  file: z
    .string()
    .max(200)
    .regex(KEPT_FOLDER, { error: "must be a file name without `..`, `.git` or a slash at its end" })
    .optional()
    .meta({
      description: "The file that it writes its result to, and that the document then has. Default: its name.",
      examples: ["summary.md"],
    }),
  most: z
    .string()
    .regex(/^(?=.*[1-9])\d+(\.\d+)?(kB|MB)$/, { error: "is not a size" })
    .optional()
    .meta({ description: "How large it may be. Default: 64kB.", examples: ["16kB"] }),
});

const WorkerName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,40}$/, { error: "must be small letters, digits, - and _, beginning with a letter" })
  .refine((id) => !TAKEN_WORDS.includes(id), { error: "is a word that means something else here" });
const names = z.array(z.string().min(1).max(80)).max(50);

const Worker = z.strictObject({
  role: z
    .string()
    .trim()
    .min(1)
    .max(10_000)
    .meta({ description: "What it does, in words.", examples: ["Summarise the notes in a page."] }),
  use: z
    .string()
    .min(1)
    .meta({ description: "Any maker of changes; `lw parts` lists them.", examples: ["shell"] }),
  with: z.record(z.string(), z.unknown()).optional().meta({ description: "Options of that maker." }),
  reads: names.optional().meta({
    description:
      "What it is shown: inputs.NAME, notes.NAME for what is kept in the notebook, the names of workers and joins whose results it needs, and repo for a copy of the target. To read is to wait for. Default: all inputs.",
    examples: [["inputs.topic", "finder"]],
  }),
  after: names.optional().meta({ description: "Workers that it waits for without being shown their results.", examples: [["planner"]] }),
  gives: Gives,
  tools: z
    .array(z.enum(["list", "search", "read", "write", "patch", "delete", "move", "run", "note", "ask"]))
    .optional()
    .meta({
      description: "The tools that it has; what is not named does not exist for it. Only for makers that can be kept to it.",
      examples: [["read", "search"], []],
    }),
  time: Duration.optional().meta({ description: "How long one try may take.", examples: ["10m"] }),
  tries: z
    .int()
    .min(1)
    .max(5)
    .optional()
    .meta({ description: "How often it is tried. Default: once.", examples: [2] }),
  budget: Caps.pick({ usd: true, tokens: true, calls: true })
    .optional()
    .meta({ description: "Its share of what the run may use; all its tries together.", examples: [{ usd: "$0.10" }] }),
  paths: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(100)
    .optional()
    .meta({ description: "Of a worker that gives a commit: globs of what it may change.", examples: [["src/**"]] }),
  onto: names
    .optional()
    .meta({ description: "Of a worker that gives a commit: whose changes its copy begins with.", examples: [["core"]] }),
  ...Calling.shape,
});

const Join = z.strictObject({
  of: names.min(1).meta({ description: "Whose results come together.", examples: [["pro", "con"]] }),
  how: z.enum(["all", "first", "vote", "synthesis"]).meta({
    description:
      "all: every one must be there, and all are handed on. first: the first of the list that is there. vote: what most of them say, word for word. synthesis: what the worker `by` makes of them.",
    examples: ["all"],
  }),
  by: z
    .string()
    .max(80)
    .optional()
    .meta({ description: "The worker that makes one of them; it reads all of them.", examples: ["editor"] }),
  least: z
    .int()
    .min(1)
    .max(50)
    .optional()
    .meta({ description: "How many must be there. Default: all of them, one for first, more than half for vote.", examples: [2] }),
});

export const Team = z.strictObject({
  atOnce: z
    .int()
    .min(1)
    .max(16)
    .optional()
    .meta({ description: "How many work side by side at most. Default: 4.", examples: [4] }),
  workers: z
    .record(WorkerName, Worker)
    .refine((workers) => Object.keys(workers).length >= 1 && Object.keys(workers).length <= 60, { error: "must have 1 to 60 workers" })
    .meta({ description: "Who works, each under its name." }),
  joins: z.record(WorkerName, Join).optional().meta({ description: "Where results come together, each under its name." }),
  proposes: names
    .min(1)
    .meta({ description: "Whose results are proposed: commits, or else the files of a document.", examples: [["writer"]] }),
});
export type Team = Readonly<z.infer<typeof Team>>;
export type Worker = Team["workers"][string];
export type Join = NonNullable<Team["joins"]>[string];

export const RefereeWish = z.strictObject({
  protect: z
    .array(z.enum(PROTECTED_NAMES))
    .max(PROTECTED_NAMES.length)
    .default(["secrets", "loop", "submodules"])
    .meta({
      description:
        "Entries of the list that `lw check-allowlist entries` shows: a change that touches what they name is refused, also by renaming it away.",
      examples: [["secrets", "loop", "ci"]],
    }),
  deny: z
    .array(z.string().min(1).max(500))
    .max(200)
    .default([])
    .meta({ description: "Globs of more that no change may touch, in either case.", examples: [["production/**"]] }),
  allow: z
    .array(z.string().min(1).max(500))
    .max(200)
    .default([])
    .meta({
      description: "Globs of what an entry names and a change may touch all the same, in the case they are written in.",
      examples: [["src/lexer/token.ts"]],
    }),
});

/** How the copies that checks work in are made. */
export const RoomsWish = z
  .strictObject({
    caches: z
      .enum(["honest", "cold"])
      .default("honest")
      .meta({
        description:
          "Which caches of tool chains rooms have from base's own look. honest: those that go by content, without results of tests and without what undeclared inputs decide (Go, cargo's dependencies, incremental tsc, ccache). cold: none; everything is compiled anew.",
        examples: ["cold"],
      }),
  })
  .meta({ description: "How the rooms are made that checks work in.", examples: [{ caches: "cold" }] });

/** What a human wrote down: the inert description of one loop. */
export const LoopSpec = z.strictObject({
  $schema: z.string().optional().meta({ description: "Where editors find the schema." }),
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,48}$/, { error: "must be lower-case letters, digits and dashes, beginning with a letter, 49 at most" })
    .meta({ description: "Name of the loop, used in run ids and branches.", examples: ["keep-green"] }),
  intent: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .refine((text) => !text.includes("\n"), { error: "must be one sentence on one line" })
    .meta({
      description: "One sentence that says why this loop exists. It is put before every maker and on every report.",
      examples: ["Keep main green."],
    }),
  level: Level,
  target: Target.prefault({}).meta({ description: "What the loop works on." }),
  task: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .optional()
    .meta({
      description: "What the maker should do, in as much detail as it needs. Default: the intent.",
      examples: ["Make the failing tests pass."],
    }),
  inputs: z
    .record(InputName, InputWish)
    .refine((inputs) => Object.keys(inputs).length <= 50, { error: "must have at most 50 inputs" })
    .optional()
    .meta({
      description: "What a run is told anew: given with `lw run --input`, or taken from what woke it. Checked before anything is spent.",
      examples: [{ topic: { type: "text", about: "What the brief is about", required: true, longest: 500 } }],
    }),
  document: DocumentWish.optional().meta({
    description:
      "There when the loop makes files that are no change of the target, such as a brief or a data set. They are kept in a repository of the loop's own, on the version that was accepted last. With opinions alone it is L2 at most, and never exit 0.",
    examples: [{ files: ["*.md"] }],
  }),
  trigger: PartRef.default({ use: "manual" }).meta({ description: "What wakes the loop." }),
  wake: Wake.optional().meta({
    description: "When it may be woken by its trigger, and what becomes of the times at which it could not be.",
    examples: [{ missed: "once", within: [{ from: "22:00", to: "06:00" }] }],
  }),
  gather: z.array(PartRef).max(20).default([]).meta({ description: "Where work and context come from." }),
  prepare: Prepare.optional().meta({
    description: "How what is no part of the repository, such as installed dependencies, is made from base: once, and reused.",
    examples: [{ run: "npm ci", keep: ["node_modules"] }],
  }),
  workspace: WorkspaceWish.prefault({}).meta({
    description: "What the maker's copy has besides what is in the repository, so that a fresh one builds and runs.",
  }),
  brief: BriefWish.prefault({}).meta({ description: "What the maker is told, and how much of it." }),
  maker: z.union([PartRef, z.array(PartRef).min(1).max(5)]).meta({
    description:
      "Who makes the change or the report. With a list, the next one takes over, from the work kept so far, where the one before has reached a limit or cannot be reached, and for no other reason.",
  }),
  team: Team.optional().meta({
    description: "A graph of workers in the place of one maker: leave `maker` out.",
    examples: [
      {
        workers: {
          writer: { role: "Write the brief.", use: "shell", with: { run: "./write" }, gives: { as: "markdown", file: "brief.md" } },
        },
        proposes: ["writer"],
      },
    ],
  }),
  verifiers: z.array(VerifierRef).min(1).max(20).meta({ description: "Who proves or doubts it. At least one must be a proof." }),
  metrics: Metrics.optional(),
  until: Until.optional(),
  feedback: Feedback.optional(),
  notebook: NotebookWish.optional(),
  guards: Guards.optional(),
  improve: Improve.optional(),
  seal: z
    .array(z.string().min(1))
    .max(200)
    .default([])
    .meta({
      description:
        "Globs of files the maker may not decide about, besides the tests, fixtures, snapshots, settings of runners and CI, lock files and check scripts that are sealed in every loop. A proposal is verified with these as they are on base.",
      examples: [["test/**"]],
    }),
  unseal: z
    .array(z.string().min(1))
    .max(200)
    .default([])
    .meta({ description: "Globs of files that are sealed by default and left open in this loop.", examples: [["package.json"]] }),
  budget: Budget.prefault({}).meta({ description: "What one run may use. A spec without a budget gets a modest one." }),
  baseline: BaselineWish.prefault({}).meta({
    description: "What is asked of base before anything is spent: whether the checks run there, and say the same every time.",
  }),
  flakes: Flakes.prefault({}).meta({ description: "What becomes of tests that now pass and now fail on base." }),
  recheck: z.enum(["when-changed", "always"]).optional().meta({
    description:
      "Whether what somebody says yes to is proven once more before it moves: always, or (default) only where something that its proof went by may have changed: the tree, base, rules, programs of the machine, or more than an hour passed; and whatever was proven without a box, with a network, or of a loop of level L3.",
  }),
  rooms: RoomsWish.optional(),
  gate: Gate.prefault({}).meta({ description: "What must say yes before anything moves." }),
  act: z
    .array(PartRef)
    .max(10)
    .default([])
    .meta({
      description:
        "What moves, in this order, once a proposal may go on: after a human's yes, or at L3 inside the allowlist. Default: nothing; the proposal stays on its branch.",
      examples: [[{ use: "merge" }]],
    }),
  parts: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(20)
    .optional()
    .meta({
      description:
        "Files with parts of your own that it uses, from the spec's folder, or `npm:NAME` of a package that is installed there. A person trusts each once (`lw parts trust`); where one is another than was trusted, the loop does not begin.",
      examples: [["./checks/links.mjs", "npm:@team/loop-parts"]],
    }),
  outsiders: Outsiders.prefault({}).meta({
    description: "What a run may do once it has read text of people who may not write to the repository, such as commit messages.",
  }),
  box: Box.prefault({}).meta({
    description:
      "What the operating system keeps commands to: bubblewrap or namespaces on Linux, seatbelt on macOS. `lw doctor` says what this machine has.",
  }),
  alert: Alert.prefault({}).meta({
    description:
      "Who hears what needs a human and nothing else: proposals, questions, halts. Each is told once until it changes, after a run or by `lw inbox --tell`.",
  }),
  notify: z.array(PartRef).max(20).default([]).meta({ description: "Who is told how a run ended." }),
  referee: RefereeWish.prefault({}).meta({
    description: "What `lw referee` refuses besides what fails a check, when it judges a change that somebody else made by this spec.",
  }),
});
export type LoopSpec = Readonly<z.infer<typeof LoopSpec>>;

/** The makers of a spec, in the order in which they are called. */
export const makersOf = ({ maker }: Pick<LoopSpec, "maker">): readonly PartRef[] => ("use" in maker ? [maker] : maker);
