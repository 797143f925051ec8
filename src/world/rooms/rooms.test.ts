// What every room must hold, however it comes to what was prepared: all of it is there and can be changed, and nothing that is done in a
// room is seen in another one, or in what it was lent from. As root, as root that needs its own login, and as another user.
import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeEachBox, isOfLinux, only, wishFor } from "../../../test/support/box.ts";
import { neverStops } from "../../contract/stop.ts";
import { type Box, createBox } from "../box/box.ts";
import { mountsIn } from "../box/namespaces.ts";
import { copyTree, surveyTrees } from "../files/copy-tree.ts";
import { removeTree } from "../files/remove-tree.ts";
import { systemClock } from "../machine/clock.ts";
import { thisMachine } from "../process/machine-use.ts";
import { createProc } from "../process/proc.ts";
import { createArtifacts } from "../store/artifacts.ts";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
type Who = "the user" | "root" | "root with its login" | "another user";
const WHO: readonly Who[] = isRoot ? ["root", "root with its login", "another user"] : ["the user"];

const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-rooms-")));
chmodSync(folder, 0o755);
const child = join(folder, "child.mjs");

beforeAll(() => {
  mkdirSync(join(folder, "login"));
  buildSync({
    entryPoints: [fileURLToPath(new URL("../../../test/support/probe-child.ts", import.meta.url))],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: child,
    banner: { js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);' },
  });
});
afterAll(() => removeTree(folder));

interface Place {
  readonly home: string;
  readonly layer: string;
  /** What lies under the home of a room. */
  readonly cache: string;
  /** Base, as it is checked out. */
  readonly base: string;
  readonly rooms: readonly string[];
  readonly who: Who;
}

let places = 0;

