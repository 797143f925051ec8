import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ArtifactStore, MOST_KEPT_BYTES } from "../../contract/artifacts.ts";
import { sha256 } from "../../std/hash.ts";
import { createArtifacts } from "./artifacts.ts";

let folder = "";
let artifacts: ArtifactStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lw-artifacts-"));
  artifacts = createArtifacts(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = (hash: string): string => join(folder, hash.slice(0, 2), hash);
const filesIn = (): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((found) => (found.isFile() ? [found.name] : []));

it("keeps text and bytes under their hash and gives them back", async () => {
  const text = await artifacts.keep("grün\n");
  const bytes = await artifacts.keep(Uint8Array.of(0, 255, 10));
  const nothing = await artifacts.keep("");

  expect([text, bytes, nothing]).toEqual([
    { sha256: sha256("grün\n"), bytes: 6, truncated: false },
    { sha256: sha256(Uint8Array.of(0, 255, 10)), bytes: 3, truncated: false },
    { sha256: sha256(""), bytes: 0, truncated: false },
  ]);
  expect(Buffer.from(await artifacts.read(text)).toString("utf8")).toBe("grün\n");
  expect([...(await artifacts.read(bytes))]).toEqual([0, 255, 10]);
});

it("keeps the same bytes once, however many keep them at the same time", async () => {
  const refs = await Promise.all(Array.from({ length: 50 }, (_, index) => artifacts.keep(`text ${index % 2}`)));

  expect(new Set(refs.map((ref) => ref.sha256)).size).toBe(2);
  expect([...filesIn()].sort()).toEqual([sha256("text 0"), sha256("text 1")].sort());
  for (const ref of refs) expect(Buffer.from(await artifacts.read(ref)).toString()).toMatch(/^text [01]$/);
});

it("says so when the bytes were changed or are gone", async () => {
  const ref = await artifacts.keep("as it was");

  writeFileSync(pathOf(ref.sha256), "as it never was");
  await expect(artifacts.read(ref)).rejects.toMatchObject({
    code: "journal-damaged",
    message: `the artifact ${ref.sha256.slice(0, 12)} was changed`,
  });

  rmSync(pathOf(ref.sha256));
  await expect(artifacts.read(ref)).rejects.toMatchObject({
    code: "journal-damaged",
    message: `the artifact ${ref.sha256.slice(0, 12)} is missing`,
  });
});

it.runIf(process.platform !== "win32")(
  "waits for nobody who could write into a pipe that lies in its place, and puts the bytes there again",
  async () => {
    const ref = await artifacts.keep("as it was");
    rmSync(pathOf(ref.sha256));
    execFileSync("mkfifo", [pathOf(ref.sha256)]);

    await expect(artifacts.read(ref)).rejects.toMatchObject({ code: "journal-damaged" });

    await artifacts.keep("as it was");
    expect(Buffer.from(await artifacts.read(ref)).toString("utf8")).toBe("as it was");
  },
);

it("puts damaged bytes right when the right ones are kept again", async () => {
  const ref = await artifacts.keep("as it was");
  writeFileSync(pathOf(ref.sha256), "damaged");

  await artifacts.keep("as it was");

  expect(Buffer.from(await artifacts.read(ref)).toString()).toBe("as it was");
});

it("keeps the start of what is too much, and says that there was more", async () => {
  const exact = await artifacts.keep(Buffer.alloc(MOST_KEPT_BYTES));
  const over = await artifacts.keep(Buffer.alloc(MOST_KEPT_BYTES + 1));

  expect([exact, over]).toEqual([
    { sha256: exact.sha256, bytes: MOST_KEPT_BYTES, truncated: false },
    { sha256: exact.sha256, bytes: MOST_KEPT_BYTES, truncated: true },
  ]);
});

it("leaves nothing behind of what was dropped", async () => {
  const sink = await artifacts.receive();
  await sink.write(Buffer.from("half"));

  await sink.drop();

  expect(filesIn()).toEqual([]);
});

it("says what to do when nothing can be written", async () => {
  const inTheWay = join(folder, "file");
  writeFileSync(inTheWay, "");
  const hash = sha256("x");
  mkdirSync(pathOf(hash), { recursive: true });

  for (const failing of [createArtifacts(join(inTheWay, "below")).keep("x"), artifacts.keep("x")])
    await expect(failing).rejects.toMatchObject({ code: "store-unusable", retry: "later", hint: expect.stringContaining("lw resume") });
  expect(filesIn()).toEqual(["file"]);
});
