// What this machine has for loops, and what it lacks. It says unknown where it cannot tell.
import type { Environment } from "../contract/clock.ts";
import { LoopError } from "../contract/errors.ts";
import type { AgentProgram } from "../contract/maker.ts";
import { isLoopback, type ModelRef } from "../contract/models.ts";
import type { SeenLimit } from "../journal/accounts.ts";
import type { Inspection } from "../journal/journal.ts";
import { makers } from "../makers/index.ts";
import type { Home } from "./home.ts";
import { limitsPath, loadLimits, loadPrices, machinePath, type Settled, unreadableMachine } from "./settings.ts";
import { rootInside } from "./tell-sandbox.ts";

/** What a doctor may ask of the machine that it looks at. */
export interface Patient extends Settled {
  readonly home: Home;
  readonly env: Environment;
  readonly nodeVersion: string;
  readonly sqlite: { readonly driver: string; version(): string };
  /** Runs a program for its answer; undefined when it cannot be started or takes too long. */
  ask(program: string, args: readonly string[], timeoutMs?: number): Promise<{ readonly code: number; readonly text: string } | undefined>;
  findProgram(name: string): Promise<string | undefined>;
  isInHome(file: string): Promise<boolean>;
  answersOnLoopback(url: string): Promise<boolean>;
  knownPlace(provider: ModelRef["provider"]): { readonly baseUrl?: string; readonly keyVariable?: string };
  /** What the machine can keep commands to, after it was tried. */
  /** How rooms come to what was prepared. */
  roomMeans(): Promise<{ readonly kind: "overlay" } | { readonly kind: "copy"; readonly why: string }>;
  boxMeans(): Promise<
    | { readonly kind: "none"; readonly why: string; readonly hint: string }
    | { readonly kind: "bubblewrap" | "namespaces"; readonly version: string; readonly path: string; readonly changesRoot?: boolean }
    | { readonly kind: "seatbelt"; readonly path: string }
  >;
  readonly isRoot: boolean;
  /** `unwritable`: why nothing can be put on record, where what is there can be read. */
  inspectJournal(): Promise<Inspection & { readonly unwritable?: string }>;
  /** Who wakes the loops, in a sentence, and whether that is as it should be. */
  lookAtDaemon(): Promise<{ readonly isFine: boolean; readonly says: string }>;
  /** Which accounts of makers have reached a limit that has not passed. */
  usedUp(): Promise<readonly SeenLimit[]>;
  measurePrepared(): Promise<{ readonly entries: number; readonly bytes: number }>;
  measureCaches(): Promise<{ readonly entries: number; readonly bytes: number }>;
  measureBases(): Promise<{ readonly entries: number; readonly bytes: number }>;
}

export interface Check {
  readonly name: string;
  readonly result: "ok" | "missing" | "unknown" | "damaged";
  /** Whether a loop can do without it. */
  readonly needed: boolean;
  readonly detail: string;
}

export async function examine(patient: Patient): Promise<readonly Check[]> {
  const checks = await Promise.all([
    node(patient),
    git(patient),
    shell(patient),
    identity(patient),
    sandbox(patient),
    rooms(patient),
    store(patient),
    prepared(patient),
    caches(patient),
    bases(patient),
    limits(patient),
    machine(patient),
    daemon(patient),
    accounts(patient),
    ...makers.flatMap(({ name, program }) => (program ? [agent(name, program, patient)] : [])),
    ...makers.flatMap(({ provider }) => (provider ? [model(provider, patient)] : [])),
  ]);
  return checks;
}

/** How much may go on at once: while that cannot be read, nothing is woken. */
async function machine(patient: Patient): Promise<Check> {
  const wrong = await unreadableMachine(patient);
  const detail = wrong ?? `how much may go on at once; ${machinePath(patient.home.folder)}`;
  return { name: "machine", result: wrong === undefined ? "ok" : "damaged", needed: true, detail };
}

/** A loop runs without one: whoever calls `lw run` wakes it. */
async function daemon({ lookAtDaemon }: Patient): Promise<Check> {
  const { isFine, says } = await lookAtDaemon();
  return { name: "daemon", result: isFine ? "ok" : "missing", needed: false, detail: says };
}

async function node({ nodeVersion, sqlite }: Patient): Promise<Check> {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  const fits = major > 20 || (major === 20 && minor >= 19);
  const detail = `${nodeVersion}, SQLite by ${sqlite.driver}`;
  return { name: "node", result: fits ? "ok" : "missing", needed: true, detail: fits ? detail : `${detail}; 20.19 or newer is needed` };
}

async function git({ ask }: Patient): Promise<Check> {
  const answer = await ask("git", ["--version"]);
  const version = /(\d+)\.(\d+)\S*/.exec(answer?.text ?? "");
  if (!version) return { name: "git", result: "missing", needed: true, detail: "not found on the PATH; install git 2.37 or newer" };
  const fits = Number(version[1]) > 2 || (Number(version[1]) === 2 && Number(version[2]) >= 37);
  return {
    name: "git",
    result: fits ? "ok" : "missing",
    needed: true,
    detail: fits ? version[0] : `${version[0]} is too old; 2.37 or newer is needed`,
  };
}

