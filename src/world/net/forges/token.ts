// Where the token of a forge comes from: a variable, a command, or the forge's own program. It is kept in memory and told to nobody.
import { execFile } from "node:child_process";
import type { Environment } from "../../../contract/clock.ts";
import { LoopError } from "../../../contract/errors.ts";
import type { ForgeName, ForgeWish } from "../../../contract/forge.ts";
import { chosenEnvironment } from "../../../std/environment.ts";

const VARIABLES: { readonly [forge in ForgeName]: string } = { github: "GITHUB_TOKEN", gitlab: "GITLAB_TOKEN" };

/** What these programs go by. */
const SEEN = ["HOME", "XDG_CONFIG_HOME", "GH_CONFIG_DIR", "GLAB_CONFIG_DIR", "DBUS_SESSION_BUS_ADDRESS"];
const TIMEOUT_MS = 10_000;
const TOKEN = /^[\x21-\x7e]{4,4096}$/;

/** Undefined where nothing was said of one and none is found: what is public can be read without. */
export async function tokenFor(
  { forge, token }: Pick<ForgeWish, "forge" | "token">,
  at: { readonly host: string; readonly isOwnPlace: boolean },
  env: Environment,
): Promise<string | undefined> {
  if (token?.kind === "variable") return sound(env.get(token.name), `the variable ${token.name}`);
  if (token?.kind === "command") return sound(await printed("/bin/sh", ["-c", token.run], env), "the command of `tokenCommand`");
  // What a user has for the forge's own place is for no other host.
  if (!at.isOwnPlace) return undefined;
  const usual = env.get(VARIABLES[forge]);
  if (usual?.trim()) return sound(usual, `the variable ${VARIABLES[forge]}`);
  const program = PROGRAMS[forge](at.host);
  const found = (await printed(program[0], program[1], env))?.trim();
  return found && TOKEN.test(found) ? found : undefined;
}

const PROGRAMS: { readonly [forge in ForgeName]: (host: string) => readonly [program: string, args: readonly string[]] } = {
  github: (host) => ["gh", ["auth", "token", "--hostname", host === "api.github.com" ? "github.com" : host]],
  gitlab: (host) => ["glab", ["config", "get", "token", "--host", host]],
};

function sound(found: string | undefined, where: string): string {
  const token = found?.trim() ?? "";
  if (TOKEN.test(token)) return token;
  throw new LoopError("gather-failed", `${where} gives no token`, {
    retry: "never",
    hint: "Set it to a token that may read the repository, or take it out of the spec to read without one what is public.",
  });
}

/** What it prints is in no record and no file; what goes wrong in it is not told, as that could tell the token. */
const printed = (program: string, args: readonly string[], env: Environment): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile(
      program,
      [...args],
      { env: { ...chosenEnvironment(SEEN, env) }, timeout: TIMEOUT_MS, killSignal: "SIGKILL", maxBuffer: 64 * 1024, encoding: "utf8" },
      (error, stdout) => resolve(error ? undefined : stdout),
    );
  });
