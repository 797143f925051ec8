// A program that lists what it can see of where it runs, plainly and in a box: whatever differs and is not on the list below fails.
// Each difference is one by which code could behave where it is checked and nowhere else.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeEachBox, only, wishFor } from "../../../test/support/box.ts";
import { neverStops } from "../../contract/stop.ts";
import { systemClock } from "../machine/clock.ts";
import { thisMachine } from "../process/machine-use.ts";
import { createProc } from "../process/proc.ts";
import { createArtifacts } from "../store/artifacts.ts";
import { createBox } from "./box.ts";

/** A name and a value for each fact, as JSON: numbers that are never the same twice are only told as large or small. */
const LISTER = String.raw`
const fs = require("node:fs"), os = require("node:os");
const get = (act) => { try { return act(); } catch (error) { return "! " + error.code; } };
const read = (path) => get(() => fs.readFileSync(path, "latin1"));
const list = (path) => get(() => fs.readdirSync(path).sort().join(" "));
const status = read("/proc/self/status");
const field = (name) => (new RegExp("^" + name + ":\\s*(.*)$", "m").exec(status) || [])[1];
const stat = read("/proc/self/stat").replace(/^.*\) /, "").split(" ");
const mounts = read("/proc/self/mountinfo").split("\n").filter(Boolean).map((line) => line.split(" "));
const mountAt = (path) => mounts.filter((one) => one[4] === path).length > 0;
const typeAt = (path) => { const line = mounts.filter((one) => one[4] === path).at(-1); return line ? line[line.indexOf("-") + 1] : "none"; };
const size = (number, bound) => (Number(number) < bound ? "small" : "large");
const parent = "/proc/" + process.ppid + "/";
const marks = (text) => (/bwrap|bubblewrap|unshare|setpriv|loopwright|\blw\b/.exec(text) || ["none"])[0];
const ancestors = () => { let all = "", pid = String(process.ppid); for (let n = 0; n < 12 && pid > 0; n++) { all += read("/proc/" + pid + "/cmdline"); pid = (/^PPid:\s*(\d+)/m.exec(read("/proc/" + pid + "/status")) || [])[1]; if (!pid) break; } return all; };
const limits = read("/proc/self/limits").split("\n").slice(1).filter(Boolean).map((line) => line.split(/\s{2,}/));
const tryTo = (path) => get(() => { fs.accessSync(path, fs.constants.W_OK); return "yes"; });
const facts = {
  "pid": size(process.pid, 300), "parent's pid": size(process.ppid, 300),
  "first process": read("/proc/1/comm").trim(), "mark of the first process": marks(read("/proc/1/cmdline")),
  "mark of its ancestors": marks(ancestors()), "parent": read(parent + "comm").trim(),
  "processes": size(list("/proc").split(" ").filter((name) => /^\d+$/.test(name)).length, 10),
  "session": stat[3] === String(process.pid) ? "own" : stat[3] === "0" ? "none" : "another's", "terminal": stat[4] === "0" ? "none" : "one",
  "group": stat[2] === String(process.pid) ? "own" : "another's", "nice": stat[16], "scheduler": stat[38],
  "user": String(process.getuid()), "group id": String(process.getgid()), "groups": process.getgroups().join(),
  "map of users": read("/proc/self/uid_map").replace(/\s+/g, " ").trim(), "setgroups": read("/proc/self/setgroups").trim(),
  "powers": field("CapEff"), "powers to be had": field("CapBnd"), "powers handed on": field("CapInh") + field("CapAmb"),
  "no new privileges": field("NoNewPrivs"), "calls filtered": field("Seccomp"), "signals ignored": field("SigIgn"), "signals blocked": field("SigBlk"),
  "parent death": field("Speculation_Store_Bypass"), "security label": read("/proc/self/attr/current").replace(/\0/g, "").trim(),
  "interfaces": Object.keys(os.networkInterfaces()).sort().join(), "interfaces in the kernel": list("/sys/class/net"),
  "routes": size(read("/proc/net/route").split("\n").length, 3), "host name": os.hostname() === "" ? "none" : os.hostname(), "resolver": get(() => fs.existsSync("/etc/resolv.conf")),
  "root is a mount of": typeAt("/"), "root can be written to": tryTo("/"), "folder is a mount": mountAt(process.cwd()), "folder can be written to": tryTo("."),
  "/tmp is a mount of": typeAt("/tmp"), "/home is a mount of": typeAt("/home"), "/dev is a mount of": typeAt("/dev"), "/proc is a mount of": typeAt("/proc"), "/sys is a mount of": typeAt("/sys"),
  "mounts": size(mounts.length, 30), "root": list("/"), "/dev": list("/dev"), "/home": list("/home"), "/tmp is empty": list("/tmp") === "", "/run": list("/run") === "" ? "empty" : "something", "/sys": list("/sys"),
  "/etc/passwd": get(() => fs.existsSync("/etc/passwd")), "settings can be written to": tryTo("/proc/sys/kernel/ns_last_pid"),
  "variables": Object.keys(process.env).sort().join(), "shell level": process.env.SHLVL || "none", "variables with a mark": Object.entries(process.env).filter(([name, value]) => /loopwright|bwrap|^LW_/i.test(name + value.replaceAll(process.cwd(), ""))).map(([name]) => name).join(),
  "streams": [0, 1, 2].map((fd) => get(() => { const at = fs.fstatSync(fd); return at.isFIFO() ? "pipe" : at.isFile() ? "file" : at.isSocket() ? "socket" : "device"; })).join(), "descriptors": list("/proc/self/fd").split(" ").filter((fd) => Number(fd) < 10).join(),
  "umask": process.umask().toString(8), "processors": os.cpus().length, "memory": os.totalmem(), "release": os.release(), "control group": read("/proc/self/cgroup").replace(/[\w.-]*\d[\w.-]*/g, "N").trim(),
  "out of memory": read("/proc/self/oom_score_adj").trim(), "login": read("/proc/self/loginuid").trim(), "time zone": Intl.DateTimeFormat().resolvedOptions().timeZone, "language": Intl.DateTimeFormat().resolvedOptions().locale,
  ...Object.fromEntries(limits.map(([name, soft]) => ["limit: " + name, soft])),
  "name of a container": ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"].filter((path) => fs.existsSync(path)).join(), "started by": process.env._ ? "told" : "not told", "argument 0": process.argv0.split("/").at(-1),
};
process.stdout.write(JSON.stringify(facts));
`;

