// Real agents for the tests that drive them: installs pinned versions into a cache outside the package, and runs the tests on loopback alone.
//   node scripts/agents.mjs install    once; needs the npm registry and about a gigabyte
//   node scripts/agents.mjs test       runs the vitest project `agents`, which builds first, without any other network
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const AGENTS = {
  "claude-code": "@anthropic-ai/claude-code@2.1.197",
  "gemini-cli": "@google/gemini-cli@0.61.0",
  pi: "@earendil-works/pi-coding-agent@0.74.2",
  codex: "@openai/codex@0.166.0",
  opencode: "opencode-ai@1.18.33",
};

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "loopwright", "agents");

function install() {
  for (const [name, wanted] of Object.entries(AGENTS)) {
    const folder = join(cache, name);
    const [, packageName, version] = /^(.+)@([^@]+)$/.exec(wanted);
    const found = join(folder, "node_modules", packageName, "package.json");
    if (existsSync(found) && JSON.parse(readFileSync(found, "utf8")).version === version) {
      console.log(`${name}: ${version} is there`);
      continue;
    }
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"private": true}\n');
    run("npm", ["install", "--no-audit", "--no-fund", "--no-save", wanted], { cwd: folder });
    console.log(`${name}: installed ${version} in ${folder}`);
  }
}

function test() {
  const vitest = [process.execPath, "node_modules/vitest/vitest.mjs", "run", "--project", "agents", ...process.argv.slice(3)];
  const env = { ...process.env, LOOPWRIGHT_AGENTS: cache };
  // A network of their own, with a loopback and nothing else in it; where that cannot be had, a proxy that answers nobody.
  const alone = spawnSync("bwrap", ["--dev-bind", "/", "/", "--unshare-net", "true"]).status === 0;
  if (alone)
    run("bwrap", ["--dev-bind", "/", "/", "--unshare-net", "--die-with-parent", ...vitest], { env: { ...env, LOOPWRIGHT_ALONE: "1" } });
  else {
    const nobody = "http://127.0.0.1:9";
    run(vitest[0], vitest.slice(1), { env: { ...env, HTTP_PROXY: nobody, HTTPS_PROXY: nobody, NO_PROXY: "127.0.0.1,localhost" } });
  }
}

function run(program, args, options = {}) {
  const { status } = spawnSync(program, args, { stdio: "inherit", ...options });
  if (status !== 0) process.exit(status ?? 1);
}

if (process.argv[2] === "install") install();
else if (process.argv[2] === "test") test();
else {
  console.error("say install or test");
  process.exit(64);
}
