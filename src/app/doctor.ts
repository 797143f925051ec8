// What this machine has for loops, and what it lacks. It says unknown where it cannot tell.
import { type Around, environmentOf } from "../contract/around.ts";
import type { Environment } from "../contract/clock.ts";
import { LoopError } from "../contract/errors.ts";
import type { AgentProgram } from "../contract/maker.ts";
import { isLoopback, type ModelRef } from "../contract/models.ts";
import { openSqliteJournal } from "../journal/sqlite-journal.ts";
import { makers } from "../makers/index.ts";
import { createBox } from "../world/box/box.ts";
import { systemClock } from "../world/machine/clock.ts";
import { type AskedWhere, answersOnLoopback, ask, findProgram, isInHome, machine } from "../world/machine/survey.ts";
import { knownPlace } from "../world/net/models/model-place.ts";
import { measurePrepared } from "../world/store/prepared-store.ts";
import { driverName, openDatabase } from "../world/store/sqlite.ts";
import { createStore } from "../world/store/store.ts";
import type { Home } from "./home.ts";
import { limitsPath, loadLimits, loadPrices } from "./read-limits.ts";

export interface Check {
  readonly name: string;
  readonly result: "ok" | "missing" | "unknown" | "damaged";
  /** Whether a loop can do without it. */
  readonly needed: boolean;
  readonly detail: string;
}

export async function examine(home: Home, cwd: string, around: Pick<Around, "env" | "program">): Promise<readonly Check[]> {
  const where = { cwd, env: around.env };
  const env = environmentOf(around.env);
  const checks = await Promise.all([
    node(),
    git(where),
    shell(where),
    identity(where),
    sandbox(home, around),
    store(home),
    prepared(home),
    limits(home),
    ...makers.flatMap(({ name, program }) => (program ? [agent(name, program, where)] : [])),
    ...makers.flatMap(({ provider }) => (provider ? [model(provider, env)] : [])),
  ]);
  return checks;
}

async function node(): Promise<Check> {
  const [major = 0, minor = 0] = machine.nodeVersion.split(".").map(Number);
  const fits = major > 20 || (major === 20 && minor >= 19);
  const detail = `${machine.nodeVersion}, SQLite by ${driverName()}`;
  return { name: "node", result: fits ? "ok" : "missing", needed: true, detail: fits ? detail : `${detail}; 20.19 or newer is needed` };
}

async function git(where: AskedWhere): Promise<Check> {
  const answer = await ask("git", ["--version"], where);
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

async function shell(where: AskedWhere): Promise<Check> {
  const answer = await ask("/bin/sh", ["-c", "echo ok"], where);
  if (answer?.text === "ok") return { name: "shell", result: "ok", needed: true, detail: "/bin/sh" };
  return {
    name: "shell",
    result: "missing",
    needed: true,
    detail: "/bin/sh cannot be run; commands of makers and verifiers need it (on Windows use WSL)",
  };
}

/** Loops commit under a name of their own; yours is used when you merge. */
async function identity(where: AskedWhere): Promise<Check> {
  const [name, email] = await Promise.all([ask("git", ["config", "user.name"], where), ask("git", ["config", "user.email"], where)]);
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
async function sandbox(home: Home, { env, program }: Pick<Around, "env" | "program">): Promise<Check> {
  const name = "sandbox";
  const means = await createBox(home.folder, environmentOf(env), { program }).means();
  switch (means.kind) {
    case "none":
      return {
        name,
        result: "missing",
        needed: false,
        detail: `${means.why}; makers and verifiers run without an OS sandbox, unless the spec requires one. ${means.hint}`.trim(),
      };
    case "bubblewrap":
      return {
        name,
        result: "ok",
        needed: false,
        detail: `bubblewrap ${means.version} (${means.path}) was tried: makers and verifiers write only in their room, see no secrets of your home, verifiers reach no network unless the spec says so, and a maker's can be kept to a list of hosts (\`box.maker.network\`)`,
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
async function agent(maker: string, { name, variables, files, login }: AgentProgram, where: AskedWhere): Promise<Check> {
  const env = environmentOf(where.env);
  const check = { name: `agent ${name}`, needed: false } as const;
  const path = await findProgram(name, env);
  if (!path) return { ...check, result: "missing", detail: `not on the PATH; the maker ${maker} needs it` };
  const answer = await ask(path, ["--version"], where, VERSION_MS);
  const version = /\d+\.\d+(?:\.\d+)?\S*/.exec(answer?.code === 0 ? answer.text : "")?.[0];
  const about = `${path}, ${version === undefined ? "version unknown" : version}`;
  const set = variables.filter((variable) => (env.get(variable) ?? "") !== "");
  const there = (await Promise.all(files.map(async (file) => ((await isInHome(file, env)) ? [`~/${file}`] : [])))).flat();
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
async function model(provider: ModelRef["provider"], env: Environment): Promise<Check> {
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
async function limits(home: Home): Promise<Check> {
  const name = "limits";
  try {
    const [{ zone, day, month }, { asOf, models }] = await Promise.all([loadLimits(home.folder), loadPrices(home.folder)]);
    const told = (caps: object): string =>
      Object.entries(caps)
        .map(([field, most]) => `${field} ${most}`)
        .join(", ") || "no cap";
    const detail = `a day: ${told(day)}; a month: ${told(month)}; days of ${zone}; ${limitsPath(home.folder)}; prices of ${asOf}, ${Object.keys(models).length} models`;
    return { name, result: "ok", needed: true, detail };
  } catch (error) {
    if (!(error instanceof LoopError)) throw error;
    return { name, result: "damaged", needed: true, detail: error.message };
  }
}

async function store(home: Home): Promise<Check> {
  const name = "store";
  try {
    const journal = await openSqliteJournal(createStore(home.folder), systemClock);
    const { entries, whole, damage } = await journal.inspect();
    journal.close();
    const memory = openDatabase(":memory:", "read-write");
    const version = String(memory.all("select sqlite_version() as version")[0]?.version);
    memory.close();
    const where = `${home.folder}, ${entries} record(s), SQLite ${version}`;
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

/** What specs prepared, such as installed dependencies. It may be removed at any time: what is missing is made again. */
async function prepared(home: Home): Promise<Check> {
  const { entries, bytes } = await measurePrepared(home.prepared);
  const detail =
    entries === 0
      ? "nothing is kept"
      : `${entries} set(s) of folders, about ${(bytes / 1_000_000).toFixed(1)} MB, in ${home.prepared}; they may be removed while no loop runs`;
  return { name: "prepared", result: "ok", needed: false, detail };
}
