// The box: what of the operating system keeps a command to its room. It is tried before it is believed in, once in a process.
import { execFile } from "node:child_process";
import { realpathSync, statSync } from "node:fs";
import { mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { Environment } from "../../contract/clock.ts";
import type { BoxFact, BoxWish, Command } from "../../contract/commands.ts";
import { LoopError } from "../../contract/errors.ts";
import { makeOwnFolder, temporaryFolder } from "../files/temporary.ts";
import { findProgram } from "../machine/survey.ts";
import { layUnder } from "../rooms/lay-under.ts";
import { findLayerTools, inLayers, type LayerTools, mountLines } from "../rooms/overlay.ts";
import { isIn, type Plan, placeNamed, planBox, type Standing } from "./box-plan.ts";
import { type Becoming, type Bubblewrap, becoming, bubblewrapped, type Enclosing, type Ground, profile } from "./bubblewrap.ts";
import { perlFilter } from "./call-filter.ts";
import type { EgressAround } from "./egress-proxy.ts";
import { openInnerWay, openOuterWay, type Way } from "./egress-way.ts";
import { findTools, type Tools } from "./find-tools.ts";
import { handOver, takeBack } from "./hand-over.ts";
import { FILTER_FD } from "./inside.ts";
import { type Laid, layGround, onlyRootsIn } from "./lay-ground.ts";
import { around as inNamespaces, mountsIn, type Namespaces, namespaced } from "./namespaces.ts";
import { homesBelow } from "./other-folders.ts";
import { profileText, seatbelted } from "./seatbelt.ts";
import { SYSTEM } from "./secret-places.ts";
import { tellHidden } from "./tell-hidden.ts";

/** What this machine has, after it was tried. */
export type BoxMeans =
  | { readonly kind: "none"; readonly why: string; readonly hint: string }
  | ({ readonly kind: "bubblewrap"; readonly version: string; readonly changesRoot: boolean } & Bubblewrap)
  | ({ readonly kind: "namespaces"; readonly version: string; readonly path: string; readonly changesRoot: boolean } & Namespaces)
  | { readonly kind: "seatbelt"; readonly path: string };

/** Ways to make a box on Linux, the best first. */
export type LinuxMeans = "bubblewrap" | "namespaces";
const LINUX_MEANS: readonly LinuxMeans[] = ["bubblewrap", "namespaces"];

/** What to start for a command, and what that keeps it to. */
export interface Enclosure {
  readonly argv: readonly string[];
  /** Whether it tells on streams of its own how the command ended. */
  readonly tells: boolean;
  readonly fact: BoxFact;
  /** The file that says which calls are refused, for the stream that it is read from. */
  readonly filter?: string;
  /** Whom its streams must belong to, so that it may open them by their names; not there where that is us. */
  readonly owner?: number;
  /** The way out that is open as long as the command runs. */
  readonly way?: Pick<Way, "env" | "close">;
  /** What of all that it did not find is only hidden, by the last that it printed. */
  readonly missed?: (tail: string) => Promise<string | undefined>;
}

type Wishing = Command & { readonly box?: BoxWish | undefined };

export interface Box {
  means(): Promise<BoxMeans>;
  /** Said before anything is spent, where a spec requires one. */
  mustBeThere(): Promise<void>;
  enclose(command: Wishing): Promise<Enclosure>;
  /** Gives the rooms of such a box to whom its commands are run as, before one is: for who looks at them before and after. */
  give(wish: BoxWish): Promise<void>;
  /** Where toolchains lie outside of the system. */
  tools(): Promise<readonly string[]>;
  /** Whom commands are run as that need nothing of ours, where that is not us. */
  owner(): Promise<number | undefined>;
  /** What such a box would show, and what it would not. */
  plan(wish: BoxWish): Promise<Plan>;
}

/** What a box may be told beside the environment. */
export interface BoxAbout extends Omit<EgressAround, "env"> {
  /** The words that start us: what is in a box may need the folder that our file lies in. */
  readonly program?: readonly string[];
  /** Which may be used; all that there are if it is not said. */
  readonly means?: readonly LinuxMeans[];
}

/** What is found once in a process. */
interface Around {
  readonly env: Environment;
  /** The programs that lay folders under a room. */
  readonly layerTools: () => Promise<LayerTools | undefined>;
  readonly standing: () => Standing;
  readonly laid: () => Laid;
  readonly means: readonly LinuxMeans[];
}

export function createBox(ourHome: string, env: Environment, { program = [], means: allowed = LINUX_MEANS, ...about }: BoxAbout = {}): Box {
  const userHomes = homesOf(env);
  const ourPlaces = program[1] === undefined ? [] : placesOfProgram(program[1]);
  const laid = (): Laid => layGround(env, userHomes[0]);
  let tools: Tools | undefined;
  let layerTools: Promise<LayerTools | undefined> | undefined;
  const around: Around = {
    env,
    layerTools: () => (layerTools ??= findLayerTools(env)),
    means: allowed,
    laid,
    standing() {
      tools ??= findTools({ env, userHomes, shown: SYSTEM, programs: [process.execPath] });
      system ??= lookAtSystem();
      return {
        ourHome,
        otherHomes: [...otherHomesOf(env), ...system.homes],
        userHomes,
        tools,
        onlyRoots: system.onlyRoots,
        instead: process.platform === "linux" ? laid().instead : [],
        ourProgram: ourPlaces,
      };
    },
  };
  let found: Promise<BoxMeans> | undefined;
  const means = (): Promise<BoxMeans> => (found ??= knownMeans(around));
  const mustBeThere = async (): Promise<void> => {
    const has = await means();
    if (has.kind === "none") throw boxMissing(has);
  };
  return {
    means,
    mustBeThere,
    enclose: (command) => enclose(command, around, means, { ...about, env }),
    async give(wish) {
      const has = await means();
      if (has.kind === "bubblewrap" || has.kind === "namespaces") {
        const { user, given } = await giftsOf(has, wish, around);
        await giveRooms(user, given);
      }
    },
    tools: async () => around.standing().tools?.shows ?? [],
    async owner() {
      const has = await means();
      return (has.kind === "bubblewrap" || has.kind === "namespaces") && has.changesRoot ? has.ground.user?.uid : undefined;
    },
    plan: async (wish) => planBox(wish, around.standing()),
  };
}

/** What of the system's own folders is to be hidden. */
interface System {
  readonly onlyRoots: readonly string[];
  readonly homes: readonly string[];
}

/** Looked at once in a process. */
let system: System | undefined;

const lookAtSystem = (): System => ({
  onlyRoots: process.getuid?.() === 0 ? onlyRootsIn(["/etc", "/usr/local/etc", "/opt"]) : [],
  homes: homesBelow(["/opt", "/usr/local", "/usr/src"]),
});

/** Homes of ours that are usual or named, though another one is in use. */
const otherHomesOf = (env: Environment): readonly string[] =>
  [env.get("LOOPWRIGHT_HOME"), env.get("XDG_STATE_HOME") && join(env.get("XDG_STATE_HOME") ?? "", "loopwright")].filter(
    (path): path is string => path !== undefined && isAbsolute(path),
  );

/** All that starts us again: the name, which may be a link from a folder of programs, what it leads to, and how that is to be read. */
function placesOfProgram(named: string): readonly string[] {
  const folder = dirname(realPathOf(named));
  return [named, folder, join(dirname(folder), "package.json")];
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // gone since it was started
  }
}