/**
 * What differs, and why it cannot be the same. Code that reads these is told by the scanner (`surroundings-asked`), and `isomorphic` and
 * `twins` have each its own of them.
 */
const KNOWN: { readonly [fact: string]: string } = {
  pid: "numbers of a namespace start at 1; the kernel's counter is not ours to set",
  "parent's pid": "the same",
  "first process": "a namespace has a first process of its own",
  "mark of its ancestors": "plainly, whoever runs the tests stands there; in a box they are not seen",
  parent: "a shell that waits for it",
  processes: "others are not seen",
  session: "its own, so that it has no terminal",
  group: "the same",
  user: "root is nobody special inside",
  "group id": "the same",
  groups: "those of who it is",
  "map of users": "a user namespace cannot hide that it is one",
  setgroups: "the same",
  powers: "all are taken",
  "powers to be had": "the same",
  "no new privileges": "must be, for the filter of calls",
  "calls filtered": "the filter of calls",
  interfaces: "the network is its own: a second interface needs root",
  "interfaces in the kernel": "the same, or not shown",
  routes: "the same",
  "root is a mount of": "it is built in memory",
  "root can be written to": "read-only for everybody",
  "folder is a mount": "what may be written to is laid into a root that may not",
  "/tmp is a mount of": "temporary files are its own",
  "/home is a mount of": "homes are not shown",
  "/dev is a mount of": "devices are its own",
  "/sys is a mount of": "it is not shown",
  mounts: "as many as it has places",
  root: "a box starts empty",
  "/dev": "the same",
  "/home": "the same",
  "/tmp is empty": "the same",
  "/run": "the same",
  "/sys": "the same",
  "settings can be written to": "they are the machine's",
  "limit: Max processes": "a box may start only so many",
  "limit: Max file size": "a file may become only so large",
  "limit: Max core file size": "nothing is dumped",
  "name of a container": "where the machine is one, its mark is not shown",
  "control group": "its namespace, or a group of its own",
  variables: "one of ours, by which processes are found, counted and ended; changed code that names it is told",
  "variables with a mark": "the same",
  streams: "what it prints is kept in a file",
  descriptors: "the shell inside keeps none of them open for it, a plain shell may",
};

describeEachBox("what a program can see of a box", (kind) => {
  const PATH = `${dirname(process.execPath)}:${process.env.PATH ?? "/usr/bin:/bin"}`;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-seen-")));
  const [ours, home] = [join(folder, "ours"), join(folder, "ada")];
  const room = join(ours, "rounds", "r.1", "work");
  const artifacts = createArtifacts(join(ours, "artifacts"));
  const box = createBox(ours, { get: (name) => ({ HOME: home, PATH })[name] }, only(kind));

  beforeAll(() => {
    for (const path of [room, home]) mkdirSync(path, { recursive: true });
    writeFileSync(join(room, "lister.cjs"), LISTER);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const see = async (isBoxed: boolean): Promise<{ readonly [fact: string]: unknown }> => {
    const command = { run: "node lister.cjs", cwd: room, env: { PATH, HOME: room }, timeoutMs: 30_000 };
    if (!isBoxed) {
      const plain = spawnSync("/bin/sh", ["-c", command.run], {
        cwd: room,
        env: command.env,
        encoding: "utf8",
        timeout: command.timeoutMs,
      });
      return JSON.parse(plain.stdout) as { readonly [fact: string]: unknown }; // printed above
    }
    const proc = createProc(artifacts, systemClock, neverStops, { box, machine: thisMachine });
    const { tail } = await proc.run({ ...command, mark: `seen-${process.pid}`, box: wishFor([room], { folder }) });
    return JSON.parse(tail) as { readonly [fact: string]: unknown }; // printed above
  };

  it("differs from a plain process in nothing that is not on the list", async () => {
    const [plain, boxed] = [await see(false), await see(true)];
    const differing = Object.keys(plain).filter((fact) => plain[fact] !== boxed[fact]);

    expect(Object.keys(boxed)).toEqual(Object.keys(plain));
    expect(Object.keys(plain).length).toBeGreaterThan(60);
    const told = (facts: readonly string[]) => facts.map((fact) => `${fact}: plainly ${String(plain[fact])}, boxed ${String(boxed[fact])}`);
    expect(told(differing.filter((fact) => !Object.hasOwn(KNOWN, fact)))).toEqual([]);
  });

  it("names neither itself nor the means that made it, in any process that can be seen there", async () => {
    const boxed = await see(true);

    expect([boxed["mark of the first process"], boxed["mark of its ancestors"]]).toEqual(["none", "none"]);
    expect(boxed["first process"]).not.toMatch(/bwrap|unshare|setpriv/);
  });
});