/** A home with one thing prepared, and two rooms that have files of their own. */
function makePlace(who: Who): Place {
  const home = join(folder, `home-${++places}`);
  const layer = join(home, "prepared", "id", "entry", "layer");
  const cache = join(home, "caches", "id", "entry", "layer");
  const base = join(home, "bases", "tree", "entry", "layer");
  mkdirSync(join(base, "tracked", "deep"), { recursive: true });
  writeFileSync(join(base, "tracked", "kept"), "tracked\n");
  writeFileSync(join(base, "tracked", "deep", "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
  const rooms = ["one", "two"].map((name) => join(home, "rounds", "loop", "round", name, "work"));
  for (const room of rooms) mkdirSync(homeOf(room), { recursive: true });
  mkdirSync(join(cache, ".cache", "go-build", "aa"), { recursive: true });
  writeFileSync(join(cache, ".cache", "go-build", "aa", "kept"), "compiled\n");
  for (const path of [join(layer, "node_modules", "dep", "deep"), join(layer, "packages", "a", "node_modules"), ...rooms])
    mkdirSync(path, { recursive: true });
  writeFileSync(join(layer, "node_modules", "dep", "index.js"), "module.exports = 1;\n");
  writeFileSync(join(layer, "node_modules", "dep", "run"), "#!/bin/sh\necho ran\n", { mode: 0o755 });
  writeFileSync(join(layer, "node_modules", "dep", "deep", "data"), "x".repeat(100_000));
  symlinkSync("dep/index.js", join(layer, "node_modules", "link.js"));
  writeFileSync(join(layer, "packages", "a", "node_modules", "in-a"), "a\n");
  for (const room of rooms) {
    writeFileSync(join(room, "own"), "own\n");
    mkdirSync(join(room, "packages", "a"), { recursive: true });
    writeFileSync(join(room, "packages", "a", "index.js"), "a\n");
  }
  if (who === "another user") giveTo(home, NOBODY);
  return { home, layer, cache, base, rooms, who };
}

function giveTo(path: string, uid: number): void {
  chownSync(path, uid, uid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) giveTo(inside, uid);
    else if (!entry.isSymbolicLink()) chownSync(inside, uid, uid);
  }
}

interface Said {
  readonly end: { readonly kind: string; readonly code?: number };
  readonly box: { readonly kind: string; readonly rooms?: string };
  readonly tail: string;
}

interface In {
  readonly place: Place;
  readonly room: string;
  readonly means: string;
  readonly how: "overlay" | "copy";
}

const homeOf = (room: string): string => join(dirname(room), "home");

const commandIn = ({ place: { home, layer, cache, base, who }, room, how }: In, run: string) => ({
  run,
  cwd: room,
  env: { PATH: process.env.PATH ?? "", HOME: how === "overlay" ? homeOf(room) : home },
  timeoutMs: 60_000,
  mark: `rooms-${process.pid}`,
  box: wishFor([room, homeOf(room)], {
    folder: home,
    ...(how === "overlay"
      ? {
          layered: [
            { room, below: [layer, base] },
            { room: homeOf(room), below: [cache] },
          ],
        }
      : {}),
    // What root alone may write makes it stay root, and only be called otherwise.
    ...(who === "root with its login" ? { writes: [join(folder, "login")] } : {}),
  }),
});

/** In a process of its own, that can be somebody else and can be killed. */
function startIn(at: In, run: string) {
  const { home, who } = at.place;
  const uid = who === "another user" ? NOBODY : undefined;
  return spawn(process.execPath, [child, JSON.stringify({ ourHome: home, userHome: home, means: at.means, command: commandIn(at, run) })], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, TMPDIR: tmpdir() },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
}

const boxes = new Map<string, Box>();

async function runIn(at: In, run: string): Promise<Said> {
  if (at.place.who !== "another user") {
    const key = at.means;
    const box = boxes.get(key) ?? createBox(folder, { get: (name) => process.env[name] }, only(key));
    boxes.set(key, box);
    return createProc(createArtifacts(join(folder, "artifacts")), systemClock, neverStops, { box, machine: thisMachine }).run(
      commandIn(at, run),
    );
  }
  const started = startIn(at, run);
  let text = "";
  for (const stream of [started.stdout, started.stderr])
    stream?.on("data", (piece) => {
      text += piece;
    });
  await new Promise((resolve) => started.once("close", resolve));
  return JSON.parse(text) as Said;
}

/** Every way of writing that we know, each on what was lent; none may end the others. */
const EVIL = `
echo evil > tracked/kept; chmod 666 tracked/deep/run.sh; ln tracked/deep/run.sh linked; echo evil >> linked; setfattr -n user.overlay.opaque -v y tracked
mv tracked elsewhere; rm -r elsewhere; rm -r tracked; mkdir tracked; echo evil > tracked/kept; ln -s ../../../../bases tracked/link; echo evil > tracked/link/tree/entry/layer/tracked/kept
echo evil > $HOME/.cache/go-build/aa/kept; rm -r $HOME/.cache/go-build; mkdir -p $HOME/.cache/go-build/aa; echo evil > $HOME/.cache/go-build/aa/kept
ln -s /etc $HOME/.cache/link; chmod 000 $HOME/.cache
cd node_modules/dep
: > index.js; echo evil >> index.js
cp index.js new.js; mv new.js index.js
ln run other && echo evil > other
chmod 000 run; chmod 4777 deep; touch -d 2001-01-01 deep/data
ln -s deep/data soft && echo evil > soft
echo evil > ../../node_modules/dep/deep/../deep/data
exec 5<deep/data; echo evil > /proc/self/fd/5; exec 5<&-
truncate -s 3 deep/data; fallocate -l 5000 deep/data
dd if=/dev/zero of=deep/data bs=1 count=4 seek=2 conv=notrunc
setfattr -n user.overlay.opaque -v y deep; setfattr -n trusted.overlay.opaque -v y deep; setfattr -n user.evil -v 1 index.js
mknod deep/whiteout c 0 0
python3 -c 'import mmap,os; f=open("index.js","r+b"); m=mmap.mmap(f.fileno(),0); m[0:1]=b"X"; m.flush(); os.setxattr("index.js","user.evil",b"1")'
rm -rf deep; mkdir deep; echo evil > deep/data
cd ..; mv dep gone; mkdir dep; echo evil > dep/index.js; rm -f link.js; ln -s /etc link.js
cd ..; rm -rf packages
for at in .. ../.. ../../.. ; do echo evil > $at/evil; echo evil > $at/layers/0/evil; rm -rf $at/layers $at/prepared; done
mount -o remount,rw . ; umount -l . ; umount -l node_modules
unshare --user --map-root-user --mount sh -c 'mkdir /tmp/u /tmp/w; mount -t overlay x -o lowerdir=node_modules,upperdir=/tmp/u,workdir=/tmp/w node_modules; umount -l .; echo evil > node_modules/evil'
(setsid sh -c 'sleep 0.3; echo late > node_modules/late; echo late > node_modules/dep/index.js' >/dev/null 2>&1 &)
exit 0`;

const HOWS = ["overlay", "copy"] as const;

describe.skipIf(!isOfLinux)("a room", () => {
  describeEachBox("with what was prepared", (means) => {
    const cases = WHO.flatMap((who) => HOWS.map((how) => [how, who] as const)).filter(
      // A copy is a copy, whoever makes it and in whatever box.
      ([how, who]) => how === "overlay" || (means === "bubblewrap" && who === WHO[0]),
    );

    it.each(cases)("(%s, as %s) has all of it, and keeps to itself whatever is done in it, by any way of writing", async (how, who) => {
      const place = makePlace(who);
      const [room, two] = place.rooms as [string, string];
      const one = { place, room, means, how };
      if (how === "copy") for (const each of place.rooms) await lay(place, each);
      const [before, outside] = [await surveyed(place), outsideOf(place)];
      const look = `cat own node_modules/link.js packages/a/index.js packages/a/node_modules/in-a tracked/kept; node_modules/dep/run; wc -c < node_modules/dep/deep/data${how === "overlay" ? "; cat $HOME/.cache/go-build/aa/kept" : ""}`;

      const first = await runIn(one, `${look}; echo changed > node_modules/dep/index.js; mkdir node_modules/new; ls`);
      const again = await runIn(
        one,
        `cat node_modules/dep/index.js; ls node_modules\n(${EVIL}\n) 2>/dev/null; cat node_modules/dep/index.js`,
      );
      const other = await runIn({ ...one, room: two }, `sleep 0.4; ${look}; find . | sort`);

      const all = `own\nmodule.exports = 1;\na\na\ntracked\nran\n100000\n${how === "overlay" ? "compiled\n" : ""}`;
      expect([first.end, first.tail]).toEqual([{ kind: "exited", code: 0 }, `${all}node_modules\nown\npackages\ntracked\n`]);
      expect([again.end, again.tail.split("\n")], again.tail).toEqual([
        { kind: "exited", code: 0 },
        ["changed", "dep", "link.js", "new", "evil", ""],
      ]);
      expect([other.tail.startsWith(all), /evil|late|gone|new/.test(other.tail)], other.tail).toEqual([true, false]);
      expect([first.box.rooms, await surveyed(place), outsideOf(place)]).toEqual([
        how === "overlay" ? "layered" : undefined,
        before,
        outside,
      ]);
      // Folders of mode 000 and of other users are among what is left.
      await removeTree(join(place.home, "rounds"));
      expect(existsSync(join(place.home, "rounds"))).toBe(false);
    });

    it.each(WHO.filter((who) => who !== "root with its login"))(
      "(overlay, as %s) ends with whoever opened it, also when that is killed: no mount and no process stays",
      async (who) => {
        const place = makePlace(who);
        const [room] = place.rooms as [string];
        const one = { place, room, means, how: "overlay" } as const;
        const before = await surveyed(place);

        const started = startIn(one, "echo changed > node_modules/dep/index.js; echo begun > begun; sleep 61");
        await until(() => existsSync(join(room, "begun")));
        started.kill("SIGKILL");

        await until(() => !commandLines().some((line) => line === "sleep\u000061\u0000" || line.includes(room)));
        expect(mountsIn(readFileSync("/proc/self/mountinfo", "utf8")).filter(({ path }) => path.startsWith(place.home))).toEqual([]);
        expect(await surveyed(place)).toEqual(before);
        const again = await runIn(one, "cat node_modules/dep/index.js");
        expect(again.tail).toBe("changed\n");
        await removeTree(place.home);
        expect(existsSync(place.home)).toBe(false);
      },
    );
  });
});

const lay = async ({ layer, base, who }: Place, room: string): Promise<void> => {
  await copyTree(Buffer.from(join(base, "tracked")), Buffer.from(join(room, "tracked")));
  const way = join(room, "packages", "a", "node_modules");
  await copyTree(Buffer.from(join(layer, "node_modules")), Buffer.from(join(room, "node_modules")));
  await copyTree(Buffer.from(join(layer, "packages", "a", "node_modules")), Buffer.from(way));
  if (who === "another user") giveTo(dirname(dirname(way)), NOBODY);
  if (who === "another user") giveTo(join(room, "node_modules"), NOBODY);
};

/** Names, kinds, modes, sizes, times and places on disk, of what is lent and of its copies for other users. */
const surveyed = ({ layer, cache, base }: Place): Promise<string> =>
  surveyTrees([layer, cache, base].map((path) => Buffer.from(path))).then(({ sha256 }) => sha256);

/** All that lies in the home, but for the rooms' own. */
function outsideOf({ home }: Place): readonly string[] {
  const found: string[] = [];
  const walk = (at: string): void => {
    for (const name of readdirSync(at)) {
      const path = join(at, name);
      found.push(path);
      if (!/layer-\d+|artifacts|\/(work|layers|rounds\/.*\/home)$/.test(path) && lstatSync(path).isDirectory()) walk(path);
    }
  };
  walk(home);
  return found.filter((path) => !/layer-\d+|artifacts|\/layers$/.test(path)).sort();
}

const commandLines = (): readonly string[] =>
  readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      return [readFileSync(`/proc/${pid}/cmdline`, "utf8")];
    } catch {
      return []; // ended meanwhile
    }
  });

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !isSo(); tries++) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isSo()).toBe(true);
}