/** Nothing is enforced; for what needs no box. */
export const noBox: Box = {
  means: async () => ({ kind: "none", why: "there is no box here", hint: "" }),
  mustBeThere: async () => {
    throw boxMissing({ kind: "none", why: "there is no box here", hint: "" });
  },
  enclose: async ({ run }) => plainly(run, "there is no box here"),
  give: async () => {},
  tools: async () => [],
  owner: async () => undefined,
  plan: async () => ({ places: [], links: [], hides: [] }),
};

async function enclose(
  { run, cwd, env, box }: Wishing,
  around: Around,
  means: () => Promise<BoxMeans>,
  egress: EgressAround,
): Promise<Enclosure> {
  if (!box) return plainly(run, "none was asked for");
  const has = await means();
  const listed = typeof box.network === "object" ? box.network : undefined;
  if (has.kind === "none") {
    if (box.when === "required") throw boxMissing(has);
    // Nothing keeps it to the proxy; but its credentials are there, so that it can work.
    return { ...plainly(run, has.why), ...(listed ? { way: await openOuterWay(listed, egress) } : {}) };
  }
  const standing = around.standing();
  const named = (path: string): string => placeNamed(path, box.folder, standing.userHomes[0]);
  for (const path of box.makes ?? []) await mkdir(named(path), { recursive: true, mode: 0o700 }).catch(() => {}); // then it is not there
  const way = listed && (await (has.kind === "seatbelt" ? openOuterWay : openInnerWay)(listed, egress));
  const plan = planBox({ ...box, needs: [...box.needs, ...(way?.needs ?? [])] }, standing, way?.sockets ?? []);
  const { user, given } = has.kind === "seatbelt" ? NO_GIFTS : await giftsOf(has, box, around);
  await giveRooms(user, [...given, ...(way?.given ?? [])]);
  const fact: BoxFact = {
    kind: has.kind,
    ...(typeof box.network === "string" ? { network: box.network } : { network: "listed", reaches: way?.reaches ?? [] }),
    writes: await realPlaces(box.writes.map(named), plan),
    hides: plan.hides,
    ...(filtersCalls(has) ? { calls: "filtered" } : {}),
    ...(user.kind === "same" ? {} : { user: user.kind }),
    ...(box.layered ? { rooms: "layered" } : {}),
  };
  // The folder itself may be gone; then the start says so, in the same words as without a box.
  const at = await realpath(cwd).catch(() => cwd);
  const missed = (tail: string): Promise<string | undefined> =>
    tellHidden({
      tail,
      plan,
      path: env.PATH ?? "",
      userHomes: standing.userHomes,
      unspoken: [standing.ourHome, ...(standing.otherHomes ?? []), ...box.hidden.map(named)],
      key: `box.${box.part ?? "maker"}.reads`,
    });
  const owner = user.kind === "changed" ? { owner: user.uid } : {};
  const common = { tells: has.kind !== "seatbelt", fact, missed, ...owner, ...(way ? { way } : {}) };
  const filter = has.kind !== "seatbelt" && has.ground.filter !== undefined ? { filter: has.ground.filter } : {};
  const layers = box.layered && (await layersFor(box.layered, has, user, around));
  const enclosing = { network: box.network, becoming: user, part: box.part, ...(layers ? { layers } : {}) };
  switch (has.kind) {
    case "bubblewrap":
      return { ...common, ...filter, argv: bubblewrapped(has, plan, enclosing, at, [run, ...(way?.forwarder ?? [])]) };
    case "namespaces": {
      const mounts = mountsIn(await readFile("/proc/self/mountinfo", "utf8"));
      return { ...common, ...filter, argv: namespaced(has, plan, enclosing, at, mounts, [run, ...(way?.forwarder ?? [])]) };
    }
    case "seatbelt":
      return { ...common, argv: seatbelted(has.path, plan.places, box, { run, ports: way?.ports ?? [] }) };
  }
}

