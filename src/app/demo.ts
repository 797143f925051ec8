// A throw-away repository with a failing test, and a loop whose maker first cheats and then mends it.
import { join } from "node:path";
import type { Files } from "../contract/files.ts";
import { shellWord } from "../std/shell-word.ts";

/** What a demo takes of the machine. */
export interface DemoWorld extends Pick<Files, "writeText"> {
  /** An empty folder: the one that was asked for, or one of its own. */
  makeFolder(asked: string | undefined): Promise<string>;
  git(order: {
    readonly cwd: string;
    readonly args: readonly string[];
    readonly env: { readonly [name: string]: string };
  }): Promise<unknown>;
  findProgram(name: string): Promise<string | undefined>;
}

export interface DemoPlace {
  readonly folder: string;
  readonly repo: string;
  readonly home: string;
  readonly spec: string;
}

const BROKEN = `export function total(prices) {
  return prices.reduce((sum, price) => sum + price);
}
`;

const MENDED = `export function total(prices) {
  return prices.reduce((sum, price) => sum + price, 0);
}
`;

const testOf = (title: string, check: string): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../src/total.js';

test("${title}", () => ${check});
`;

const SPEC = {
  name: "demo-fix",
  intent: "Keep the shop's tests green.",
  level: "L2",
  target: { repo: "shop", base: "main" },
  task: "The test for an empty basket fails. Make it pass.",
  maker: {
    use: "scripted",
    with: {
      scenes: [
        { say: "All tests pass now.", remove: ["test/empty.test.js"] },
        { say: "An empty basket now sums to 0.", write: { "src/total.js": MENDED } },
      ],
    },
  },
  verifiers: [{ use: "command", with: { run: "node --test", timeout: "1m" } }],
  gate: { tampering: "retry" },
  budget: { rounds: 3, time: "5m" },
};

/** How a reader can call this same program: by its short name where that is installed, else by its file. */
export const howToCall = async (script: string, { findProgram }: Pick<DemoWorld, "findProgram">): Promise<string> =>
  (await findProgram("lw")) ? "lw" : `node ${shellWord(script)}`;

/** Makes the demo's folder; everything it needs is inside, so removing it removes every trace. */
export async function makeDemo(asked: string | undefined, { makeFolder, writeText, git }: DemoWorld): Promise<DemoPlace> {
  const folder = await makeFolder(asked);
  const place: DemoPlace = { folder, repo: join(folder, "shop"), home: join(folder, "home"), spec: join(folder, "demo-fix.loop.json") };
  const contents = {
    "package.json": '{ "name": "shop", "type": "module", "private": true }\n',
    "src/total.js": BROKEN,
    "test/total.test.js": testOf("adds up prices", "assert.equal(total([2, 3]), 5)"),
    "test/empty.test.js": testOf("an empty basket costs nothing", "assert.equal(total([]), 0)"),
  };
  for (const [file, text] of Object.entries(contents)) await writeText(join(place.repo, file), text);
  await writeText(place.spec, `${JSON.stringify(SPEC, null, 2)}\n`);

  const you = {
    GIT_AUTHOR_NAME: "You",
    GIT_AUTHOR_EMAIL: "you@localhost",
    GIT_COMMITTER_NAME: "You",
    GIT_COMMITTER_EMAIL: "you@localhost",
  };
  for (const args of [
    ["init", "--quiet", "--template=", "--initial-branch=main"],
    ["add", "--all"],
    ["commit", "--quiet", "--message", "A shop with a bug"],
  ]) {
    await git({ cwd: place.repo, args, env: you });
  }
  return place;
}
