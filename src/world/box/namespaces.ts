// A command in namespaces that util-linux makes, for a Linux without bubblewrap: the same places, by the tools that every Linux has.
import { join } from "node:path";
import { shellWord } from "../../std/shell-word.ts";
import { depthOf, isIn, type Link, type Place, type Plan } from "./box-plan.ts";
import { dropping, type Enclosing, type Ground, MOST_TEMPORARY_BYTES } from "./bubblewrap.ts";
import { FILTER_FD, type Inmate, insideThatTells } from "./inside.ts";

/** Programs of util-linux, and the shell, by their paths. */
export interface Namespaces {
  readonly unshare: string;
  readonly mount: string;
  readonly umount: string;
  readonly pivotRoot: string;
  readonly setpriv: string;
  readonly mkdir: string;
  readonly ln: string;
  /** Whether the user can be shown as somebody else than root, as by those from 2.36 on. */
  readonly mapsUsers: boolean;
  /** Who carries the filter of calls: setpriv itself from 2.41 on, else perl; the code that perl runs for it. */
  readonly filters:
    | { readonly kind: "setpriv" }
    | { readonly kind: "perl"; readonly path: string; readonly code: string }
    | { readonly kind: "none" };
  /** An empty folder of ours, over which the box is built: nobody else sees what is mounted there. */
  readonly site: string;
  readonly ground: Ground;
  /** Who we are. */
  readonly user: { readonly uid: number; readonly gid: number };
}

/** A mount of this machine, with what of its flags nobody may take away. */
export interface Mounted {
  readonly path: string;
  readonly noexec: boolean;
}

const DEVICES = ["null", "zero", "full", "random", "urandom", "tty"];
const DEVICE_LINKS: readonly Link[] = [
  { path: "/dev/fd", to: "/proc/self/fd" },
  { path: "/dev/stdin", to: "/proc/self/fd/0" },
  { path: "/dev/stdout", to: "/proc/self/fd/1" },
  { path: "/dev/stderr", to: "/proc/self/fd/2" },
  { path: "/dev/ptmx", to: "pts/ptmx" },
];
/** Where the old root is for a moment. */
const OLD = ".old";

export const namespaced = (
  has: Namespaces,
  plan: Pick<Plan, "places" | "links">,
  wish: Enclosing,
  cwd: string,
  mounts: readonly Mounted[],
  inmate: Inmate,
): readonly string[] => around(has, plan, wish, cwd, mounts, insideThatTells(inmate));

/**
 * Two unshares where the network is its own: made in one, it would be made before the user is mapped, and belong to nobody. The last
 * one shows the user as who it is, and takes every power away. Root that becomes somebody else needs no user namespace: it mounts as who
 * it is, so that nothing is in its way, and is that no more when the command begins.
 */
export function around(
  has: Namespaces,
  plan: Pick<Plan, "places" | "links">,
  { network, becoming, part, layers }: Enclosing,
  cwd: string,
  mounts: readonly Mounted[],
  command: readonly string[],
): readonly string[] {
  const spaces = ["--mount", "--pid", "--fork", "--kill-child", "--ipc", "--uts", "--cgroup"];
  const isChanged = becoming.kind === "changed";
  const asRoot = isChanged ? [has.unshare] : [has.unshare, "--user", "--map-root-user"];
  const own = isChanged ? [...spaces, "--net"] : ["--", has.unshare, ...spaces, "--net"];
  const { uid, gid } = becoming.kind === "same" ? has.user : becoming;
  const shown = has.mapsUsers && !isChanged;
  // What is judged runs beside the program that judges it, as the same user: it must not write into that one's memory.
  const seals = part === "verifiers";
  // Root mounts as who it is, before a user namespace makes it less.
  const isBefore = layers !== undefined && becoming.kind === "shown";
  return [
    ...(isBefore ? layers.around : []),
    ...asRoot,
    ...(network === "open" ? spaces : own),
    "--",
    "/bin/sh",
    "-c",
    setUp(has, plan, cwd, mounts, {
      network: network === "open" ? "shared" : "own",
      isForAll: isChanged,
      sealsProc: seals && !shown,
      before: layers && !isBefore ? [layers.lines] : [],
    }),
    "sh",
    ...(shown
      ? [has.unshare, "--user", ...(seals ? ["--mount"] : []), "--keep-caps", `--map-user=${uid}`, `--map-group=${gid}`, "--"]
      : []),
    ...(shown && seals ? ["/bin/sh", "-c", `${SEALED_PROC(has.mount)} && exec "$@"`, "sh"] : []),
    ...(isChanged ? dropping(has.setpriv, becoming) : keeping(has.setpriv)),
    "--pdeathsig=KILL",
    ...(has.filters.kind === "setpriv" ? ["--seccomp-filter", `/proc/self/fd/${FILTER_FD}`] : []),
    "--",
    ...(has.filters.kind === "perl" ? [has.filters.path, "-e", has.filters.code, "--"] : []),
    ...command,
  ];
}

