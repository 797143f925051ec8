// The box: what of the operating system keeps a command to its room. It is tried before it is believed in, once in a process.
import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { Environment } from "../../contract/clock.ts";
import type { BoxFact, BoxWish, Command } from "../../contract/commands.ts";
import { LoopError } from "../../contract/errors.ts";
import { findProgram } from "../machine/survey.ts";
import { type Place, placeNamed, planBox, type Standing } from "./box-plan.ts";
import { type Bubblewrap, bubblewrapped, profile } from "./bubblewrap.ts";
import type { EgressAround } from "./egress-proxy.ts";
import { openInnerWay, openOuterWay, type Way } from "./egress-way.ts";
import { profileText, seatbelted } from "./seatbelt.ts";

/** What this machine has, after it was tried. */
export type BoxMeans =
  | { readonly kind: "none"; readonly why: string; readonly hint: string }
  | ({ readonly kind: "bubblewrap"; readonly version: string } & Bubblewrap)
  | { readonly kind: "seatbelt"; readonly path: string };

/** What to start for a command, and what that keeps it to. */
export interface Enclosure {
  readonly argv: readonly string[];
  /** Whether it tells on streams of its own how the command ended. */
  readonly tells: boolean;
  readonly fact: BoxFact;
  /** The way out that is open as long as the command runs. */
  readonly way?: Pick<Way, "env" | "close">;
}

export interface Box {
  means(): Promise<BoxMeans>;
  /** Said before anything is spent, where a spec requires one. */
  mustBeThere(): Promise<void>;
  enclose(command: Command & { readonly box?: BoxWish | undefined }): Promise<Enclosure>;
}

/** What a box may be told beside the environment. */
export interface BoxAbout extends Omit<EgressAround, "env"> {
  /** The words that start us: what is in a box may need the folder that our file lies in. */
  readonly program?: readonly string[];
}

export function createBox(ourHome: string, env: Environment, { program = [], ...about }: BoxAbout = {}): Box {
  const ourProgram = program[1] === undefined ? undefined : dirname(realPathOf(program[1]));
  const standing: Standing = { ourHome, userHomes: homesOf(env), ...(ourProgram === undefined ? {} : { ourProgram }) };
  const around: EgressAround = { ...about, env };
  let found: Promise<BoxMeans> | undefined;
  const means = (): Promise<BoxMeans> => (found ??= findMeans(standing, env));
  const mustBeThere = async (): Promise<void> => {
    const has = await means();
    if (has.kind === "none") throw boxMissing(has);
  };
  return { means, mustBeThere, enclose: (command) => enclose(command, standing, means, around) };
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
};

async function enclose(
  { run, cwd, box }: Command & { readonly box?: BoxWish | undefined },
  standing: Standing,
  means: () => Promise<BoxMeans>,
  around: EgressAround,
): Promise<Enclosure> {
  if (!box) return plainly(run, "none was asked for");
  const has = await means();
  const listed = typeof box.network === "object" ? box.network : undefined;
  if (has.kind === "none") {
    if (box.when === "required") throw boxMissing(has);
    // Nothing keeps it to the proxy; but its credentials are there, so that it can work.
    return { ...plainly(run, has.why), ...(listed ? { way: await openOuterWay(listed, around) } : {}) };
  }
  for (const path of box.makes ?? [])
    await mkdir(placeNamed(path, box.folder, standing.userHomes[0]), { recursive: true, mode: 0o700 }).catch(() => {}); // then it is not there
  const way = listed && (await (has.kind === "bubblewrap" ? openInnerWay : openOuterWay)(listed, around));
  const places = await planBox({ ...box, needs: [...box.needs, ...(way?.needs ?? [])] }, standing);
  const fact: BoxFact = {
    kind: has.kind,
    ...(typeof box.network === "string" ? { network: box.network } : { network: "listed", reaches: way?.reaches ?? [] }),
    writes: await realPlaces(
      box.writes.map((path) => placeNamed(path, box.folder, standing.userHomes[0])),
      places,
    ),
    hides: places.filter(({ access }) => access === "hidden").map(({ path }) => path),
  };
  // The folder itself may be gone; then the start says so, in the same words as without a box.
  const at = await realpath(cwd).catch(() => cwd);
  const argv =
    has.kind === "bubblewrap"
      ? bubblewrapped(has, places, box, at, [run, ...(way?.forwarder ?? [])])
      : seatbelted(has.path, places, box, { run, ports: way?.ports ?? [] });
  return { argv, tells: has.kind === "bubblewrap", fact, ...(way ? { way } : {}) };
}

const plainly = (run: string, why: string): Enclosure => ({
  argv: ["/bin/sh", "-c", "--", run],
  tells: false,
  fact: { kind: "none", why },
});