/** What is mounted under its room before the box is made, which takes it over. Only who was told that layers work here wishes for any. */
async function layersFor(
  layered: NonNullable<BoxWish["layered"]>,
  has: Exclude<BoxMeans, { readonly kind: "none" }>,
  user: Becoming,
  { layerTools }: Around,
): Promise<NonNullable<Enclosing["layers"]>> {
  const tools = await layerTools();
  if (has.kind === "seatbelt" || tools === undefined)
    throw new LoopError("box-unusable", "a room has layers under it, and this machine cannot lay them any more", {
      retry: "later",
      hint: "Look with `lw doctor` what has changed, then go on with `lw resume`.",
    });
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const uid = user.kind === "changed" ? user.uid : own.uid;
  const laid = await Promise.all(layered.map((each) => layUnder(each, uid)));
  const lines = laid.map((each) => mountLines(tools, each, own.uid === 0)).join("\n");
  return { lines, around: inLayers(tools, lines, own.uid === 0), ...(own.uid === 0 ? {} : { user: own }) };
}

const SAME: Becoming = { kind: "same" };
const NO_GIFTS: Gifts = { user: SAME, given: [] };

interface Gifts {
  /** Whom its commands are run as. */
  readonly user: Becoming;
  /** What must belong to them: beside its rooms, files of ours that are laid down for it, such as its brief. */
  readonly given: readonly string[];
}

