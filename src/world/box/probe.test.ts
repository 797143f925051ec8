// A program that tries what it can think of, from the box of a maker and of a verifier, as the user and as root: whatever it reaches
// that is not on the list below fails.
import { execFileSync, spawn } from "node:child_process";
import { chownSync, closeSync, cpSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeEachBox, wishFor } from "../../../test/support/box.ts";

const SECRET = "planted-secret-0451";
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** Another user than root is tried as well, where we may be one. */
const users: readonly (readonly [string, number | undefined])[] = isRoot
  ? [
      ["root", undefined],
      ["another user", NOBODY],
    ]
  : [["the user", undefined]];

/** Below the home: what package managers, clouds, tools, browsers and editors keep there, and what nobody has thought of. */
const AT_HOME = [
  ...[".ssh/id_ed25519", ".npmrc", ".netrc", ".git-credentials", ".aws/credentials", ".config/gh/hosts.yml", ".docker/config.json"],
  ...[".kube/config", ".claude/.credentials.json", ".codex/auth.json", ".config/pip/pip.conf", ".yarnrc.yml", ".config/pnpm/rc"],
  ...[
    ".config/sops/age/keys.txt",
    ".config/Code/User/globalStorage/state.vscdb",
    ".config/JetBrains/x.key",
    ".wrangler/config/default.toml",
  ],
  ...[".local/share/uv/credentials", ".config/pypoetry/auth.toml", ".bundle/config", ".huggingface/token", ".cache/huggingface/token"],
  ...[".config/stripe/config.toml", ".config/heroku/x", ".supabase/access-token", ".vercel/auth.json", "keys/server.pem", "notes.txt"],
  ...[
    "other-project/.env",
    "other-project/src/a.ts",
    ".something-new/token",
    ".cargo/credentials.toml",
    ".local/state/loopwright/keys/k.pem",
  ],
];
/** Below the home, beside programs that PATH names and in folders of version managers: what tools and people keep there. */
const BESIDE_TOOLS = [
  ...[".pulumi/credentials.json", ".radicle/keys/radicle", ".config/secrets.json", "dotfiles/secrets.env", "dotfiles/.git/config"],
  ...["projects/other/.env", "projects/other/.git/config", "projects/other/src/a.ts", "Documents/passwords.txt", "scripts/.env"],
  ...["scripts/notes.txt", "tools/id_rsa", "go/src/private/.env", "go/pkg/mod/cache/vcs/1/config", "venv/pip.conf", "venv/bin/.env"],
  ...[".nvm/versions/node/v1/etc/npmrc", ".nvm/.git/config", ".pyenv/versions/3/pip.conf", ".pyenv/plugins/x/.git/config"],
  ...[".rbenv/versions/3/etc/gemrc", "miniconda3/.condarc", "miniconda3/etc/pip.conf", ".cargo/config.toml", ".cargo/git/db/x/config"],
  ...[".sdkman/etc/config", ".dotnet/corefx/key.pfx", ".bun/token", ".deno/token", ".volta/hooks.json", ".asdf/token"],
];
/** Each has a program in it, which must work. */
const ON_PATH = [
  ".cargo/bin",
  ".pulumi/bin",
  ".radicle/bin",
  ".config/bin",
  "dotfiles/bin",
  "projects/other/bin",
  "Documents/bin",
  "scripts",
].concat(
  ...[["tools", "go/bin", "venv/bin", ".nvm/versions/node/v1/bin", ".pyenv/shims", ".rbenv/shims", "miniconda3/bin", ".dotnet"]],
  ...[[".bun/bin", ".deno/bin", ".volta/bin", ".asdf/shims"]],
);

/** Elsewhere: beside the spec, in the target, in a home of ours that is not in use. */
const ELSEWHERE = [
  "target/.env",
  "target/.git/config",
  // The target is a work tree beside its main one, in a folder that is shown.
  "specs/main/.env",
  "specs/main/.git/config",
  "specs/further/.env",
  "specs/.env",
  "specs/old-home/keys/key.pem",
  "ours/keys/key.pem",
  "ours/journal.db",
];

const PLANTED = [...[...AT_HOME, ...BESIDE_TOOLS].map((name) => join("ada", name)), ...ELSEWHERE];

const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-probe-")));
const child = join(folder, "child.mjs");
const at = (...names: readonly string[]): string => join(folder, ...names);
const room = at("ours/rounds/r.1/work");
const servers: Server[] = [];
const listenAt = (where: string | { readonly port: number; readonly host: string }): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.on("error", () => {}).end(SECRET));
    servers.push(server);
    server.once("error", reject).listen(where as never, () => resolve(server));
  });