/** What the spec opened and truly is open. */
async function realPlaces(asked: readonly string[], places: readonly Place[]): Promise<readonly string[]> {
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

async function findMeans(standing: Standing, env: Environment): Promise<BoxMeans> {
  if (process.platform === "linux") return findBubblewrap(standing, env);
  if (process.platform === "darwin") return findSeatbelt(standing, env);
  return { kind: "none", why: `no sandbox is known for ${process.platform}`, hint: "On Windows use WSL." };
}

async function findBubblewrap(standing: Standing, env: Environment): Promise<BoxMeans> {
  const path = await findProgram("bwrap", env);
  if (!path || !isAbsolute(path)) {
    return {
      kind: "none",
      why: "bubblewrap (bwrap) is not on the PATH",
      hint: "Install it, for example with `apt install bubblewrap`, `dnf install bubblewrap` or `pacman -S bubblewrap`.",
    };
  }
  const version = /(\d+)\.(\d+)\S*/.exec((await ask(path, ["--version"], env)).text);
  const sizes = Number(version?.[1] ?? 0) > 0 || Number(version?.[2] ?? 0) >= 7;
  const bwrap = { path, sizes };
  const trial = await tryOut(standing, env, ({ wish, places, room, run }) => [
    ...profile(bwrap, places, wish, room),
    "--",
    "/bin/sh",
    "-c",
    // Beside what every box must do: a network of its own, in which there is nobody else, and a root that is read-only.
    `${run}\n[ "$(readlink /proc/self/ns/net)" != "$1" ] && ! grep -v -e '|' -e ' lo:' /proc/net/dev && grep -q -E '^[0-9]+ [0-9]+ [0-9:]+ [^ ]+ / ro' /proc/self/mountinfo && echo alone`,
    "sh",
  ]);
  return trial.kind === "works"
    ? { kind: "bubblewrap", version: version?.[0] ?? "unknown", ...bwrap }
    : { kind: "none", why: `${path} cannot make a box here: ${trial.why}`, hint: hintFor(trial.why) };
}

const hintFor = (why: string): string =>
  /namespace|uid.?map|permission|permitted|EPERM/i.test(why)
    ? "User namespaces seem to be refused: allow them (on Ubuntu an AppArmor profile for bwrap, elsewhere the sysctl user.max_user_namespaces or kernel.unprivileged_userns_clone); in a container they need its runtime's leave."
    : "Try it by hand: bwrap --ro-bind / / --unshare-all true";

async function findSeatbelt(standing: Standing, env: Environment): Promise<BoxMeans> {
  const path = "/usr/bin/sandbox-exec";
  const trial = await tryOut(standing, env, ({ wish, places, run, port }) => [
    path,
    "-p",
    profileText(places, wish),
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
  readonly places: readonly Place[];
  readonly room: string;
  readonly run: string;
  readonly port: number;
}

/** Runs a tiny command that tries what a box must not let it do, and looks from outside at what came of it. */
async function tryOut(
  standing: Standing,
  env: Environment,
  argvOf: (trial: Trial) => readonly string[],
): Promise<{ readonly kind: "works" } | { readonly kind: "fails"; readonly why: string }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "lw-box-")));
  const [room, seen, hidden] = [join(folder, "room"), join(folder, "seen"), join(folder, "hidden")];
  const server = await listen();
  try {
    for (const place of [room, seen, hidden]) await mkdir(place);
    await writeFile(join(seen, "text"), "plain\n");
    await writeFile(join(hidden, "text"), "secret\n");
    const wish: BoxWish = {
      when: "available",
      network: "closed",
      rooms: [room],
      needs: [seen],
      reads: [],
      writes: [],
      hidden: [hidden],
      folder,
    };
    const run = `exec 2>&1
cat '${seen}/text'; cat '${hidden}/text'; echo x > '${seen}/mark'; echo x > '${hidden}/mark'; echo x > '${folder}/mark'; echo x > '${room}/mark'`;
    const places = await planBox(wish, standing);
    const ourNetwork = await ask("/bin/sh", ["-c", "readlink /proc/self/ns/net"], env);
    const [program, ...args] = argvOf({ wish, places, room, run, port: server.port });
    const { text } = await ask(program!, [...args, ourNetwork.text], env);
    const lines = text.split("\n");
    const marks = await Promise.all([room, seen, hidden, folder].map((place) => isThere(join(place, "mark"))));
    if (!marks[0]) return { kind: "fails", why: text.slice(0, 300) || "it did not run a command" };
    if (marks.slice(1).some(Boolean)) return { kind: "fails", why: "a boxed command could write outside its room" };
    if (!lines.includes("plain")) return { kind: "fails", why: "a boxed command could not read what it should" };
    if (lines.includes("secret")) return { kind: "fails", why: "a boxed command could read what is hidden" };
    if (!lines.includes("alone")) return { kind: "fails", why: "a boxed command could reach the network, or write to the root" };
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