type LinuxBox = Extract<BoxMeans, { readonly kind: "bubblewrap" | "namespaces" }>;

async function giftsOf(has: LinuxBox, box: BoxWish, around: Around): Promise<Gifts> {
  const { ourHome, userHomes } = around.standing();
  const given = [...box.rooms, ...box.needs.filter((path) => isIn(path, ourHome) && isFile(path))];
  const lent = [...box.reads, ...box.needs]
    .map((path) => placeNamed(path, box.folder, userHomes[0]))
    .filter((path) => !given.includes(path));
  return { user: becomingIn(has, box.writes, lent), given };
}

/** Root is somebody else inside, unless it is shown what only root may read, or opened what it may write, such as an agent's own login. */
function becomingIn({ ground, changesRoot }: LinuxBox, writes: readonly string[], reads: readonly string[]): Becoming {
  if (!ground.user) return SAME;
  const isFree = changesRoot && writes.length === 0 && reads.every(isForAll);
  return { kind: isFree ? "changed" : "shown", ...ground.user };
}

/** Whether everybody may read it; of a socket, speak to it. What is not there is nobody's. */
function isForAll(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return true;
  const wanted = found.isSocket() ? 0o002 : found.isDirectory() ? 0o005 : 0o004;
  return (found.mode & wanted) === wanted;
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Its own places must be its own. */
async function giveRooms(user: Becoming, rooms: readonly string[]): Promise<void> {
  if (user.kind === "changed") await handOver(rooms, user.uid);
  if (user.kind === "shown") await takeBack(rooms, 0);
}

const filtersCalls = (has: Exclude<BoxMeans, { readonly kind: "none" }>): boolean =>
  has.kind === "bubblewrap" ? has.ground.filter !== undefined : has.kind === "namespaces" && has.filters.kind !== "none";

const plainly = (run: string, why: string): Enclosure => ({
  argv: ["/bin/sh", "-c", "--", run],
  tells: false,
  fact: { kind: "none", why },
});

/** What the spec opened and truly is open. */
async function realPlaces(asked: readonly string[], { places }: Plan): Promise<readonly string[]> {
  const real = await Promise.all(asked.map((path) => realpath(path).catch(() => undefined)));
  return real.flatMap((path) =>
    path !== undefined && places.some((place) => place.path === path && place.access === "write") ? [path] : [],
  );
}

const boxMissing = ({ why, hint }: Extract<BoxMeans, { kind: "none" }>): LoopError =>
  new LoopError("box-unusable", `the spec requires a box, and this machine has none: ${why}`, {
    retry: "never",
    hint: `${hint} Or set \`box\` in the spec to \`when: available\`, which goes on without one and says so.`.trim(),
  });

/** As the environment says, and as the system knows the user: they need not be the same. */
export function homesOf(env: Environment): readonly string[] {
  const named = env.get("HOME");
  const known = (() => {
    try {
      return userInfo().homedir;
    } catch {
      // A user id without an entry.
      return undefined;
    }
  })();
  return [...new Set([named, known].filter((home) => home !== undefined && isAbsolute(home) && home !== "/"))] as readonly string[];
}

/** What was found by trying, for each way of asking: a process may have many homes, and the machine is one. */
const tried = new Map<string, Promise<BoxMeans>>();

/** Where homes and work lie is no part of what is asked: it is tried with folders made for that, and whoever's home a file names, it is laid the same way. */
function knownMeans(around: Around): Promise<BoxMeans> {
  const { tools, onlyRoots, instead = [], ourProgram } = around.standing();
  const laid = instead.map(({ path }) => path);
  const key = JSON.stringify([around.env.get("PATH"), temporaryFolder(around.env), around.means, tools, onlyRoots, laid, ourProgram]);
  const known = tried.get(key);
  if (known) return known;
  const found = findMeans(around);
  tried.set(key, found);
  // What did not work may have been hindered, and is tried again by who asks next.
  const forget = (): void => void tried.delete(key);
  found.then(({ kind }) => (kind === "none" ? forget() : undefined), forget);
  return found;
}

async function findMeans(around: Around): Promise<BoxMeans> {
  if (process.platform === "linux") return findLinux(around);
  if (process.platform === "darwin") return findSeatbelt(around);
  return { kind: "none", why: `no sandbox is known for ${process.platform}`, hint: "On Windows use WSL." };
}

/** The first that works; where none does, what is wrong with each. */
async function findLinux(around: Around): Promise<BoxMeans> {
  const failed: Extract<BoxMeans, { readonly kind: "none" }>[] = [];
  for (const means of around.means) {
    const found = await (means === "bubblewrap" ? findBubblewrap(around) : findNamespaces(around)).catch(whyNone);
    if (found.kind !== "none") return found;
    failed.push(found);
  }
  return {
    kind: "none",
    why: failed.map(({ why }) => why).join("; ") || "no means was allowed",
    hint: [...new Set(failed.map(({ hint }) => hint))].join(" "),
  };
}

/** A place of ours that is not ours alone. */
function whyNone(error: unknown): Extract<BoxMeans, { readonly kind: "none" }> {
  if (!(error instanceof LoopError)) throw error;
  return { kind: "none", why: error.message, hint: error.hint };
}

/** Beside what every box must do: a network of its own, in which there is nobody else, a root that is read-only, and no setting of the kernel that can be written. */
const ALONE = `[ "$(readlink /proc/self/ns/net)" != "$1" ] && ! grep -v -e '|' -e ' lo:' /proc/net/dev && grep -q -E '^[0-9]+ [0-9]+ [0-9:]+ [^ ]+ / ro' /proc/self/mountinfo && ! true >> /proc/sys/kernel/core_pattern && ! true >> /proc/sysrq-trigger && ! true >> /proc/$$/mem && echo alone
grep -q -E '^Seccomp:[[:space:]]*2' /proc/self/status && echo filtered`;

async function findBubblewrap(around: Around): Promise<BoxMeans> {
  const path = await findProgram("bwrap", around.env);
  if (!path || !isAbsolute(path)) {
    return {
      kind: "none",
      why: "bubblewrap (bwrap) is not on the PATH",
      hint: "Install it, for example with `apt install bubblewrap`, `dnf install bubblewrap` or `pacman -S bubblewrap`.",
    };
  }
  const version = /(\d+)\.(\d+)\S*/.exec((await ask(path, ["--version"], around.env)).text);
  const sizes = Number(version?.[1] ?? 0) > 0 || Number(version?.[2] ?? 0) >= 7;
  const { ground } = around.laid();
  const shown = (ground: Ground): Becoming => (ground.user ? { kind: "shown", ...ground.user } : SAME);
  const found = await firstThatWorks([ground, { ...ground, filter: undefined }], (ground) =>
    tryBubblewrap(around, { path, sizes, ground }, shown(ground)),
  );
  if (found.kind === "fails") return { kind: "none", why: `${path} cannot make a box here: ${found.why}`, hint: hintFor(found.why) };
  const setpriv = ground.user && sizes ? await findProgram("setpriv", around.env) : undefined;
  const bwrap = { path, sizes, ground: found.with, setpriv };
  const changesRoot =
    ground.user !== undefined &&
    setpriv !== undefined &&
    (await tryBubblewrap(around, bwrap, { kind: "changed", ...ground.user })).kind === "works";
  return { kind: "bubblewrap", version: version?.[0] ?? "unknown", ...bwrap, changesRoot };
}

const tryBubblewrap = (around: Around, bwrap: Bubblewrap, user: Becoming): Promise<Tried> =>
  tryOut(around, bwrap.ground.filter, user, ({ wish, plan, room, run }) => [
    ...profile(bwrap, plan, { network: wish.network, becoming: user, part: wish.part }, room),
    "--",
    ...becoming(bwrap, user, room),
    "/bin/sh",
    "-c",
    `${run}\n${ALONE}`,
    "sh",
  ]);

/** What could not be had is left out, from the best to the least. */
async function firstThatWorks<With>(
  choices: readonly With[],
  attempt: (choice: With) => Promise<Tried>,
): Promise<{ readonly kind: "works"; readonly with: With } | Extract<Tried, { readonly kind: "fails" }>> {
  let tried: Tried = { kind: "fails", why: "nothing was tried" };
  for (const choice of choices) {
    tried = await attempt(choice);
    if (tried.kind === "works") return { kind: "works", with: choice };
  }
  return tried;
}

/** Systems keep some of these where only root's PATH leads. */
const TOOL_FOLDERS = "/usr/sbin:/usr/bin:/sbin:/bin";

async function findNamespaces(around: Around): Promise<BoxMeans> {
  const env: Environment = { get: (name) => (name === "PATH" ? `${around.env.get("PATH") ?? ""}:${TOOL_FOLDERS}` : around.env.get(name)) };
  const [unshare, mount, umount, pivotRoot, setpriv, mkdirTool, ln, perl] = await Promise.all(
    ["unshare", "mount", "umount", "pivot_root", "setpriv", "mkdir", "ln", "perl"].map((name) => findProgram(name, env)),
  );
  if (!unshare || !mount || !umount || !pivotRoot || !setpriv || !mkdirTool || !ln)
    return {
      kind: "none",
      why: "the tools of util-linux (unshare, mount, pivot_root, setpriv) are not all here",
      hint: "Install util-linux.",
    };
  const [about, help, privHelp] = await Promise.all(
    [
      [unshare, "--version"],
      [unshare, "--help"],
      [setpriv, "--help"],
    ].map(([tool = "", flag = ""]) => ask(tool, [flag], env)),
  );
  const version = /util-linux (\S+)/.exec(about?.text ?? "")?.[1];
  if (version === undefined || !help?.text.includes("--kill-child"))
    return { kind: "none", why: `${unshare} is not the one of util-linux that is needed`, hint: "Install util-linux." };
  const { ground, site } = around.laid();
  const code = perlFilter(process.arch);
  const carriers: readonly Namespaces["filters"][] = [
    ...(ground.filter && privHelp?.text.includes("--seccomp-filter") ? [{ kind: "setpriv" } as const] : []),
    ...(ground.filter && perl && code !== undefined ? [{ kind: "perl", path: perl, code } as const] : []),
    { kind: "none" },
  ];
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const mapsUsers = ["--map-user", "--map-group", "--keep-caps"].every((flag) => help.text.includes(flag));
  const tools = { unshare, mount, umount, pivotRoot, setpriv, mkdir: mkdirTool, ln };
  const has: Omit<Namespaces, "filters"> = { ...tools, mapsUsers, site, ground, user: own };
  const mounts = mountsIn(await readFile("/proc/self/mountinfo", "utf8"));
  const attempt = (filters: Namespaces["filters"], user: Becoming): Promise<Tried> =>
    tryOut(around, filters.kind === "none" ? undefined : ground.filter, user, ({ wish, plan, room, run }) =>
      inNamespaces({ ...has, filters }, plan, { network: wish.network, becoming: user, part: wish.part }, room, mounts, [
        "/bin/sh",
        "-c",
        `${run}\n${ALONE}`,
        "sh",
      ]),
    );
  const shown: Becoming = ground.user ? { kind: "shown", ...ground.user } : SAME;
  const found = await firstThatWorks(carriers, (filters) => attempt(filters, shown));
  if (found.kind === "fails") return { kind: "none", why: `${unshare} cannot make a box here: ${found.why}`, hint: hintFor(found.why) };
  const changesRoot = ground.user !== undefined && (await attempt(found.with, { kind: "changed", ...ground.user })).kind === "works";
  return { kind: "namespaces", version, path: unshare, ...has, filters: found.with, changesRoot };
}

const hintFor = (why: string): string =>
  /no space left/i.test(why)
    ? "User namespaces are used up or switched off: raise the sysctl user.max_user_namespaces."
    : /namespace|uid.?map|permission|permitted|EPERM|unshare/i.test(why)
      ? "User namespaces seem to be refused: allow them (on Ubuntu an AppArmor profile for bwrap, elsewhere the sysctl user.max_user_namespaces or kernel.unprivileged_userns_clone); in a container they need its runtime's leave."
      : "Try it by hand: bwrap --ro-bind / / --unshare-all true, or unshare --user --map-root-user --mount true";

async function findSeatbelt(around: Around): Promise<BoxMeans> {
  const path = "/usr/bin/sandbox-exec";
  const trial = await tryOut(around, undefined, SAME, ({ wish, plan, run, port }) => [
    path,
    "-p",
    profileText(plan.places, wish),
    "/bin/bash",
    "-c",
    `${run}\n(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null || echo alone`,
    "bash",
  ]);
  return trial.kind === "works"
    ? { kind: "seatbelt", path }
    : {
        kind: "none",
        why: `${path} cannot make a box here: ${trial.why}`,
        hint: "Try it by hand: sandbox-exec -p '(version 1)(allow default)' true",
      };
}

interface Trial {
  readonly wish: BoxWish;
  readonly plan: Plan;
  readonly room: string;
  readonly run: string;
  readonly port: number;
}

type Tried = { readonly kind: "works" } | { readonly kind: "fails"; readonly why: string };

/** Runs a tiny command that tries what a box must not let it do, and looks from outside at what came of it. */
async function tryOut(
  { standing, env }: Around,
  filter: string | undefined,
  user: Becoming,
  argvOf: (trial: Trial) => readonly string[],
): Promise<Tried> {
  const folder = await realpath(await makeOwnFolder("box", tmpdir()));
  const [room, seen, hidden] = [join(folder, "room"), join(folder, "seen"), join(folder, "hidden")];
  const server = await listen();
  try {
    for (const place of [seen, hidden]) await mkdir(place);
    await mkdir(room, { mode: 0o700 });
    await writeFile(join(seen, "text"), "plain\n");
    await writeFile(join(hidden, "text"), "secret\n");
    // Shown, and root's alone: for who is not root any more it is not there.
    await writeFile(join(seen, "private"), "roots\n", { mode: 0o600 });
    await giveRooms(user, [room]);
    const wish: BoxWish = {
      when: "available",
      network: "closed",
      rooms: [room],
      needs: [seen],
      reads: [],
      writes: [],
      hidden: [hidden],
      folder,
      part: "verifiers",
    };
    const run = `exec 2>&1
cat '${seen}/text'; cat '${seen}/private'; cat '${hidden}/text'; echo x > '${seen}/mark'; echo x > '${hidden}/mark'; echo x > '${folder}/mark'; echo x > '${room}/mark'`;
    const plan = planBox(wish, standing());
    const ourNetwork = await ask("/bin/sh", ["-c", "readlink /proc/self/ns/net"], env);
    const argv = argvOf({ wish, plan, room, run, port: server.port });
    const open = filter === undefined ? 'exec "$@"' : `exec "$@" ${FILTER_FD}<"$0"`;
    const { text } = await ask("/bin/sh", ["-c", open, filter ?? "sh", ...argv, ourNetwork.text], env);
    const lines = text.split("\n");
    const marks = await Promise.all([room, seen, hidden, folder].map((place) => isThere(join(place, "mark"))));
    if (!marks[0]) return { kind: "fails", why: text.slice(0, 300) || "it did not run a command" };
    if (marks.slice(1).some(Boolean)) return { kind: "fails", why: "a boxed command could write outside its room" };
    if (!lines.includes("plain")) return { kind: "fails", why: "a boxed command could not read what it should" };
    if (user.kind === "changed" && lines.includes("roots")) return { kind: "fails", why: "a boxed command could still read as root" };
    if (lines.includes("secret")) return { kind: "fails", why: "a boxed command could read what is hidden" };
    if (!lines.includes("alone"))
      return { kind: "fails", why: "a boxed command could reach the network, write to the root, or change settings of the kernel" };
    if (filter !== undefined && !lines.includes("filtered")) return { kind: "fails", why: "calls of a boxed command were not filtered" };
    return { kind: "works" };
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const isThere = (path: string): Promise<boolean> =>
  readFile(path).then(
    () => true,
    () => false,
  );

/** Somebody to be reached, if the box lets it. */
function listen(): Promise<{ readonly port: number; readonly close: () => void }> {
  const server: Server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const at = server.address();
      resolve({ port: typeof at === "object" && at ? at.port : 0, close: () => void server.close() });
    });
  });
}

/** What a program prints, whatever becomes of it. */
const ask = (program: string, args: readonly string[], env: Environment): Promise<{ readonly text: string }> =>
  new Promise((resolve) => {
    const around = { env: { PATH: env.get("PATH") }, timeout: 10_000, killSignal: "SIGKILL", encoding: "utf8" } as const;
    execFile(program, [...args], around, (error, stdout, stderr) =>
      resolve({ text: `${stdout}${stderr}`.trim() || (error ? error.message : "") }),
    );
  });
