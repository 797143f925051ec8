import { describe, expect, it } from "vitest";
import {
  describeService,
  installService,
  lookAtService,
  removeService,
  type Service,
  type ServiceWish,
  type ServiceWorld,
  tellRemoval,
} from "./service.ts";

const WISH: ServiceWish = {
  platform: "linux",
  userFolder: "/users/ada",
  userId: 501,
  home: "/users/ada/.local/state/loopwright",
  isUsualHome: true,
  program: ["/opt/node 20/bin/node", "/opt/lw.cjs"],
  path: "/usr/bin:/bin",
  drainMs: 60_000,
};

const service = (about: Partial<ServiceWish> = {}): Service => describeService({ ...WISH, ...about })!;

/** A machine whose service manager answers as it is told. */
function machine(about: { readonly has?: boolean; readonly answers?: (words: string) => number } = {}) {
  const files = new Map<string, string>();
  const asked: string[] = [];
  const world: ServiceWorld = {
    hasProgram: async () => about.has ?? true,
    ask: async (program, args) => {
      const words = [program, ...args].join(" ");
      asked.push(words);
      return { code: about.answers?.(words) ?? 0, text: "said" };
    },
    read: async (path) => files.get(path),
    write: async (path, text) => void files.set(path, text),
    remove: async (path) => void files.delete(path),
  };
  return { world, files, asked };
}

describe("what a service says", () => {
  it("to systemd", () => {
    expect(service().file).toBe("/users/ada/.config/systemd/user/loopwright.service");
    expect(service().text).toContain(
      'ExecStart="/opt/node 20/bin/node" "/opt/lw.cjs" "serve" "--home" "/users/ada/.local/state/loopwright"\nExecReload=/bin/kill -HUP $MAINPID\nEnvironment="PATH=/usr/bin:/bin"\n',
    );
    expect(service().text).toContain("TimeoutStopSec=90\n");
  });

  it("to launchd", () => {
    const { file, text, start } = service({ platform: "darwin", program: ["/a&b/node", "lw"] });

    expect([file, start]).toEqual([
      "/users/ada/Library/LaunchAgents/dev.loopwright.plist",
      [["launchctl", "bootstrap", "gui/501", "/users/ada/Library/LaunchAgents/dev.loopwright.plist"]],
    ]);
    expect(text).toContain("<string>/a&amp;b/node</string>");
  });

  it("nowhere else", () => {
    expect(describeService({ ...WISH, platform: "win32" })).toBeUndefined();
  });

  it("has a name of its own for each home", () => {
    const names = ["/a", "/b"].map((home) => service({ home, isUsualHome: false }).name);

    expect(new Set([...names, service().name]).size).toBe(3);
  });

  it("takes nothing in a path for its own grammar", () => {
    const { text } = service({ home: '/odd "home" 100% $HOME\nExecStart=/bin/evil' });

    expect(text.split("\n").filter((line) => line.startsWith("ExecStart="))).toEqual([
      'ExecStart="/opt/node 20/bin/node" "/opt/lw.cjs" "serve" "--home" "/odd \\"home\\" 100%% $$HOME ExecStart=/bin/evil"',
    ]);
  });
});

describe("putting it in and out", () => {
  it("writes, starts, and takes away again", async () => {
    const { world, files, asked } = machine();

    const put = await installService(world, service());
    const looked = await lookAtService(world, service());
    const taken = await removeService(world, service());

    expect([put.kind, looked, taken.kind, files.size]).toEqual([
      "done",
      { isInstalled: true, isCurrent: true, says: "it runs" },
      "done",
      0,
    ]);
    expect(asked).toEqual([
      "systemctl --user daemon-reload",
      "systemctl --user enable loopwright.service",
      "systemctl --user restart loopwright.service",
      "systemctl --user is-active loopwright.service",
      "systemctl --user disable --now loopwright.service",
      "systemctl --user daemon-reload",
    ]);
  });

  it("says so where there is nothing to start it with, or it cannot be started", async () => {
    const none = await installService(machine({ has: false }).world, service());
    const broken = await installService(machine({ answers: (words) => (words.includes("enable") ? 1 : 0) }).world, service());

    expect([none, broken].map((answer) => [answer.kind, answer.says])).toEqual([
      [
        "failed",
        "/users/ada/.config/systemd/user/loopwright.service is written, and nothing was started: systemctl is not on this machine",
      ],
      [
        "failed",
        "/users/ada/.config/systemd/user/loopwright.service is written, and could not be started: systemctl --user enable loopwright.service: said",
      ],
    ]);
  });

  it("tells that it is another one than it would be now", async () => {
    const { world } = machine({ answers: (words) => (words.includes("is-active") ? 3 : 0) });
    await installService(world, service({ path: "/old" }));

    expect(await lookAtService(world, service())).toEqual({ isInstalled: true, isCurrent: false, says: "it does not run (said)" });
  });

  it("removes nothing twice", async () => {
    expect((await removeService(machine().world, service())).kind).toBe("unchanged");
  });
});

it("tells what a removal would do, which is what it does, and nothing where there is none", async () => {
  const { world, files, asked } = machine();
  const its = service();
  expect(tellRemoval(its, false)).toEqual([`there is no ${its.file}: nothing would be removed`]);
  files.set(its.file, its.text);
  const told = tellRemoval(its, true);

  await removeService(world, its);

  expect(told.filter((line) => line.startsWith("would ask: "))).toEqual(asked.map((words) => `would ask: ${words}`));
  expect([told.includes(`would remove: ${its.file}`), files.size]).toEqual([true, 0]);
});
