import { pbkdf2 } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { describeEachBox, only, wishFor } from "../../../test/support/box.ts";
import { createRepo } from "../../../test/support/git-repo.ts";
import type { BoxWish, Finished } from "../../contract/commands.ts";
import { neverStops } from "../../contract/stop.ts";
import { traceReads } from "../files/trace-reads.ts";
import { createRunGit } from "../git/run-git.ts";
import { createWorkshop } from "../git/workshop.ts";
import { systemClock } from "../machine/clock.ts";
import { thisMachine } from "../process/machine-use.ts";
import { createProc } from "../process/proc.ts";
import { markedProcesses } from "../process/processes.ts";
import { createArtifacts } from "../store/artifacts.ts";
import { createBox } from "./box.ts";
import { type Access, accessAt, type Place, placeNamed, settle } from "./box-plan.ts";
import { type Ground, profile } from "./bubblewrap.ts";
import { signalIn } from "./inside.ts";
import { profileText } from "./seatbelt.ts";

const place = (path: string, access: Access): Place => ({ path, access, isFolder: true });

describe("what is said about places", () => {
  it("counts by the deepest word, and by the last where two speak of the same place", () => {
    const places = settle([
      place("/tmp", "scratch"),
      place("/tmp/repo", "read"),
      place("/tmp/home", "hidden"),
      place("/tmp/home/room", "write"),
      place("/home/ada/.claude", "hidden"),
      place("/home/ada/.claude", "write"),
    ]);

    const at = (path: string): Access => accessAt(places, path);
    expect(
      ["/etc", "/tmp/x", "/tmp/repo/.git", "/tmp/home/journal.db", "/tmp/home/room/a", "/tmp/homes", "/home/ada/.claude/x"].map(at),
    ).toEqual(["hidden", "scratch", "read", "scratch", "write", "scratch", "write"]);
  });

  it("is the same after what changes nothing was left out, and comes parents first", () => {
    const path = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 }).map((names) => `/${names.join("/")}`);
    const said = fc.array(
      fc.record({ path, access: fc.constantFrom<Access>("read", "write", "hidden", "scratch"), isFolder: fc.constant(true) }),
    );

    fc.assert(
      fc.property(said, path, (words, asked) => {
        const places = settle(words);
        const all = accessAt([...new Map(words.map((word) => [word.path, word])).values()], asked);
        // What is hidden among temporary files is not there, as little as anything else.
        if (all === "hidden") expect(["hidden", "scratch"]).toContain(accessAt(places, asked));
        else expect(accessAt(places, asked)).toBe(all);
        expect(places.findIndex((inner, index) => places.slice(index + 1).some((outer) => inner.path.startsWith(`${outer.path}/`)))).toBe(
          -1,
        );
      }),
    );
  });

  it.each([
    ["/etc/x", "/etc/x"],
    ["~/.claude", "/home/ada/.claude"],
    ["~", "/home/ada"],
    ["../holdout", "/specs/holdout"],
    ["~ada/x", "/specs/loops/~ada/x"],
  ])("names %s as a spec would", (path, named) => {
    expect(placeNamed(path, "/specs/loops", "/home/ada")).toBe(named);
  });
});