const sockets = ["ada/.agent.sock", "ada/.cargo/agent.sock", "specs/agent.sock", "target/s.sock", "s.sock"].map((name) => at(name));
let ports: readonly number[] = [];

/** What it finds is printed, a line each; nothing is written anywhere. */
const PROBER = `
import { accessSync, constants, openSync, closeSync, readdirSync, readFileSync, lstatSync, readlinkSync } from "node:fs";
import { connect } from "node:net";
const [secret, paths, sockets, ports, walks] = JSON.parse(process.argv[2]);
const say = (kind, what) => console.log(kind + " " + what);
const quietly = (act) => { try { return act(); } catch { return undefined; } };
for (const path of paths) if (quietly(() => readFileSync(path, "latin1"))?.includes(secret)) say("secret", path);
const walk = (folder, visit, depth) => { if (walks) for (const name of quietly(() => readdirSync(folder)) ?? []) {
  const path = folder === "/" ? "/" + name : folder + "/" + name;
  const about = quietly(() => lstatSync(path));
  if (!about || about.isSymbolicLink()) continue;
  visit(path, about);
  if (about.isDirectory() && depth > 0) walk(path, visit, depth - 1);
} };
for (const name of readdirSync("/")) say("top", name);
const writable = (path) => quietly(() => { closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)); return true; });
walk("/proc", (path, about) => { if (!/^\\/proc\\/(\\d+|self|thread-self|net)(\\/|$)/.test(path) && about.isFile() && writable(path)) say("setting", path); }, 6);
for (const [from, depth] of [["/etc", 4], ["/opt", 3], ["/usr/local", 3], ["/var", 4], ["/sys", 3], ["/dev", 1]])
  walk(from, (path, about) => {
    if (about.isFile() && writable(path)) say("writes", path);
    if (about.isDirectory() && quietly(() => { accessSync(path, constants.W_OK); return true; })) say("writes", path);
    if (about.isFile() && !(about.mode & 4) && quietly(() => { closeSync(openSync(path, "r")); return true; }) && readFileSync(path).length > 0) say("private", path);
  }, depth);
for (const line of readFileSync("/proc/self/mountinfo", "utf8").trim().split("\\n")) {
  const [, , , root, path, flags] = line.split(" ");
  // The null device stands over what is hidden.
  if (root !== "/null" && !flags.split(",").includes("ro")) say("mount", path);
}
for (const pid of readdirSync("/proc").filter((name) => /^\\d+$/.test(name))) {
  const line = quietly(() => readFileSync("/proc/" + pid + "/cmdline", "latin1")) ?? "";
  if (!/sh|node|bwrap|sleep/.test(line)) say("process", line);
}
const tried = (where) => new Promise((resolve) => { const socket = connect(where, () => { resolve(true); socket.destroy(); }); socket.on("error", () => resolve(false)); });
for (const path of [...sockets, "\\0lw-probe-abstract"]) if (await tried({ path })) say("socket", path);
for (const port of ports) for (const host of ["127.0.0.1", "::1", "localhost"]) if (await tried({ port, host })) say("port", host);
if (writable("/proc/" + process.ppid + "/mem")) say("memory", "of who started it");
say("user", String(process.getuid()));
say("kernel", readFileSync("/proc/self/uid_map", "utf8").trim().split(/\\s+/).join(" "));
`;
/** In perl, because no other program of every system makes calls by their number: x86 and ARM of 64 bits. */
const CALLS = `my ($k)=@ARGV; my %t=$k==250 ? (ptrace=>101, writev=>311) : (ptrace=>117, writev=>271); my ($t,$x,$y,$p)=("user","x","y","\\0"x120);
print "call keyctl\\n" if syscall($k,0,-3,0)>=0; print "call add_key\\n" if syscall($k-2,$t,$x,$y,1,-3)>=0;
print "call ptrace\n" if syscall($t{ptrace},0x4206,getppid(),0,0)>=0 || $!+0!=38; print "call pidfd_getfd\n" if syscall(438,0,0,0)>=0 || $!+0!=38;
print "call process_vm_writev\n" if syscall($t{writev},getppid(),$p,0,$p,0,0)>=0 || $!+0!=38;
print "call io_uring\\n" if syscall(425,1,$p)>=0 || $!+0!=38; socket(my $s,40,1,0) and print "call vsock\\n";`;

const KEYCTL = process.arch === "arm64" ? 219 : 250;

