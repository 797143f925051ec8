// Which forge an address of a remote leads to, without whatever secret stands in it.
import type { ForgeFact } from "../../contract/scan.ts";

const KNOWN: readonly (readonly [host: RegExp, forge: ForgeFact["forge"]])[] = [
  [/(?:^|\.)github\./, "github"],
  [/(?:^|\.)gitlab\./, "gitlab"],
  [/(?:^|\.)bitbucket\./, "bitbucket"],
  [/(?:^|\.)dev\.azure\.com$|(?:^|\.)visualstudio\.com$/, "azure-devops"],
  [/(?:^|\.)(?:codeberg\.org|gitea\.|forgejo\.)/, "gitea"],
];

/** Undefined for a folder of this machine. */
export function readForge(url: string): ForgeFact | undefined {
  const match =
    /^(?:https?|ssh|git):\/\/(?:[^@/]{0,500}@)?([^/:]{1,253})(?::\d+)?\/(.{1,500})$/.exec(url) ??
    /^(?:[\w.-]{1,100}@)([^/:]{1,253}):(?!\/\/)(.{1,500})$/.exec(url);
  if (!match) return undefined;
  const host = match[1]!.toLowerCase();
  const repository = match[2]!.replace(/^\/+|\/+$|\.git\/?$/g, "");
  const forge = KNOWN.find(([pattern]) => pattern.test(host))?.[1] ?? "other";
  return {
    forge,
    host,
    repository,
    sure: forge === "other" ? "guessed" : "certain",
    because: "the remote named origin leads there",
    seen: [],
  };
}