async function shell({ ask }: Patient): Promise<Check> {
  const answer = await ask("/bin/sh", ["-c", "echo ok"]);
  if (answer?.text === "ok") return { name: "shell", result: "ok", needed: true, detail: "/bin/sh" };
  return {
    name: "shell",
    result: "missing",
    needed: true,
    detail: "/bin/sh cannot be run; commands of makers and verifiers need it (on Windows use WSL)",
  };
}

/** Loops commit under a name of their own; yours is used when you merge. */
async function identity({ ask }: Patient): Promise<Check> {
  const [name, email] = await Promise.all([ask("git", ["config", "user.name"]), ask("git", ["config", "user.email"])]);
  if (!name || !email) return { name: "identity", result: "unknown", needed: false, detail: "git could not be asked" };
  if (name.code !== 0 || email.code !== 0)
    return {
      name: "identity",
      result: "missing",
      needed: false,
      detail: "git has no user.name and user.email; you need them to merge proposals",
    };
  return { name: "identity", result: "ok", needed: false, detail: `you are ${name.text} <${email.text}>; loops commit as Loopwright` };
}

/** Tried and not believed: a boxed command has just failed to write, to read a secret and to reach the network. */
async function sandbox({ boxMeans, isRoot }: Patient): Promise<Check> {
  const name = "sandbox";
  const means = await boxMeans();
  switch (means.kind) {
    case "none":
      return {
        name,
        result: "missing",
        needed: false,
        detail: `${means.why}; makers and verifiers run without an OS sandbox, unless the spec requires one. ${means.hint}`.trim(),
      };
    case "bubblewrap":
    case "namespaces":
      return {
        name,
        result: "ok",
        needed: false,
        detail: `${means.kind === "bubblewrap" ? "bubblewrap" : "namespaces of util-linux"} ${means.version} (${means.path}) was tried: makers and verifiers write only in their room, see nothing of your home but toolchains (\`lw doctor --box LOOP\` shows what), verifiers reach no network unless the spec says so, and a maker's can be kept to a list of hosts (\`box.maker.network\`)${isRoot ? `; ${rootInside(means.changesRoot ?? false)}` : ""}`,
      };
    case "seatbelt":
      return {
        name,
        result: "ok",
        needed: false,
        detail: `seatbelt (${means.path}) was tried: writes outside, hidden places and the network were refused; its profile, and with it a list of hosts for makers, has not been through our tests on a Mac`,
      };
  }
}

/** Whether somebody is logged in is only seen from outside, by names: nothing is read and nobody is asked. */
async function agent(maker: string, { name, variables, files, login }: AgentProgram, patient: Patient): Promise<Check> {
  const check = { name: `agent ${name}`, needed: false } as const;
  const path = await patient.findProgram(name);
  if (!path) return { ...check, result: "missing", detail: `not on the PATH; the maker ${maker} needs it` };
  const answer = await patient.ask(path, ["--version"], VERSION_MS);
  const version = /\d+\.\d+(?:\.\d+)?\S*/.exec(answer?.code === 0 ? answer.text : "")?.[0];
  const about = `${path}, ${version === undefined ? "version unknown" : version}`;
  const set = variables.filter((variable) => (patient.env.get(variable) ?? "") !== "");
  const there = (await Promise.all(files.map(async (file) => ((await patient.isInHome(file)) ? [`~/${file}`] : [])))).flat();
  if (set.length > 0)
    return {
      ...check,
      result: "ok",
      detail: `${about}; ${set.join(", ")} is set (name it in \`maker.with.inherit\`, or keep it from the maker with \`box.maker.network.credentials\`); whether it is valid was not tried`,
    };
  if (there.length > 0)
    return { ...check, result: "ok", detail: `${about}; ${there.join(", ")} is there, so somebody seems to be logged in` };
  return { ...check, result: "unknown", detail: `${about}; no login and no key was seen: ${login}` };
}

/** Only a server on this machine is asked whether it is there; whether a key is taken, or another address answers, is not tried. */
async function model(provider: ModelRef["provider"], { env, knownPlace, answersOnLoopback }: Patient): Promise<Check> {
  const check = { name: `model ${provider}`, needed: false } as const;
  const { baseUrl, keyVariable } = knownPlace(provider);
  if (baseUrl === undefined)
    return {
      ...check,
      result: "unknown",
      detail: "its address is the spec's `baseUrl`, and its key is in the variable that `keyVariable` names; neither was looked for",
    };
  if (isLoopback(new URL(baseUrl).hostname))
    return (await answersOnLoopback(`${baseUrl}/models`))
      ? { ...check, result: "ok", detail: `something answers at ${baseUrl}; which models it has was not asked` }
      : {
          ...check,
          result: "missing",
          detail: `nothing answers at ${baseUrl}; the maker ${provider} needs it, unless the spec says where else it is`,
        };
  const isSet = keyVariable !== undefined && (env.get(keyVariable) ?? "").trim() !== "";
  return isSet
    ? { ...check, result: "ok", detail: `${keyVariable} is set; neither it nor ${baseUrl} was tried` }
    : {
        ...check,
        result: "missing",
        detail: `${keyVariable} is not set; the maker ${provider} needs it, unless the spec names another with \`keyVariable\``,
      };
}

