// What this machine has for loops, and what it lacks. It says unknown where it cannot tell.
import { LoopError } from "../contract/errors.ts";
import { openSqliteJournal } from "../journal/sqlite-journal.ts";
import { systemClock } from "../world/clock.ts";
import { driverName, openDatabase } from "../world/sqlite.ts";
import { createStore } from "../world/store.ts";
import { ask, findProgram, machine } from "../world/survey.ts";
import type { Home } from "./home.ts";
import { limitsPath, loadLimits, loadPrices } from "./read-limits.ts";

export interface Check {
  readonly name: string;
  readonly result: "ok" | "missing" | "unknown" | "damaged";
  /** Whether a loop can do without it. */
  readonly needed: boolean;
  readonly detail: string;
}

const AGENTS = ["claude", "codex", "gemini", "opencode", "pi", "aider", "cursor-agent", "copilot"];

export async function examine(home: Home): Promise<readonly Check[]> {
  const checks = await Promise.all([node(), git(), shell(), identity(), sandbox(), store(home), limits(home), ...AGENTS.map(agent)]);
  return checks;
}

async function node(): Promise<Check> {
  const [major = 0, minor = 0] = machine.nodeVersion.split(".").map(Number);
  const fits = major > 20 || (major === 20 && minor >= 19);
  const detail = `${machine.nodeVersion}, SQLite by ${driverName()}`;
  return { name: "node", result: fits ? "ok" : "missing", needed: true, detail: fits ? detail : `${detail}; 20.19 or newer is needed` };
}

async function git(): Promise<Check> {
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

async function shell(): Promise<Check> {
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
async function identity(): Promise<Check> {
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

async function sandbox(): Promise<Check> {
  const name = "sandbox";
  if (machine.platform === "linux") {
    const path = await findProgram("bwrap");
    if (!path)
      return {
        name,
        result: "missing",
        needed: false,
        detail: "bubblewrap (bwrap) is not on the PATH; makers and verifiers run without an OS sandbox",
      };
    const works = await ask(path, ["--ro-bind", "/", "/", "--unshare-net", "true"]);
    const detail =
      works?.code === 0
        ? `${path} works; this version does not put makers or verifiers in it yet`
        : `${path} is there but cannot make a sandbox here: ${works?.text.slice(0, 120) ?? "no answer"}`;
    return { name, result: works?.code === 0 ? "ok" : "missing", needed: false, detail };
  }
  if (machine.platform === "darwin") {
    const path = await findProgram("sandbox-exec");
    return {
      name,
      result: path ? "unknown" : "missing",
      needed: false,
      detail: path ? `${path} is there; it was not tried, and this version does not use it yet` : "sandbox-exec is not on the PATH",
    };
  }
  return { name, result: "unknown", needed: false, detail: `no sandbox is known for ${machine.platform}` };
}

async function agent(name: string): Promise<Check> {
  const path = await findProgram(name);
  return path
    ? { name: `agent ${name}`, result: "ok", needed: false, detail: `${path}; whether it is signed in is unknown` }
    : { name: `agent ${name}`, result: "missing", needed: false, detail: "not on the PATH" };
}

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
