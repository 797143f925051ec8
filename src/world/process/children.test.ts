import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createChildren } from "./children.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-children-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that stands for ours. */
function program(text: string): readonly string[] {
  const path = join(folder, "program.cjs");
  writeFileSync(path, text);
  return [process.execPath, path];
}

const childrenOf = (text: string) => createChildren({ program: program(text), env: { PATH: process.env.PATH } });
const order = (args: readonly string[] = [], memoryMb = 64) => ({ args, cwd: folder, memoryMb });

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((done) => setTimeout(done, 20));
}

describe("a child", () => {
  it("is given its words, and tells its exit code and what it said last", async () => {
    const children = childrenOf("process.stderr.write(process.argv.slice(2).join('+')); console.log('{}'); process.exitCode = 9");

    const child = await children.start(order(["run", "fix"]));

    expect(await child.ended).toEqual({ code: 9, signal: null, printed: "{}\n", said: "run+fix" });
  });

  it("keeps only the end of a flood of words", async () => {
    const children = childrenOf("for (let i = 0; i < 5000; i++) process.stderr.write('x'.repeat(100)); process.stderr.write('the end')");

    const { said } = await (await children.start(order())).ended;

    expect([said.length, said.slice(-7)]).toEqual([8 * 1024, "the end"]);
  });

  it("hears that it should stop, and may end in its own way", async () => {
    const children = childrenOf(
      `process.on("SIGTERM", () => process.exit(75)); require("fs").writeFileSync("ready", ""); setInterval(() => {}, 1000)`,
    );
    const child = await children.start(order());
    await until(() => existsSync(join(folder, "ready")));

    child.ask();

    expect(await child.ended).toEqual({ code: 75, signal: null, printed: "", said: "" });
  });

  it("is ended at once where it does not hear", async () => {
    const children = childrenOf(`require("fs").writeFileSync("ready", ""); for (;;) {}`);
    const child = await children.start(order());
    await until(() => existsSync(join(folder, "ready")));

    child.end();

    expect(await child.ended).toEqual({ code: null, signal: "SIGKILL", printed: "", said: "" });
  });

  it("ends by itself where its heap grows past its bound, and we go on", async () => {
    const children = childrenOf("const kept = []; for (;;) kept.push(new Array(100_000).fill(1))");

    const { code, signal, said } = await (await children.start(order([], 32))).ended;

    expect({ isGood: code === 0, signal: signal === "SIGABRT" || code === 134, said: /heap out of memory/i.test(said) }).toEqual({
      isGood: false,
      signal: true,
      said: true,
    });
  });

  it("ends when we are killed, though it hangs and hears nothing", async () => {
    writeFileSync(join(folder, "hang.cjs"), `require("fs").writeFileSync("pid", String(process.pid)); for (;;) {}`);
    writeFileSync(
      join(folder, "parent.mjs"),
      `import { createChildren } from ${JSON.stringify(resolve("src/world/process/children.ts"))};
       const children = createChildren({ program: [process.execPath, ${JSON.stringify(join(folder, "hang.cjs"))}], env: process.env });
       await children.start({ args: [], cwd: ${JSON.stringify(folder)}, memoryMb: 64 });
       setInterval(() => {}, 1000);`,
    );
    const parent = spawn(process.execPath, ["--import", resolve("test/support/walk/sources.mjs"), join(folder, "parent.mjs")], {
      stdio: "inherit",
    });
    await until(() => existsSync(join(folder, "pid")) && readFileSync(join(folder, "pid"), "utf8") !== "");
    const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
    expect(isAlive(pid)).toBe(true);

    parent.kill("SIGKILL");

    await until(() => !isAlive(pid));
  });
});

describe("what a child tells on the way", () => {
  const TELLING = `const { Socket } = require("net"); const told = new Socket({ fd: 4, readable: false, writable: true });`;

  it("is heard line by line, also what it said last", async () => {
    const children = childrenOf(`${TELLING} told.write("one\\ntw"); told.write("o\\nthree"); told.end("\\nfour\\nno end")`);
    const heard: string[] = [];

    await (await children.start({ ...order(), hear: (line) => heard.push(line) })).ended;

    expect(heard).toEqual(["one", "two", "three", "four"]);
  });

  it("is bounded, and keeps nobody from ending: neither a flood of lines nor one without end", async () => {
    const children = childrenOf(
      `const { writeSync } = require("fs");
       for (let i = 0; i < 20000; i++) writeSync(4, "line " + i + "\\n");
       writeSync(4, "x".repeat(300_000));`,
    );
    const heard: string[] = [];
    const child = await children.start({ ...order(), hear: (line) => heard.push(line) });

    await until(() => heard.length > 0);
    child.end();
    await child.ended;

    expect([heard[0], heard.every((line) => line.length < 20)]).toEqual(["line 0", true]);
  });

  it("is not held open by what the child itself starts", async () => {
    const children = childrenOf(
      `const { spawn } = require("child_process");
       spawn("sleep", ["300"], { stdio: "ignore", detached: true }).unref();
       ${TELLING} told.end("told\\n")`,
    );
    const heard: string[] = [];
    const child = await children.start({ ...order(), hear: (line) => heard.push(line) });

    expect([await child.ended, heard]).toEqual([{ code: 0, signal: null, printed: "", said: "" }, ["told"]]);
  });
});