/** Some take long to start. */
const VERSION_MS = 15_000;
/** What all loops may use together; a file that cannot be read stops every run. */
async function limits(patient: Patient): Promise<Check> {
  const name = "limits";
  try {
    const [{ zone, day, month }, { asOf, models }] = await Promise.all([loadLimits(patient), loadPrices(patient)]);
    const told = (caps: object): string =>
      Object.entries(caps)
        .map(([field, most]) => `${field} ${most}`)
        .join(", ") || "no cap";
    const detail = `a day: ${told(day)}; a month: ${told(month)}; days of ${zone}; ${limitsPath(patient.home.folder)}; prices of ${asOf}, ${Object.keys(models).length} models`;
    return { name, result: "ok", needed: true, detail };
  } catch (error) {
    if (!(error instanceof LoopError)) throw error;
    return { name, result: "damaged", needed: true, detail: error.message };
  }
}

/** What makers reported: nobody is asked. A store that cannot be read is told by its own line. */
async function accounts({ usedUp }: Patient): Promise<Check> {
  const check = { name: "accounts", needed: false } as const;
  const limits = await usedUp().catch(() => undefined);
  if (!limits) return { ...check, result: "unknown", detail: "the records could not be read" };
  if (limits.length === 0) return { ...check, result: "ok", detail: "none is known to have reached a limit" };
  const told = limits.map(({ account, until }) => `${account} until ${until}`).join(", ");
  return { ...check, result: "missing", detail: `used up: ${told}; loops that use them wait, or go on with the next maker of their list` };
}

async function store({ home, sqlite, inspectJournal }: Patient): Promise<Check> {
  const name = "store";
  try {
    const { entries, whole, damage, unwritable } = await inspectJournal();
    const where = `${home.folder}, ${entries} record(s), SQLite ${sqlite.version()}`;
    if (unwritable !== undefined) {
      const chain = whole ? "chain whole" : "chain damaged";
      return { name, result: "missing", needed: true, detail: `${where}, ${chain}; it can be read, and no loop can run: ${unwritable}` };
    }
    if (whole) return { name, result: "ok", needed: true, detail: `${where}, chain whole` };
    const told = damage
      .map(({ from, to, problem }) => `${from === to ? `record ${from}` : `records ${from} to ${to}`}: ${problem}`)
      .join("; ");
    return { name, result: "damaged", needed: true, detail: `${where}; damaged: ${told}. The other records are good and in use` };
  } catch (error) {
    if (!(error instanceof LoopError) && !(error instanceof Error)) throw error;
    return { name, result: "missing", needed: true, detail: `${home.folder} cannot be used: ${error.message}` };
  }
}

/** Tried by doing it: a folder was laid under another, written over and removed, and the one below stayed as it was. */
async function rooms({ roomMeans }: Patient): Promise<Check> {
  const found = await roomMeans();
  const detail =
    found.kind === "overlay"
      ? "overlay was tried: what is prepared, such as dependencies, lies in layers under every room, and is not copied"
      : `copies: ${found.why}; what is prepared is copied into every room, which takes as long as it has files`;
  return { name: "rooms", result: "ok", needed: false, detail };
}

/** What tool chains left when base was looked at. It may be removed at any time: then rooms compile everything until base is looked at again. */
async function caches({ home, measureCaches }: Patient): Promise<Check> {
  const { entries, bytes } = await measureCaches();
  const detail =
    entries === 0
      ? "nothing is kept: no base was looked at with Go, cargo, incremental tsc or ccache"
      : `${entries} of tool chains, about ${(bytes / 1_000_000).toFixed(1)} MB, in ${home.caches}; filled by looks at base alone, and lent to rooms; lw clean empties it`;
  return { name: "caches", result: "ok", needed: false, detail };
}

/** Bases of large repositories. They may be removed at any time: what is missing is checked out again. */
async function bases({ home, measureBases }: Patient): Promise<Check> {
  const { entries, bytes } = await measureBases();
  const detail =
    entries === 0
      ? "nothing is kept: no base with a thousand files or more was looked at"
      : `${entries} checked out to lie under rooms, about ${(bytes / 1_000_000).toFixed(1)} MB, in ${home.layers}; lw clean empties it`;
  return { name: "bases", result: "ok", needed: false, detail };
}

/** What specs prepared, such as installed dependencies. It may be removed at any time: what is missing is made again. */
async function prepared({ home, measurePrepared }: Patient): Promise<Check> {
  const { entries, bytes } = await measurePrepared();
  const detail =
    entries === 0
      ? "nothing is kept"
      : `${entries} set(s) of folders, about ${(bytes / 1_000_000).toFixed(1)} MB, in ${home.prepared}; lw clean empties it`;
  return { name: "prepared", result: "ok", needed: false, detail };
}