describe("the profile", () => {
  const places = [
    place("/tmp", "scratch"),
    place("/tmp/home", "hidden"),
    { ...place("/h/.npmrc", "hidden"), isFolder: false },
    place("/tmp/home/room", "write"),
  ];

  const ground: Ground = { user: { uid: 61000, gid: 61000 }, settings: ["/proc/sys"], secrets: ["/proc/keys"], filter: "/f" };
  const plan = { places, links: [{ path: "/bin", to: "usr/bin" }] };

  const shown = { kind: "shown", uid: 61000, gid: 61000 } as const;

  it("covers with what cannot be written, once what shows through is there", () => {
    const closed = { network: "closed", becoming: shown } as const;
    const args = profile({ path: "bwrap", sizes: true, ground }, plan, closed, "/tmp/home/room").join(" ");

    expect(args).toMatch(
      /--tmpfs \/tmp .*--tmpfs \/tmp\/home --dev-bind \/dev\/null \/h\/\.npmrc --bind \/tmp\/home\/room \/tmp\/home\/room --symlink usr\/bin \/bin --remount-ro \/tmp\/home --remount-ro \/ --chdir/,
    );
    expect(args).toContain("--unshare-net");
    expect(args).toContain("--uid 61000 --gid 61000");
    expect(args).toContain("--seccomp 8 --dev /dev --proc /proc --ro-bind /proc/sys /proc/sys --dev-bind /dev/null /proc/keys");
    expect(profile({ path: "bwrap", sizes: true, ground }, plan, { network: "open", becoming: shown }, "/")).not.toContain("--unshare-net");
  });

  it("of root that becomes somebody else has no user namespace, the powers that it takes to become that, and scratch for everybody", () => {
    const changed = { network: "closed", becoming: { ...shown, kind: "changed" } } as const;
    const args = profile({ path: "bwrap", sizes: true, ground }, plan, changed, "/").join(" ");

    expect(args).not.toMatch(/--unshare-user|--uid/);
    expect(args).toContain("--cap-drop ALL --cap-add CAP_SETUID --cap-add CAP_SETGID --cap-add CAP_SETPCAP");
    expect(args).toContain("--perms 1777 --size 1073741824 --tmpfs /tmp ");
  });

  it("asks a bubblewrap that is older than sizes for none", () => {
    expect(profile({ path: "bwrap", sizes: false, ground }, plan, { network: "open", becoming: shown }, "/")).not.toContain("--size");
  });

  it("of seatbelt denies writing first, and lets the last word count", () => {
    expect(profileText(places, { network: "closed" }).split("\n")).toEqual([
      "(version 1)",
      "(allow default)",
      "(deny network*)",
      "(deny file-write*)",
      expect.stringMatching(/^\(allow file-write\* \(literal "\/dev\/null"\)/),
      '(deny file-read-data file-read-xattr file-write* (subpath "/tmp"))',
      '(deny file-read-data file-read-xattr file-write* (subpath "/tmp/home"))',
      '(deny file-read-data file-read-xattr file-write* (literal "/h/.npmrc"))',
      '(allow file-read* file-write* (subpath "/tmp/home/room"))',
      "",
    ]);
  });

  it("of seatbelt cannot be broken out of by a name", () => {
    expect(profileText([place('/a")(allow file-write*)(x "\\', "hidden")], { network: "open" })).toContain(
      '(subpath "/a\\")(allow file-write*)(x \\"\\\\")',
    );
  });
});

describe("how a boxed command ended", () => {
  it.each([
    ["an exit code", 7, "over\n", undefined],
    ["an exit code that looks like a signal", 137, "over\n", undefined],
    ["a signal that the shell names", 139, "Segmentation fault\nover\n", 11],
    ["a signal that shells are silent about", 141, "over\n", 13],
    ["a signal that took the shell along", 137, "", 9],
    ["an exit code beyond all signals", 255, "over\n", undefined],
  ])("is read from what the shell inside said: %s", (_, code, words, signal) => {
    expect(signalIn(code, { status: "", words })).toBe(signal);
  });
});

describe("bubblewrap alone", () => {
  const without = async (path: string) => {
    const box = createBox("/nonexistent", { get: (name) => ({ PATH: path })[name] }, { means: ["bubblewrap"] });
    return { means: await box.means(), box };
  };

  it.runIf(process.platform === "linux")("is told so, and how to get it; a command that requires a box does not run", async () => {
    const { means, box } = await without("/nonexistent");

    expect(means).toEqual({
      kind: "none",
      why: "bubblewrap (bwrap) is not on the PATH",
      hint: expect.stringContaining("apt install bubblewrap"),
    });
    const command = { run: "true", cwd: "/", env: {}, timeoutMs: 1 };
    await expect(box.enclose({ ...command, box: wishFor([]) })).rejects.toMatchObject({ code: "box-unusable", retry: "never" });
    expect(await box.enclose({ ...command, box: wishFor([], { when: "available" }) })).toEqual({
      argv: ["/bin/sh", "-c", "--", "true"],
      tells: false,
      fact: { kind: "none", why: "bubblewrap (bwrap) is not on the PATH" },
    });
  });

  it.runIf(process.platform === "linux")("does not believe a bubblewrap that keeps nobody from anything", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lw-fake-"));
    // Runs what it is given as it is.
    writeFileSync(
      join(folder, "bwrap"),
      '#!/bin/sh\n[ "$1" = --version ] && exec echo bubblewrap 0.8.0\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n',
      {
        mode: 0o755,
      },
    );

    const { means } = await without(`${folder}:${process.env.PATH}`);
    rmSync(folder, { recursive: true });

    expect(means).toMatchObject({ kind: "none", why: expect.stringContaining("a boxed command could write outside its room") });
  });

  it.runIf(process.platform === "linux")("says what bubblewrap said when it cannot work", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lw-fake-"));
    writeFileSync(join(folder, "bwrap"), "#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2; exit 1\n", {
      mode: 0o755,
    });

    const { means } = await without(`${folder}:${process.env.PATH}`);
    rmSync(folder, { recursive: true });

    expect(means).toMatchObject({
      kind: "none",
      why: expect.stringContaining("No permissions to create a new namespace"),
      hint: expect.stringContaining("User namespaces seem to be refused"),
    });
  });
});

