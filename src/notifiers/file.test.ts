import { expect, it } from "vitest";
import { LoopError } from "../contract/errors.ts";
import type { NotifierWorld } from "../contract/part-worlds.ts";
import { file } from "./file.ts";

const telling = { loop: "watch", run: "watch-1", repo: "/home/ada/project", folder: "/home/ada/loops", report: "# Report\n" };

/** A world in which files can be written, and nothing else. */
function recordingWorld() {
  const written: [string, string][] = [];
  const world: NotifierWorld = {
    http: { send: () => Promise.reject(new Error("no request was expected")) },
    mail: { send: () => Promise.reject(new Error("no mail was expected")) },
    proc: { run: () => Promise.reject(new Error("no command was expected")) },
    env: { get: () => undefined },
    files: {
      readText: () => Promise.resolve(undefined),
      writeText(path, text) {
        written.push([path, text]);
        return Promise.resolve();
      },
    },
  };
  return { world, written };
}

it("writes the report beside the spec, or wherever the path leads", async () => {
  const { world, written } = recordingWorld();

  for (const path of ["out/report.md", "../reports/r.md", "/var/reports/r.md", "../project-reports/r.md", "..x"])
    await file.configure({ path })(telling, world);

  expect(written).toEqual([
    ["/home/ada/loops/out/report.md", "# Report\n"],
    ["/home/ada/reports/r.md", "# Report\n"],
    ["/var/reports/r.md", "# Report\n"],
    ["/home/ada/project-reports/r.md", "# Report\n"],
    ["/home/ada/loops/..x", "# Report\n"],
  ]);
});

it("never writes inside the target, however the path is put", async () => {
  const { world, written } = recordingWorld();
  const paths = [
    "../project/r.md",
    "/home/ada/project",
    "/home/ada/other/../project/.git/hooks/post-commit",
    "../Project/r.md",
    "../project/..r.md",
  ];

  const failures = await Promise.all(
    paths.map((path) =>
      file
        .configure({ path })(telling, world)
        .catch((cause: unknown) => cause),
    ),
  );

  expect(written).toEqual([]);
  expect(failures.map((failure) => failure instanceof LoopError && failure.code)).toEqual(paths.map(() => "notify-failed"));
  expect(failures[0]).toMatchObject({
    message:
      "the report was not written to /home/ada/project/r.md: it lies inside the target /home/ada/project, which reports may not change",
    hint: "Give the `file` action a `path` outside the repository.",
  });
});

it("refuses a path that is none", () => {
  for (const options of [{}, { path: "" }, { path: "a\0b" }]) expect(() => file.configure(options)).toThrow();
});
