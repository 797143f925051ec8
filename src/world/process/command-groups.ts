// Groups of processes that the kernel bounds in memory and in number (cgroups): found where this process may make them, one for each command.
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** What all processes of a command may take together. */
export interface Most {
  readonly memoryBytes: number;
  readonly tasks: number;
}

export interface CommandGroup {
  /** Where the command's first process writes its own number, before it begins; not there where nothing bounds that. */
  readonly memory?: string;
  readonly tasks?: string;
  /** Whether the kernel ended somebody in it because its memory was used up. */
  ranOut(): boolean;
  /** Safe to call twice. Whoever is in it must have been ended; it may take the kernel a moment to be done with them. */
  letGo(): void;
}

/** Where groups are made: version 1 has a tree for each of what it bounds, version 2 has one for all. */
interface Site {
  readonly memory: string | undefined;
  readonly tasks: string | undefined;
  readonly version: 1 | 2;
}

const NAME = /^loopwright-(\d+)-\d+$/;
const LET_GO_WITHIN = 40;
const ASK_AGAIN_MS = 50;

let site: Site | undefined;
let made = 0;

/** A group of nobody where the system has none for us: then something else must bound the command. */
export function openGroup(most: Most): CommandGroup {
  site ??= findAndSweep();
  const name = `loopwright-${process.pid}-${++made}`;
  const { version } = site;
  const memory = make(site.memory, name, (folder) => boundMemory(folder, version, most.memoryBytes));
  const tasks =
    version === 2 && site.tasks === site.memory && memory !== undefined
      ? quietly(() => set(memory, "pids.max", most.tasks)) && memory
      : make(site.tasks, name, (folder) => set(folder, "pids.max", most.tasks));
  const folders = [...new Set([memory, tasks].filter((folder) => folder !== undefined))];
  return {
    ...(memory === undefined ? {} : { memory: join(memory, "cgroup.procs") }),
    ...(tasks === undefined ? {} : { tasks: join(tasks, "cgroup.procs") }),
    ranOut: () => memory !== undefined && killsIn(memory, version) > 0,
    letGo: () => remove(folders, LET_GO_WITHIN),
  };
}

function make(at: string | undefined, name: string, bound: (folder: string) => void): string | undefined {
  if (at === undefined) return undefined;
  const folder = join(at, name);
  return quietly(() => {
    mkdirSync(folder);
    try {
      bound(folder);
    } catch (error) {
      rmdirSync(folder);
      throw error;
    }
    return folder;
  });
}

function boundMemory(folder: string, version: 1 | 2, bytes: number): void {
  if (version === 1) {
    set(folder, "memory.limit_in_bytes", bytes);
    // Both only where the kernel was built or started with them.
    quietly(() => set(folder, "memory.memsw.limit_in_bytes", bytes));
    return;
  }
  set(folder, "memory.max", bytes);
  quietly(() => set(folder, "memory.swap.max", 0));
  quietly(() => set(folder, "memory.oom.group", 1));
}

/** It says whether the system took it: a number may only be lowered where somebody else has bounded us more. */
function set(folder: string, file: string, value: number): true {
  writeFileSync(join(folder, file), `${value}`);
  return true;
}

const killsIn = (folder: string, version: 1 | 2): number =>
  Number(
    /^oom_kill (\d+)$/m.exec(
      quietly(() => readFileSync(join(folder, version === 1 ? "memory.oom_control" : "memory.events"), "latin1")) ?? "",
    )?.[1] ?? 0,
  );

/** Nobody waits for it: what is left after all is swept by the next of us. */
function remove(folders: readonly string[], tries: number): void {
  const left = folders.filter((folder) => quietly(() => readdirSync(folder)) !== undefined && quietly(() => removed(folder)) !== true);
  if (left.length > 0 && tries > 0) setTimeout(() => remove(left, tries - 1), ASK_AGAIN_MS).unref();
}

function removed(folder: string): true {
  rmdirSync(folder);
  return true;
}

function findAndSweep(): Site {
  const found = findSite(
    quietly(() => readFileSync("/proc/self/cgroup", "utf8")) ?? "",
    quietly(() => readFileSync("/proc/self/mountinfo", "utf8")) ?? "",
  );
  for (const folder of new Set([found.memory, found.tasks])) if (folder !== undefined) sweep(folder);
  return found;
}

/** Those of processes of ours that are gone. */
function sweep(at: string): void {
  for (const name of quietly(() => readdirSync(at)) ?? []) {
    const pid = Number(NAME.exec(name)?.[1] ?? 0);
    if (pid > 0 && quietly(() => process.kill(pid, 0)) === undefined) quietly(() => rmdirSync(join(at, name)));
  }
}

/** Pure, apart from looking whether it may be written. */
export function findSite(groups: string, mounts: string, mayWrite: (path: string) => boolean = isWritable): Site {
  const mounted = mounts.split("\n").flatMap(parseMount);
  const own = groups.split("\n").flatMap(parseGroup);
  const first = (controller: string): string | undefined => {
    const group = own.find(({ controllers }) => controllers.includes(controller));
    const mount = mounted.find(({ type, options }) => type === "cgroup" && options.includes(controller));
    const folder = group && mount && within(mount, group.path);
    return folder !== undefined && mayWrite(folder) ? folder : undefined;
  };
  if (own.some(({ controllers }) => controllers.includes("memory"))) return { version: 1, memory: first("memory"), tasks: first("pids") };
  const unified = own.find(({ controllers }) => controllers.length === 0);
  const mount = mounted.find(({ type }) => type === "cgroup2");
  const folder = unified && mount && within(mount, unified.path);
  // A group that has processes, as ours has, gives nothing to bound to those in it; those beside it are bounded if its parent lets them.
  const around = folder === undefined || folder === mount?.at ? undefined : dirname(folder);
  const usable = around !== undefined && mayWrite(around) && mayWrite(join(around, "cgroup.procs")) ? around : undefined;
  return { version: 2, memory: usable, tasks: usable };
}

interface Mount {
  readonly root: string;
  readonly at: string;
  readonly type: string;
  readonly options: readonly string[];
}

/** `id parent device root at flags … - type source options` */
function parseMount(line: string): readonly Mount[] {
  const [before = "", after = ""] = line.split(" - ");
  const [, , , root, at] = before.split(" ");
  const [type, , options = ""] = after.split(" ");
  return root === undefined || at === undefined || type === undefined ? [] : [{ root, at, type, options: options.split(",") }];
}

/** `id:controllers:path`; version 2 names none. */
function parseGroup(line: string): readonly { readonly controllers: readonly string[]; readonly path: string }[] {
  const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
  return controllers === undefined || path === undefined ? [] : [{ controllers: controllers.split(",").filter(Boolean), path }];
}

/** Where a group lies; undefined where this mount does not show it. */
function within({ root, at }: Mount, path: string): string | undefined {
  if (root === "/") return resolve(at, `.${path}`);
  return path === root || path.startsWith(`${root}/`) ? resolve(at, `.${path.slice(root.length)}`) : undefined;
}

function isWritable(path: string): boolean {
  return quietly(() => accessSync(path, constants.W_OK) === undefined) ?? false;
}

/** What the system refuses is not there for us. */
function quietly<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
