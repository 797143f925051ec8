// The real agents that are in the cache, each with the surroundings in which it talks to a scripted model on loopback instead of its own.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { gemini, responses } from "../support/agent-wires.ts";
import type { Place } from "../support/lw.ts";
import { type Asked, type ModelServer, type Script, type ScriptedReply, startModelServer } from "../support/model-server.ts";

const CACHE = process.env.LOOPWRIGHT_AGENTS ?? join(homedir(), ".cache", "loopwright", "agents");

export interface RealAgent {
  readonly title: string;
  /** The folder in the cache, and the program in it. */
  readonly folder: string;
  readonly program: string;
  /** The maker's part of a spec. */
  readonly maker: object;
  readonly env: (url: string) => { readonly [name: string]: string };
  /** Files below its home, by their path. */
  readonly home: (url: string) => { readonly [path: string]: string };
}

const GEMINI = {
  folder: "gemini-cli",
  program: "gemini",
  env: (url: string) => ({ GEMINI_API_KEY: "not-a-key", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: "true" }),
  home: () => ({ ".gemini/settings.json": JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } } }) }),
};

export const claudeCode: RealAgent = {
  title: "Claude Code",
  folder: "claude-code",
  program: "claude",
  maker: {
    use: "claude-code",
    with: {
      model: "claude-sonnet-4-5",
      inherit: ["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_MAX_RETRIES"],
    },
  },
  env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "not-a-key", CLAUDE_CODE_MAX_RETRIES: "1" }),
  home: () => ({}),
};

export const geminiCli: RealAgent = {
  title: "Gemini CLI",
  ...GEMINI,
  maker: { use: "gemini-cli", with: { model: "gemini-2.5-flash", inherit: ["GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"] } },
};

export const geminiAcp: RealAgent = {
  title: "Gemini CLI over the Agent Client Protocol",
  ...GEMINI,
  maker: {
    use: "acp",
    with: { run: "gemini --acp -m gemini-2.5-flash", inherit: ["GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GEMINI_CLI_TRUST_WORKSPACE"] },
  },
};

export const pi: RealAgent = {
  title: "pi",
  folder: "pi",
  program: "pi",
  maker: { use: "pi", with: { provider: "fake", model: "fake-model", inherit: ["FAKE_MODEL_KEY"] } },
  env: () => ({ FAKE_MODEL_KEY: "not-a-key" }),
  home: (url) => ({
    ".pi/agent/models.json": JSON.stringify({
      providers: {
        fake: {
          baseUrl: `${url}/v1`,
          api: "openai-completions",
          apiKey: "FAKE_MODEL_KEY",
          models: [
            {
              id: "fake-model",
              name: "Fake",
              reasoning: false,
              input: ["text"],
              contextWindow: 100_000,
              maxTokens: 4000,
              cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
            },
          ],
        },
      },
    }),
  }),
};

export const codex: RealAgent = {
  title: "Codex",
  folder: "codex",
  program: "codex",
  // Its own sandbox does not work with a home below /tmp.
  maker: { use: "codex", with: { sandbox: "danger-full-access", inherit: ["FAKE_MODEL_KEY"] } },
  env: () => ({ FAKE_MODEL_KEY: "not-a-key" }),
  home: (url) => ({
    ".codex/config.toml": [
      ...['model = "fake-model"', 'model_provider = "fake"', "[model_providers.fake]", 'name = "fake"', `base_url = "${url}/v1"`],
      ...['env_key = "FAKE_MODEL_KEY"', 'wire_api = "responses"', "request_max_retries = 1", "stream_max_retries = 1", ""],
    ].join("\n"),
  }),
};

export const opencode: RealAgent = {
  title: "opencode",
  folder: "opencode",
  program: "opencode",
  maker: {
    use: "opencode",
    with: { model: "fake/fake-model", inherit: ["FAKE_MODEL_KEY", "OPENCODE_DISABLE_MODELS_FETCH", "npm_config_fetch_retries"] },
  },
  // It looks for packages of plugins, again and again where there is no network.
  env: () => ({ FAKE_MODEL_KEY: "not-a-key", OPENCODE_DISABLE_MODELS_FETCH: "true", npm_config_fetch_retries: "0" }),
  home: (url) => ({
    ".config/opencode/opencode.json": JSON.stringify({
      provider: {
        fake: {
          npm: "@ai-sdk/openai-compatible",
          name: "Fake",
          options: { baseURL: `${url}/v1`, apiKey: "not-a-key" },
          models: { "fake-model": { name: "Fake", tool_call: true, limit: { context: 100_000, output: 4000 } } },
        },
      },
    }),
  }),
};

const binOf = ({ folder }: RealAgent): string => join(CACHE, folder, "node_modules", ".bin");
export const isInstalled = (agent: RealAgent): boolean => existsSync(join(binOf(agent), agent.program));

/** How people install agents below their home; gives back the folder that goes on the PATH. */
export interface Install {
  readonly title: string;
  readonly lay: (agent: RealAgent, home: string) => string;
}

/** The program behind the link that npm makes. */
const fileOf = (agent: RealAgent): string => realpathSync(join(binOf(agent), agent.program));