/** Once the user is mapped, which is written there. */
const SEALED_PROC = (mount: string): string => `${mount} -n -o remount,bind,ro,nosuid,nodev,noexec /proc`;

const keeping = (setpriv: string): readonly string[] => [
  setpriv,
  "--no-new-privs",
  "--bounding-set=-all",
  "--inh-caps=-all",
  "--ambient-caps=-all",
];

/** Builds the root in memory, mounts all that is in it at once, and moves there. Whatever fails ends it before the command begins. */
function setUp(
  { mount, umount, pivotRoot, mkdir, ln, site, ground }: Namespaces,
  { places, links }: Pick<Plan, "places" | "links">,
  cwd: string,
  mounts: readonly Mounted[],
  {
    network,
    isForAll,
    sealsProc,
    before,
  }: { readonly network: "own" | "shared"; readonly isForAll: boolean; readonly sealsProc: boolean; readonly before: readonly string[] },
): string {
  const root = join(site, "root");
  const shown = withSubMounts(places, mounts);
  const layers = layersOf(shown, site);
  const at = (path: string): string => join(root, path);
  const [folders, files] = [shown.filter(({ isFolder }) => isFolder), shown.filter(({ isFolder }) => !isFolder)];
  const madeFolders = [
    join(site, "sys"),
    ...["/dev/pts", "/dev/shm", "/proc", "/sys", "/tmp", `/${OLD}`].map(at),
    ...layers.made.values(),
    ...folders.flatMap(({ path }) => layers.pointOf(path) ?? []),
    ...files.flatMap(({ path }) => (layers.pointOf(path) === undefined ? [] : [join(layers.pointOf(path)!, "..")])),
    ...links.flatMap(({ path }) => (layers.pointOf(path) === undefined ? [] : [join(layers.pointOf(path)!, "..")])),
  ];
  const madeFiles = [...DEVICES.map((name) => at(`/dev/${name}`)), ...files.flatMap(({ path }) => layers.pointOf(path) ?? [])];
  const table = [
    [root, root, "none", "bind,ro,nosuid,nodev"],
    ...shown.map((place) => line(place, at(place.path), layers.made.get(place.path), mounts)),
    ...DEVICES.map((name) => [`/dev/${name}`, at(`/dev/${name}`), "none", "bind"]),
    ["devpts", at("/dev/pts"), "devpts", "newinstance,ptmxmode=0666,mode=620,nosuid,noexec"],
    ["proc", at("/proc"), "proc", "nosuid,nodev,noexec"],
    ...ground.settings.map((path) => [at(path), at(path), "none", "bind,ro,nosuid,nodev,noexec"]),
    ...ground.secrets.map((path) => ["/dev/null", at(path), "none", "bind"]),
    // Beside the new root, so that it goes away with the old one: only to raise the loopback device.
    ...(network === "own" ? [["sysfs", join(site, "sys"), "sysfs", "nosuid,nodev,noexec"]] : []),
  ];
  const words = (paths: readonly string[]): string => [...new Set(paths)].map(shellWord).join(" ");
  return [
    "set -e",
    ...before,
    `${mount} -n -t tmpfs -o mode=0755,nosuid,nodev,size=${MOST_TEMPORARY_BYTES},nr_inodes=1m loopwright ${shellWord(site)}`,
    // Temporary folders are for who the command is; all else that is made here is covered, or read-only.
    ...(isForAll ? ["umask 000"] : []),
    `${mkdir} -p -- ${words(madeFolders)}`,
    ...(isForAll ? [`umask ${process.umask().toString(8).padStart(3, "0")}`] : []),
    ...madeFiles.map((path) => `: > ${shellWord(path)}`),
    ...links.flatMap(({ path, to }) => linkLine(ln, to, layers.pointOf(path))),
    ...DEVICE_LINKS.flatMap(({ path, to }) => linkLine(ln, to, at(path))),
    `printf '%s' ${shellWord(table.map((fields) => `${fields.map(escaped).join(" ")} 0 0\n`).join(""))} > ${shellWord(join(site, "table"))}`,
    `${mount} -n -a -T ${shellWord(join(site, "table"))}`,
    ...(network === "own" ? [`echo 0x1 > ${shellWord(join(site, "sys/class/net/lo/flags"))}`] : []),
    `cd ${shellWord(root)}`,
    `${pivotRoot} . ${OLD}`,
    `${umount} -n -l /${OLD}`,
    ...(sealsProc ? [SEALED_PROC(mount)] : []),
    `cd ${shellWord(cwd)}`,
    // The shell's own.
    "unset OLDPWD",
    'exec "$@"',
  ].join("\n");
}

