import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, expect, it } from "vitest";
import { takePorts } from "./port-block.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lw-ports-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const from = (unit: number) => () => unit / 1_000;

it("gives as many in a row as were asked for, and never the same to two", async () => {
  const blocks = [];
  for (const count of [1, 10, 25, 3, 100]) blocks.push(await takePorts(folder, count, from(500)));

  const ports = blocks.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
  expect(blocks.map(({ first, last }) => last - first + 1)).toEqual([1, 10, 25, 3, 100]);
  expect(new Set(ports).size).toBe(139);
  for (const { release } of blocks) await release();
});

it("gives a block to somebody else once it was given back", async () => {
  const one = await takePorts(folder, 10, from(42));
  await one.release();
  const other = await takePorts(folder, 10, from(42));
  await other.release();

  expect(other.first).toBe(one.first);
});

it("passes over ports that somebody listens on", async () => {
  const free = await takePorts(folder, 10, from(77));
  await free.release();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(free.last, "127.0.0.1", resolve));

  const next = await takePorts(folder, 10, from(77));
  await next.release();
  server.close();

  expect(next.first).toBeGreaterThan(free.last);
});

it("is not fooled by a block that another process holds, and has it back when that one is killed", async () => {
  const built = resolve(`node_modules/.cache/loopwright-port-block-${process.pid}.mjs`);
  const entry = fileURLToPath(new URL("port-block.ts", import.meta.url));
  buildSync({ entryPoints: [entry], bundle: true, platform: "node", format: "esm", packages: "external", outfile: built });
  const code = `import { takePorts } from ${JSON.stringify(built)}; const { first } = await takePorts(${JSON.stringify(folder)}, 10, () => 0.1); console.log(first); setInterval(() => {}, 1000);`;
  const child = execFile(process.execPath, ["--input-type=module", "-e", code]);
  const theirs = await new Promise<string>((resolve) => child.stdout?.once("data", (text) => resolve(String(text).trim())));

  const ours = await takePorts(folder, 10, from(100));
  await ours.release();
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
  const again = await takePorts(folder, 10, from(100));
  await again.release();
  rmSync(built);

  expect([ours.first > Number(theirs), again.first]).toEqual([true, Number(theirs)]);
});

it("keeps none in a folder that is not its own", async () => {
  const link = join(folder, "link");
  symlinkSync(tmpdir(), link);

  await expect(takePorts(link, 10)).rejects.toMatchObject({ code: "store-unusable" });
});