/** By links, because some are of several hundred megabytes. */
const copyTo = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  execFileSync("cp", ["-al", from, to]);
};

function linkTo(file: string, bin: string, program: string): string {
  mkdirSync(bin, { recursive: true });
  symlinkSync(file, join(bin, program));
  return bin;
}

export const npmGlobal: Install = {
  title: "by npm install --global with a prefix below the home",
  lay(agent, home) {
    const modules = join(CACHE, agent.folder, "node_modules");
    const installed = join(home, ".npm-global", "lib", "node_modules");
    copyTo(modules, installed);
    return linkTo(join(installed, relative(modules, fileOf(agent))), join(home, ".npm-global", "bin"), agent.program);
  },
};

export const localBin: Install = {
  title: "by its own installer in ~/.local",
  lay(agent, home) {
    const version = join(home, ".local", "share", agent.program, "versions", "1");
    copyTo(fileOf(agent), version);
    return linkTo(version, join(home, ".local", "bin"), agent.program);
  },
};

export const besideState: Install = {
  title: "beside its own state in ~/.claude/local",
  lay(agent, home) {
    const folder = join(home, ".claude", "local");
    copyTo(join(CACHE, agent.folder, "node_modules"), join(folder, "node_modules"));
    const script = `#!/bin/sh\nexec "${folder}/node_modules/.bin/${agent.program}" "$@"\n`;
    writeFileSync(join(folder, agent.program), script, { mode: 0o755 });
    return folder;
  },
};

/** A home like a person's with the agent in it, for as long as the work takes. */
export async function installedIn<T>(
  install: Install,
  agent: RealAgent,
  work: (home: { readonly dir: string; readonly bin: string }) => Promise<T>,
): Promise<T> {
  // Beside the cache, where it can be linked.
  const dir = mkdtempSync(join(CACHE, "home-"));
  try {
    return await work({ dir, bin: install.lay(agent, dir) });
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Everything one case needs: the model, and the environment in which `lw` finds the agent and the agent finds the model. */
export async function withModel<T>(
  agent: RealAgent,
  place: Place,
  script: Script,
  work: (server: ModelServer, env: { readonly [name: string]: string }) => Promise<T>,
  home: { readonly dir: string; readonly bin: string } = { dir: join(place.dir, "user"), bin: binOf(agent) },
): Promise<T> {
  const server = await startModelServer(script, [responses, gemini]);
  try {
    for (const [path, text] of Object.entries(agent.home(server.url))) {
      const file = join(home.dir, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return await work(server, { ...agent.env(server.url), HOME: home.dir, PATH: `${home.bin}:${process.env.PATH}` });
  } finally {
    await server.close();
  }
}

const toolsOf = ({ body }: Asked): readonly string[] =>
  (body.tools ?? []).flatMap((tool: { name?: string; function?: { name: string }; functionDeclarations?: { name: string }[] }) => [
    ...(tool.functionDeclarations ?? []).map(({ name }) => name),
    ...[tool.function?.name ?? tool.name].filter((name) => name !== undefined),
  ]);

/** Whether a tool has answered since the brief. */
const hasActed = ({ body }: Asked): boolean =>
  /"tool_result"|"function_call_output"|"functionResponse"|"role":"tool"/.test(JSON.stringify(body));

const SHELL = /^(Bash|bash|exec_command|shell|shell_command|run_shell_command)$/;
/** Claude Code's own tool writes only what was read before. */
const WRITE = /^(write|write_file)$/;

/** A model that writes one file with whatever tool it is offered, and then says that it is done. */
export const thatWrites =
  (path: string, text: string): Script =>
  (asked) => {
    if (hasActed(asked)) return { kind: "text", text: "All done, and every test passes." };
    const tools = toolsOf(asked);
    const write = tools.find((tool) => WRITE.test(tool));
    const work = /(\/[^\s"'<>\\]+\/rounds\/[^\s"'<>\\]+?\/work)\b/.exec(asked.words)?.[1];
    const key = ["filePath", "file_path", "path"].find((name) => JSON.stringify(asked.body.tools ?? []).includes(`"${name}":`)) ?? "path";
    if (write && work) return callOf(write, { [write === "write" ? key : "file_path"]: `${work}/${path}`, content: text });
    return runs(asked, `printf '%s' ${quoted(text)} > ${path}`);
  };

/** A model that runs one command, and then says that it is done. */
export const thatRuns =
  (command: string): Script =>
  (asked) =>
    hasActed(asked) ? { kind: "text", text: "All done." } : runs(asked, command);

function runs(asked: Asked, command: string): ScriptedReply {
  const shell = toolsOf(asked).find((tool) => SHELL.test(tool));
  if (!shell) return { kind: "text", text: "There is no tool for me." };
  return callOf(
    shell,
    shell === "exec_command"
      ? { cmd: command }
      : shell === "run_shell_command" || shell === "Bash"
        ? { command, description: "Does it." }
        : { command },
  );
}

const callOf = (tool: string, input: object): ScriptedReply => ({ kind: "calls", text: "I do it.", calls: [{ tool, input }] });
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