describeEachBox("a command in a box", (kind) => {
  const PATH = process.env.PATH ?? "/usr/bin:/bin";
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-boxed-")));
  const ourHome = join(folder, "loopwright");
  const userHome = join(folder, "ada");
  const [room, sibling] = [join(ourHome, "rounds", "r.1", "check-1"), join(ourHome, "rounds", "r.1", "check-2")];
  const artifacts = createArtifacts(join(ourHome, "artifacts"));
  const box = createBox(ourHome, { get: (name) => ({ HOME: userHome, PATH: `${userHome}/.pyenv/bin:${PATH}` })[name] }, only(kind));
  const proc = createProc(artifacts, systemClock, neverStops, { box, machine: thisMachine });
  const mark = `box-test-${process.pid}`;

  beforeAll(() => {
    for (const path of [room, sibling, userHome, join(folder, "target"), join(folder, "holdout")]) mkdirSync(path, { recursive: true });
    for (const path of [".ssh", ".config/gh", ".pyenv/bin"]) mkdirSync(join(userHome, path), { recursive: true });
    writeFileSync(join(userHome, ".ssh", "id_ed25519"), "private\n");
    writeFileSync(join(userHome, ".npmrc"), "token\n");
    writeFileSync(join(userHome, ".config", "gh", "hosts.yml"), "token\n");
    writeFileSync(join(userHome, ".pyenv", "bin", "tool"), "#!/bin/sh\necho tool works\n", { mode: 0o755 });
    writeFileSync(join(ourHome, "journal.db"), "records\n");
    writeFileSync(join(sibling, "other"), "sibling\n");
    writeFileSync(join(folder, "target", "file"), "target\n");
    writeFileSync(join(folder, "holdout", "answers"), "forty-two\n");
  });
  afterEach(() => expect(markedProcesses(mark)).toEqual([]));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (command: string, about: Partial<BoxWish> = {}, env: { readonly [name: string]: string } = {}): Promise<Finished> =>
    proc.run({
      run: command,
      cwd: room,
      env: { PATH, ...env },
      timeoutMs: 20_000,
      mark,
      box: wishFor([room], { needs: [join(folder, "target")], folder, ...about }),
    });
  const said = async (command: string, about?: Partial<BoxWish>): Promise<string> => (await run(command, about)).tail;

  it("can start us by the name that we were started by, a link in a temporary folder, and sees nothing else of that", async () => {
    const modules = join(folder, "installed", "node_modules");
    const bin = join(modules, ".bin");
    for (const path of [bin, join(modules, "lw", "dist"), join(modules, "other")]) mkdirSync(path, { recursive: true });
    writeFileSync(join(modules, "lw", "package.json"), '{"type": "module"}');
    writeFileSync(join(modules, "lw", "dist", "lw.js"), 'import "./rest.js";\n');
    writeFileSync(join(modules, "lw", "dist", "rest.js"), 'console.log("started", import.meta.url !== "");\n');
    symlinkSync("../lw/dist/lw.js", join(bin, "lw"));
    const env = { get: (name: string) => ({ HOME: userHome, PATH })[name] };
    const about = { ...only(kind), program: [process.execPath, join(bin, "lw")] };
    const started = createProc(artifacts, systemClock, neverStops, { box: createBox(ourHome, env, about), machine: thisMachine });
    const command = `'${process.execPath}' '${join(bin, "lw")}'; ls '${modules}'`;

    const { tail } = await started.run({
      run: command,
      cwd: room,
      env: { PATH },
      timeoutMs: 20_000,
      mark,
      box: wishFor([room], { folder }),
    });

    expect(tail).toBe("started true\nlw\n");
  });

  it("has its room given to it before reads are traced, so that nothing is told but what a command reads", async () => {
    const own = join(ourHome, "rounds", "r.1", "check-3");
    mkdirSync(own);
    for (const name of ["read", "left", "written"]) writeFileSync(join(own, name), `${name}\n`);
    const wish = wishFor([own], { folder });

    await box.give(wish);
    const trace = await traceReads(own);
    const { end } = await proc.run({ run: "cat read; echo more >> written", cwd: own, env: { PATH }, timeoutMs: 20_000, mark, box: wish });
    const traced = await trace.end();

    expect([end, traced]).toEqual([{ kind: "exited", code: 0 }, expect.objectContaining({ touched: ["written"] })]);
    if (traced.kind === "traced") expect([...traced.read].sort()).toEqual(["read", "written"]);
  });

  it("works in its room, and what it leaves there is there", async () => {
    expect(await said("pwd; echo done > left; cat left; mkdir -p deep/er; git init -q . && echo git works")).toBe(
      `${room}\ndone\ngit works\n`,
    );
    expect(readFileSync(join(room, "left"), "utf8")).toBe("done\n");
  });

  it.each([
    ["a file of the target", () => join(folder, "target", "file")],
    ["the user's home", () => join(userHome, "new")],
    ["a sibling room", () => join(sibling, "other")],
    ["the journal", () => join(ourHome, "journal.db")],
    ["our home", () => join(ourHome, "new")],
    ["the system", () => "/etc/lw-box-test"],
    ["a secret place", () => join(userHome, ".ssh", "authorized_keys")],
    ["another folder of temporary files", () => join(folder, "new")],
  ])("cannot write to %s", async (_, pathOf) => {
    const path = pathOf();
    const before = existsSync(path) ? readFileSync(path, "utf8") : undefined;

    await run(`echo bad > '${path}'; echo bad >> '${path}'; rm -f '${path}'; ln -sf /etc/passwd '${path}'`);

    expect(existsSync(path) ? readFileSync(path, "utf8") : undefined).toBe(before);
  });

  it("cannot write through a link in its room that leads out", async () => {
    symlinkSync(join(folder, "target", "file"), join(room, "link"));
    symlinkSync(join(folder, "target"), join(room, "links"));

    const { end } = await run("echo bad > link; echo bad > links/file; echo bad > links/new; cat link");

    expect(end).toEqual({ kind: "exited", code: 0 });
    expect(readFileSync(join(folder, "target", "file"), "utf8")).toBe("target\n");
    expect(existsSync(join(folder, "target", "new"))).toBe(false);
  });

  it("sees no secrets, no journal, no sibling and no hold-out, and its tools work", async () => {
    const hidden = [
      join(userHome, ".ssh", "id_ed25519"),
      join(userHome, ".npmrc"),
      join(userHome, ".config", "gh", "hosts.yml"),
      join(ourHome, "journal.db"),
      join(sibling, "other"),
      join(folder, "holdout", "answers"),
    ];

    const seen = await said(
      `cat ${hidden.map((path) => `'${path}'`).join(" ")} 2>/dev/null; ls -A '${userHome}' '${ourHome}' '${ourHome}/rounds/r.1'; cat '${folder}/target/file'; ${userHome}/.pyenv/bin/tool`,
      { needs: [join(folder, "target"), folder], hidden: ["holdout"] },
    );

    expect(seen).toBe(`${userHome}:\n.pyenv\n\n${ourHome}:\nrounds\n\n${ourHome}/rounds/r.1:\ncheck-1\ntarget\ntool works\n`);
  });

  it("sees and writes what the spec opens, and a hold-out never", async () => {
    const about = { reads: [join(userHome, ".npmrc")], writes: ["~/.config/gh", "holdout"], hidden: ["holdout"] };

    const finished = await run(`cat ~/.npmrc; echo new > ~/.config/gh/state; cat '${folder}/holdout/answers' 2>/dev/null`, about, {
      HOME: userHome,
    });

    expect(finished.tail).toBe("token\n");
    expect(readFileSync(join(userHome, ".config", "gh", "state"), "utf8")).toBe("new\n");
    expect(finished.box).toMatchObject({ kind, network: "closed", writes: [join(userHome, ".config", "gh")] });
    expect("hides" in finished.box && finished.box.hides).toEqual(expect.arrayContaining([ourHome, userHome, "/etc/shadow"]));
  });

  it("has temporary files of its own, which nobody sees afterwards", async () => {
    const name = `lw-box-private-${process.pid}`;

    expect(await said(`for at in /tmp /var/tmp /dev/shm; do echo here > $at/${name} && cat $at/${name}; done`)).toBe("here\nhere\nhere\n");
    expect(["/tmp", "/var/tmp", "/dev/shm"].filter((at) => existsSync(join(at, name)))).toEqual([]);
  });

  it("cannot fill the memory with temporary files", async () => {
    expect((await run("head -c 1200000000 /dev/zero > /tmp/big")).end).toEqual({ kind: "exited", code: 1 });
  });

  it("reaches no server of this machine, unless the network is open", async () => {
    const server = createServer((_, answer) => answer.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const at = server.address();
    const port = typeof at === "object" && at ? at.port : 0;
    const fetching = `'${process.execPath}' -e "fetch('http://127.0.0.1:${port}').then((a) => a.text()).then(console.log, (e) => console.log(e.cause.code))"`;

    const [closed, open] = [await said(fetching), await said(fetching, { network: "open" })];
    server.close();

    expect([closed, open]).toEqual(["ECONNREFUSED\n", "reached\n"]);
  });

  it("sees only its own processes, and cannot end ours", async () => {
    const seen = await said(
      `ls /proc | grep -c '^[0-9]'; kill -0 ${process.pid} 2>/dev/null || echo nobody; readlink /proc/self/ns/pid /proc/self/ns/net /proc/self/ns/ipc`,
    );

    const [count, nobody, ...namespaces] = seen.trim().split("\n");
    expect(Number(count)).toBeLessThan(12);
    expect(nobody).toBe("nobody");
    expect(namespaces.filter((name) => ["pid", "net", "ipc"].some((kind) => readlinkSync(`/proc/self/ns/${kind}`) === name))).toEqual([]);
  });

  it("has no powers, and cannot get any", async () => {
    expect(await said("grep -E '^Cap(Eff|Prm|Bnd)|NoNewPrivs' /proc/self/status | tr -d '\\t'")).toBe(
      "CapPrm:0000000000000000\nCapEff:0000000000000000\nCapBnd:0000000000000000\nNoNewPrivs:1\n",
    );
    const { end } = await run("mount -o remount,rw / || unshare -Urm sh -c 'mount -o remount,rw,bind /' || umount /tmp");
    expect(end.kind === "exited" && end.code).not.toBe(0);
  });

  it("is refused, and not taken for a failing command, when its box cannot be made", async () => {
    const failing = proc.run({ run: "true", cwd: sibling, env: { PATH }, timeoutMs: 20_000, mark, box: wishFor([room]) });

    await expect(failing).rejects.toMatchObject({
      code: "box-unusable",
      retry: "never",
      message: expect.stringContaining("could not be made"),
    });
  });

  it("is heard although it was over before this process, busy with others, could turn to it", async () => {
    const hash = promisify(pbkdf2);
    let busy: readonly Promise<unknown>[] = [];
    // Asked just before the start: all that is done with files, up to where it is waited for, comes after this.
    const freeBytes = (path: string): number | undefined => {
      if (busy.length === 0) busy = Array.from({ length: 4 }, () => hash("x", "y", 100_000, 64, "sha512"));
      return thisMachine.freeBytes(path);
    };
    const proc = createProc(artifacts, systemClock, neverStops, { box, machine: { ...thisMachine, freeBytes } });

    const { end } = await proc.run({ run: "true", cwd: room, env: { PATH }, timeoutMs: 20_000, mark, box: wishFor([room]) });
    await Promise.all(busy);

    expect(end).toEqual({ kind: "exited", code: 0 });
  });

  it("works with git in a room that borrows its objects, also where the target lies among temporary files", async () => {
    const repo = createRepo();
    const base = repo.commit("base", { files: { "a.txt": "a\n" } });
    const workshop = createWorkshop(join(ourHome, "rounds"), createRunGit({ path: PATH }), artifacts);
    const round = {
      id: "prove-1-x.1",
      run: "prove-1-x",
      loop: "prove",
      number: 1,
      base,
      openedAt: "2026-01-02T03:04:05.678Z",
      lessons: [],
    };
    const workspace = await workshop.openWorkspace(repo.dir, round);
    writeFileSync(join(workspace.work, "b.txt"), "b\n");
    const { commit } = await workshop.commitWorkspace(repo.dir, round, "more");
    const checkout = await workshop.checkOut(repo.dir, round, commit, "1");

    const wish = wishFor([checkout.work, checkout.home], { needs: checkout.borrows ?? [] });
    const { tail } = await proc.run({
      run: "git log --format=%s; git status --short; git show HEAD~1:a.txt; git commit -q --allow-empty -m x && echo made",
      cwd: checkout.work,
      env: {
        PATH,
        HOME: checkout.home,
        GIT_AUTHOR_NAME: "a",
        GIT_AUTHOR_EMAIL: "a@b",
        GIT_COMMITTER_NAME: "a",
        GIT_COMMITTER_EMAIL: "a@b",
      },
      timeoutMs: 20_000,
      mark,
      box: wish,
    });
    await workshop.close(round);
    repo.remove();

    expect(tail).toBe("more\nbase\na\nmade\n");
  });
});