beforeAll(async () => {
  if (process.platform !== "linux") return;
  buildSync({
    entryPoints: [fileURLToPath(new URL("../../../test/support/probe-child.ts", import.meta.url))],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: child,
    banner: { js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);' },
  });
  for (const path of PLANTED.map((name) => at(name))) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `token: ${SECRET}\n`);
  }
  for (const [name, at_] of [
    ["tree", "specs/tree"],
    ["further", "specs/further"],
  ] as const) {
    mkdirSync(at("specs/main/.git/worktrees", name), { recursive: true });
    mkdirSync(at(at_), { recursive: true });
    writeFileSync(at("specs/main/.git/worktrees", name, "gitdir"), `../../../../${name}/.git\n`);
    writeFileSync(at("specs/main/.git/worktrees", name, "commondir"), "../..\n");
    writeFileSync(at(at_, ".git"), `gitdir: ../main/.git/worktrees/${name}\n`);
  }
  for (const name of ["target/.git/objects", "specs", "told", "login"]) mkdirSync(at(name), { recursive: true });
  writeFileSync(at("specs/old-home/journal.db"), "");
  for (const [index, name] of ON_PATH.entries()) {
    mkdirSync(at("ada", name), { recursive: true });
    writeFileSync(at("ada", name, `tool-${index}`), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  }
  writeFileSync(at("inherited"), SECRET);
  mkdirSync(room, { recursive: true });
  writeFileSync(join(room, "probe.mjs"), PROBER);
  writeFileSync(join(room, "calls.pl"), CALLS);
  for (const path of sockets) await listenAt(path);
  await listenAt("\0lw-probe-abstract");
  const tcp = await Promise.all([listenAt({ port: 0, host: "127.0.0.1" }), listenAt({ port: 0, host: "::1" }).catch(() => undefined)]);
  ports = tcp.flatMap((server) => (server ? [(server.address() as { readonly port: number }).port] : []));
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Programs are found by PATH, which also names the folder of the checkout that these tests are run from. */
const TOPS_OF_PATH = new Set((process.env.PATH ?? "").split(":").map((entry) => `top ${entry.split("/")[1]}`));

/** All that may be reached: whatever else is printed is a hole. */
const MAY_BE = [
  /^top (usr|etc|opt|nix|gnu|bin|sbin|lib\w*|var|sys|dev|proc|tmp|run|home|root|\.old)$/,
  // Its own rooms, and what is gone with it; devices that everybody may write.
  /^mount \/(tmp|var\/tmp|dev\/shm|proc|dev(\/.*)?)$/,
  /^writes \/(var\/tmp.*|dev\/shm.*|dev\/(null|zero|full|random|urandom|tty|pts|ptmx|console))$/,
  // Covers of what is hidden are the null device, each a mount.
  /^mount \/(proc|etc)\/.*$/,
];

type Part = "verifier" | "maker" | "agent";

/** What an agent is run as differs only for root. */
const partsFor = (uid: number | undefined): readonly Part[] =>
  isRoot && uid === undefined ? ["verifier", "maker", "agent"] : ["verifier", "maker"];

describeEachBox("whoever tries everything", (means) => {
  it("finds all of it without a box, so that finding nothing says something", async () => {
    const paths = PLANTED.map((name) => at(name));
    const run = `command -v perl >/dev/null && perl calls.pl ${KEYCTL}; '${process.execPath}' probe.mjs '${JSON.stringify([SECRET, paths, sockets, ports, false])}'`;
    const command = { run, cwd: room, env: { PATH: process.env.PATH ?? "" }, timeoutMs: 60_000, mark: `probe-${process.pid}` };

    const { tail } = await probe({ ourHome: at("ours"), userHome: at("ada"), means, command }, child, undefined);

    const found = tail.trim().split("\n");
    expect(found).toEqual(
      expect.arrayContaining([
        "memory of who started it",
        ...sockets.map((path) => `socket ${path}`),
        "port 127.0.0.1",
        `user ${process.getuid?.()}`,
      ]),
    );
  });

  it.each(users.flatMap(([who, uid]) => partsFor(uid).map((part) => [part, who, uid] as const)))(
    "from the box of a %s, as %s, reaches what is on the list and nothing else",
    async (part, _who, uid) => {
      const place = uid === undefined ? folder : realpathSync(mkdtempSync(join(tmpdir(), "lw-probe-other-")));
      const inPlace = (path: string): string => path.replace(folder, place);
      if (uid !== undefined) {
        cpSync(folder, place, { recursive: true, filter: (path) => !path.endsWith(".sock") });
        for (const path of [place, ...listed(place)]) chownSync(path, uid, uid);
      }
      const paths = PLANTED.map((name) => inPlace(at(name)));
      const about = JSON.stringify([SECRET, paths, sockets, ports, true]);
      const perl = `command -v perl >/dev/null && perl calls.pl ${KEYCTL}`;
      const descriptors = `for fd in $(ls /proc/$$/fd); do [ -f /proc/$$/fd/$fd ] && cat /proc/$$/fd/$fd 2>/dev/null </dev/null | grep -q ${SECRET} && echo descriptor $fd; done`;
      const command = {
        run: `${descriptors}; ${perl}; ${ON_PATH.map((name, index) => `tool-${index} || echo no program of ${name}`).join("; ")}; '${process.execPath}' probe.mjs '${about}'`,
        cwd: inPlace(room),
        env: { PATH: [...ON_PATH.map((name) => inPlace(at("ada", name))), process.env.PATH].join(":"), HOME: inPlace(at("ada")) },
        timeoutMs: 60_000,
        mark: `probe-${process.pid}`,
        box: wishFor([inPlace(room)], {
          needs: [at("target/.git/objects"), at("specs")].map(inPlace),
          covers: ["target", "specs/tree"].map((name) => inPlace(at(name))),
          part: part === "verifier" ? "verifiers" : "maker",
          folder: inPlace(at("specs")),
          ...(part === "maker" ? { network: { allow: [], credentials: [] } } : {}),
          // An agent needs root's own login, which it also writes.
          ...(part === "agent" ? { writes: [inPlace(at("login"))] } : {}),
        }),
      };

      const { end, box, tail } = await probe(
        { ourHome: inPlace(at("ours")), userHome: inPlace(at("ada")), means, command },
        inPlace(child),
        uid,
      );
      if (uid !== undefined) rmSync(place, { recursive: true, force: true });

      const found = tail.trim().split("\n");
      const own = [`mount ${inPlace(at("login"))}`, `mount ${inPlace(room)}`, `mount ${inPlace(at("ada"))}`, `mount ${userInfo().homedir}`];
      const user = found.find((line) => line.startsWith("user "));
      const kernel = found.find((line) => line.startsWith("kernel "));
      // A maker judges nobody.
      const ofMaker = part === "verifier" ? [] : ["memory of who started it"];
      const isChanged = isRoot && uid === undefined && part !== "agent";
      expect([end, box]).toMatchObject([
        { kind: "exited", code: 0 },
        {
          kind: means,
          calls: "filtered",
          bounds: {
            memory: { by: expect.stringMatching(/^(group|process)$/) },
            processes: { by: expect.stringMatching(part === "agent" ? /^(group|look)$/ : /^(group|user)$/) },
          },
        },
      ]);
      expect("user" in box ? box.user : undefined).toBe(isRoot && uid === undefined ? (isChanged ? "changed" : "shown") : undefined);
      // Not a name for root, but somebody else: numbers mean to the kernel what they say.
      if (isChanged) expect(kernel).toBe("kernel 0 0 4294967295");
      expect(
        found
          .filter((line) => line !== user && line !== kernel && ![...own, ...ofMaker].includes(line) && !TOPS_OF_PATH.has(line))
          .filter((line) => !MAY_BE.some((allowed) => allowed.test(line))),
      ).toEqual([]);
      expect(user).toBe(`user ${uid ?? (isRoot ? 61_000 : process.getuid?.())}`);
    },
  );
});

const listed = (place: string): readonly string[] => execFileSync("find", [place], { encoding: "utf8" }).trim().split("\n");

/** As another user where one is named, and with a descriptor that it never asked for. */
function probe(
  about: object,
  program: string,
  uid: number | undefined,
): Promise<{ readonly end: object; readonly box: object; readonly tail: string }> {
  return new Promise((resolve, reject) => {
    const secret = openSync(at("inherited"), "r");
    const started = spawn(process.execPath, [program, JSON.stringify(about)], {
      stdio: ["ignore", "pipe", "pipe", "ignore", "ignore", "ignore", "ignore", "ignore", "ignore", secret],
      env: { PATH: process.env.PATH, TMPDIR: tmpdir() },
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    closeSync(secret);
    let [out, err] = ["", ""];
    started.stdout?.on("data", (piece) => {
      out += piece;
    });
    started.stderr?.on("data", (piece) => {
      err += piece;
    });
    started.once("close", () => {
      try {
        resolve(JSON.parse(out));
      } catch {
        reject(new Error(`${err}${out}`));
      }
    });
  });
}
