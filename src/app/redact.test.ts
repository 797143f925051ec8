import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { barrenDesk, finishedAs } from "../../test/support/fake-world.ts";
import { seededChance } from "../../test/support/seeded-chance.ts";
import { MOST_KEPT_BYTES } from "../contract/artifacts.ts";
import type { MarkedCommand } from "../contract/commands.ts";
import type { LoopRecord } from "../contract/record.ts";
import { createRedactor, redacted } from "../guard/secrets/redact.ts";
import { openSqliteJournal } from "../journal/sqlite-journal.ts";
import { systemClock } from "../world/machine/clock.ts";
import { createArtifacts } from "../world/store/artifacts.ts";
import { createStore } from "../world/store/store.ts";
import { redactArtifacts, redactCopyFiles, redactFiles, redactJournal, redactProc } from "./redact.ts";

const folder = mkdtempSync(join(tmpdir(), "lw-redacting-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const secret = `gh${"p_"}${seededChance(3).text("A-Za-z0-9", 36)}`;
const redactor = createRedactor("a key of this test");
const placeholder = redacted(redactor, secret);
const artifacts = redactArtifacts(createArtifacts(join(folder, "artifacts")), redactor);

it("writes records without secrets into a chain that is whole", async () => {
  const journal = redactJournal(await openSqliteJournal(createStore(join(folder, "home")), systemClock), redactor);
  const record: LoopRecord = { kind: "stop-requested", by: `ada with ${secret}` };

  const line = { loop: "fix", run: "fix-1-abcde", record };
  const clean: LoopRecord = { kind: "stop-requested", by: `ada with ${placeholder}` };

  const entries = await journal.append([line, line]);

  expect(entries.map((entry) => entry.record)).toEqual([clean, clean]);
  expect(journal.draft(line).record).toEqual(clean);
  expect((await journal.story("fix-1-abcde")).entries).toEqual(entries);
  expect((await journal.inspect()).whole).toBe(true);
  journal.close();
});

it("keeps artifacts without secrets, wherever the pieces are cut", async () => {
  for (let cut = 0; cut <= secret.length; cut += 7) {
    const sink = await artifacts.receive();
    await sink.write(Buffer.from(`before ${secret.slice(0, cut)}`));
    await sink.write(Buffer.from(`${secret.slice(cut)} after`));

    expect(Buffer.from(await artifacts.read(await sink.keep())).toString()).toBe(`before ${placeholder} after`);
  }
});

it("keeps bytes that are no text as they are", async () => {
  const bytes = Buffer.from(Array.from({ length: 1024 }, (_, index) => (index * 7) % 256));

  expect(Buffer.from(await artifacts.read(await artifacts.keep(bytes)))).toEqual(bytes);
});

it("says that an artifact was cut, also when redaction made it short enough", async () => {
  const text = `${secret}${" ".repeat(MOST_KEPT_BYTES + 1 - secret.length)}`;

  expect(await artifacts.keep(text)).toMatchObject({ truncated: true });
});

it("takes secrets out of what a command is told and of what it said last", async () => {
  const told: (string | undefined)[] = [];
  const proc = redactProc(
    {
      run: async ({ input }) => {
        told.push(input);
        return finishedAs({ kind: "exited", code: 0 }, `it said ${secret}`);
      },
    },
    redactor,
  );
  const command: MarkedCommand = { run: "true", cwd: "/", env: {}, timeoutMs: 1, mark: "m", input: `brief ${secret}` };

  expect((await proc.run(command)).tail).toBe(`it said ${placeholder}`);
  expect(told).toEqual([`brief ${placeholder}`]);
});

it("does not show the end of a secret that was cut off at the beginning of a tail", async () => {
  const finished = finishedAs({ kind: "exited", code: 0 }, `${secret.slice(10)} and more`);
  const proc = redactProc({ run: async () => ({ ...finished, output: { ...finished.output, bytes: 9_000 } }) }, redactor);

  expect((await proc.run({ run: "true", cwd: "/", env: {}, timeoutMs: 1, mark: "m" })).tail).toBe("… and more");
});

it("writes files without secrets", async () => {
  const written: string[] = [];
  const files = redactFiles({ readText: async () => undefined, writeText: async (_, text) => void written.push(text) }, redactor);

  await files.writeText("brief.md", `use ${secret}`);

  expect(written).toEqual([`use ${placeholder}`]);
});

it("shows a model files without secrets, with every line in its place", async () => {
  const key = `-----BEGIN ${"PRIVATE"} KEY-----\n${seededChance(4).text("A-Za-z0-9", 64)}\n-----END ${"PRIVATE"} KEY-----`;
  const lines = [`first ${secret}`, ...key.split("\n"), "last"].map((text) => ({ text }));
  const files = redactCopyFiles(
    {
      ...barrenDesk.files,
      readLines: async () => ({ kind: "lines", from: 1, lines, total: 5, bytes: 9 }),
      readBytes: async () => ({ kind: "bytes", text: secret, from: 0, to: 40, bytes: 40 }),
      search: async () => ({ kind: "hits", hits: [{ path: "a", line: 1, text: `x ${secret}` }], isWhole: true }),
    },
    redactor,
  );

  const read = await files.readLines("a", 1, 5);

  expect(read.kind === "lines" && read.lines.length).toBe(5);
  expect(read.kind === "lines" && read.lines[4]).toEqual({ text: "last" });
  expect(JSON.stringify([read, await files.readBytes("a", 0, 40), await files.search("x", "", 1)])).not.toMatch(
    new RegExp(`${secret}|${key.split("\n")[1]}`),
  );
});

it("does not let a model write a placeholder where a secret was", async () => {
  const files = redactCopyFiles(
    { ...barrenDesk.files, write: async () => ({ kind: "changed", bytes: 1 }), replace: async () => ({ kind: "changed", bytes: 1 }) },
    redactor,
  );

  expect(await files.write("a", `TOKEN=${placeholder}`)).toMatchObject({ kind: "refused", why: expect.stringContaining("secret") });
  expect(await files.replace("a", "x", placeholder)).toMatchObject({ kind: "refused" });
  expect(await files.write("a", "TOKEN=")).toEqual({ kind: "changed", bytes: 1 });
});