const linkLine = (ln: string, to: string, point: string | undefined): readonly string[] =>
  point === undefined ? [] : [`${ln} -s -- ${shellWord(to)} ${shellWord(point)}`];

function line(
  { path, access, isFolder, from = path }: Place,
  at: string,
  layer: string | undefined,
  mounts: readonly Mounted[],
): readonly string[] {
  switch (access) {
    case "read":
      // What the source's mount forbids must be said again, or the kernel refuses and leaves the place writable.
      return [from, at, "none", `rbind,ro,nosuid,nodev${mountOf(from, mounts)?.noexec ? ",noexec" : ""}`];
    case "write":
      return [from, at, "none", "rbind"];
    case "scratch":
      return [layer ?? "", at, "none", "bind,nosuid,nodev"];
    case "hidden":
      return isFolder ? [layer ?? "", at, "none", "bind,ro,nosuid,nodev"] : ["/dev/null", at, "none", "bind"];
  }
}

interface Layers {
  /** The empty folders in memory that stand for scratch and for covers, by their place. */
  readonly made: ReadonlyMap<string, string>;
  /** What must be made in memory for something to be mounted there; undefined where it is there by itself. */
  readonly pointOf: (path: string) => string | undefined;
}

function layersOf(places: readonly Place[], site: string): Layers {
  const empty = places.filter(({ access, isFolder }) => isFolder && (access === "scratch" || access === "hidden"));
  const made = new Map(empty.map(({ path }, index) => [path, join(site, `layer-${index}`)]));
  const pointOf = (path: string): string | undefined => {
    const around = places
      .filter((place) => place.path !== path && isIn(path, place.path))
      .sort((a, b) => depthOf(b.path) - depthOf(a.path))[0];
    if (!around) return join(site, "root", path);
    const layer = made.get(around.path);
    return layer === undefined ? undefined : join(layer, path.slice(around.path.length));
  };
  return { made, pointOf };
}

/** To make a mount read-only says nothing of those that lie in it. */
function withSubMounts(places: readonly Place[], mounts: readonly Mounted[]): readonly Place[] {
  const said = new Set(places.map(({ path }) => path));
  const further = mounts.flatMap(({ path }): readonly Place[] => {
    if (said.has(path)) return [];
    const around = places.filter((place) => isIn(path, place.path)).sort((a, b) => depthOf(b.path) - depthOf(a.path))[0];
    return around?.access === "read" && around.isFolder ? [{ path, access: "read", isFolder: true }] : [];
  });
  return [...places, ...further].sort((a, b) => depthOf(a.path) - depthOf(b.path));
}

const mountOf = (path: string, mounts: readonly Mounted[]): Mounted | undefined =>
  mounts.filter((mount) => isIn(path, mount.path)).sort((a, b) => depthOf(b.path) - depthOf(a.path))[0];

const escaped = (field: string): string => field.replace(/[\s#\\]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`);

/** What `/proc/self/mountinfo` tells: the fifth field is where, the sixth how. */
export const mountsIn = (text: string): readonly Mounted[] =>
  text.split("\n").flatMap((each) => {
    const [, , , , path, flags] = each.split(" ");
    return path === undefined || flags === undefined
      ? []
      : [
          {
            path: path.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
            noexec: flags.split(",").includes("noexec"),
          },
        ];
  });
