// lw service: the daemon as a service of the user's own.
import { findHome } from "../../app/home.ts";
import { openService } from "../../app/open-service.ts";
import { loadMachine } from "../../app/settings.ts";
import { environmentOf } from "../../contract/around.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import {
  describeService,
  installService,
  lookAtService,
  removeService,
  type Service,
  type ServiceAnswer,
  tellRemoval,
} from "../../daemon/service.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";

export const service: Command = async (call) => {
  const [action = ""] = call.args;
  if (!["install", "remove", "status"].includes(action))
    throw new LoopError("bad-input", `lw service ${action} is nothing that can be done`, {
      retry: "never",
      hint: "Write lw service install, remove or status.",
    });
  if (action === "status" && call.options.dryRun === true)
    throw new LoopError("bad-input", "lw service status changes nothing, so that there is nothing to try", {
      retry: "never",
      hint: "Leave --dry-run out.",
    });
  const world = openService(call.io.cwd, call);
  const its = await describe(call, world);
  if (call.options.dryRun === true)
    return action === "remove" ? showRemoval(call, its, (await world.read(its.file)) !== undefined) : show(call, its);
  if (action === "status") {
    const seen = await lookAtService(world, its);
    const stale =
      seen.isInstalled && !seen.isCurrent ? "; it was written for another place or version: lw service install writes it anew" : "";
    if (wantsJson(call)) printJson(call, { name: its.name, file: its.file, ...seen });
    else call.io.out(seen.isInstalled ? `${its.name}: ${seen.says}${stale}\n` : `${its.name} is not installed\n`);
    return seen.isInstalled ? "done" : "checkFailed";
  }
  return tell(call, its, await (action === "install" ? installService(world, its) : removeService(world, its)));
};

async function describe(call: Call, { userId, texts }: Pick<ReturnType<typeof openService>, "userId" | "texts">): Promise<Service> {
  const env = environmentOf(call.env);
  const { drainMs } = await loadMachine({ home: call.home, texts }, 1);
  const found = describeService({
    platform: call.platform,
    userFolder: env.get("HOME") ?? "",
    userId,
    home: call.home.folder,
    isUsualHome:
      findHome(undefined, { get: (name) => (name === "LOOPWRIGHT_HOME" ? undefined : env.get(name)) }, call.platform, "/").folder ===
      call.home.folder,
    program: call.program,
    path: env.get("PATH") ?? "/usr/bin:/bin",
    drainMs,
  });
  if (found) return found;
  throw new LoopError("bad-input", `there is no service on ${call.platform} that we know how to write`, {
    retry: "never",
    hint: "Let whatever starts programs there start: lw serve",
  });
}

function show(call: Call, { kind, name, file, text, start }: Service): ExitName {
  if (wantsJson(call)) printJson(call, { kind, name, file, text, start });
  else call.io.out(`# ${file}\n${text}\n# then:\n${start.map((words) => `#   ${words.join(" ")}\n`).join("")}`);
  return "done";
}

function showRemoval(call: Call, service: Service, isThere: boolean): ExitName {
  const { kind, name, file, stop, forget } = service;
  if (wantsJson(call)) printJson(call, { kind, name, file, isInstalled: isThere, ...(isThere ? { stop, forget } : {}) });
  else call.io.out(`${tellRemoval(service, isThere).join("\n")}\n`);
  return "done";
}

function tell(call: Call, { name, file }: Service, answer: ServiceAnswer): ExitName {
  if (wantsJson(call)) printJson(call, { name, file, ...answer });
  else if (answer.kind === "failed") call.io.err(`lw: ${answer.says}\n    ${answer.hint}\n`);
  else call.io.out(`${[answer.says, ...answer.hints.map((hint) => `  ${hint}`)].join("\n")}\n`);
  return answer.kind === "failed" ? "cannotVerify" : "done";
}
