import { expect, it } from "vitest";
import type { Command, Finished } from "../contract/commands.ts";
import type { NotifierWorld } from "../contract/part-worlds.ts";
import { untrustedText } from "../contract/text.ts";
import { command } from "./command.ts";

const telling = { loop: "watch", run: "watch-1", repo: "/repo", folder: "/loops", report: "# Report\n" };

/** A world in which every command ends in the given way. */
function worldEnding(end: Finished["end"], tail = "") {
  const ran: Command[] = [];
  const ours: { readonly [name: string]: string } = { PATH: "/bin", HOME: "/home/ada", TOKEN: "t", SECRET: "s", LOOPWRIGHT_RUN: "another" };
  const world: NotifierWorld = {
    http: { send: () => Promise.reject(new Error("no request was expected")) },
    mail: { send: () => Promise.reject(new Error("no mail was expected")) },
    env: { get: (name) => ours[name] },
    files: { readText: () => Promise.resolve(undefined), writeText: () => Promise.reject(new Error("no file was expected")) },
    proc: {
      run(asked) {
        ran.push(asked);
        return Promise.resolve({
          end,
          tookMs: 1,
          output: { sha256: "", bytes: 0, truncated: false },
          tail: untrustedText(tail),
          box: { kind: "none", why: "" },
        });
      },
    },
  };
  return { world, ran };
}

it("runs the command in the spec's folder with the report on stdin and only the named variables", async () => {
  const { world, ran } = worldEnding({ kind: "exited", code: 0 });

  await command.configure({ run: "mail team", timeout: "2s", inherit: ["TOKEN", "UNSET", "LOOPWRIGHT_RUN"] })(telling, world);

  expect(ran).toEqual([
    {
      run: "mail team",
      cwd: "/loops",
      env: { PATH: "/bin", HOME: "/home/ada", TOKEN: "t", LOOPWRIGHT_LOOP: "watch", LOOPWRIGHT_RUN: "watch-1" },
      timeoutMs: 2000,
      input: "# Report\n",
    },
  ]);
});

it("says how the command failed, whichever way it did", async () => {
  const ends: readonly Finished["end"][] = [
    { kind: "exited", code: 3 },
    { kind: "killed", signal: "SIGKILL" },
    { kind: "timed-out", afterMs: 60_000 },
  ];

  const messages = await Promise.all(
    ends.map((end) =>
      command
        .configure({ run: "mail" })(telling, worldEnding(end, "no such host\n").world)
        .then(String, (cause: Error) => cause.message),
    ),
  );

  expect(messages).toEqual([
    "the report was not handed on: `mail` exited with 3, and last said: no such host",
    "the report was not handed on: `mail` was killed by SIGKILL, and last said: no such host",
    "the report was not handed on: `mail` took longer than 60000 ms, and last said: no such host",
  ]);
});

it("refuses a command that is none and variables that have no name", () => {
  for (const options of [{}, { run: " " }, { run: "x", inherit: ["A=B"] }, { run: "x", timeout: "never" }])
    expect(() => command.configure(options)).toThrow();
});
