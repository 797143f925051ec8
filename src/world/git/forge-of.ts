// Where people look at the commits of a repository, by the address of its remote; nothing is asked of anybody.
import type { Repository } from "./open-repository.ts";

/** What stands between a repository's address and a commit's id, by the forge's host. Of others it is not known. */
const COMMIT_PATHS: { readonly [host: string]: string } = {
  "github.com": "commit",
  "gitlab.com": "-/commit",
  "codeberg.org": "commit",
  "bitbucket.org": "commits",
};

export async function forgeOf(repository: Pick<Repository, "ask">): Promise<string | undefined> {
  const answer = await repository.ask(["config", "--local", "--get", "remote.origin.url"]);
  return answer.code === 0 ? commitsAt(answer.stdout.toString("utf8").trim()) : undefined;
}

/** Who logs in there, and with what, is left out. */
export function commitsAt(remote: string): string | undefined {
  const found =
    /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([\w.-]+)(?::\d+)?\/([\w.-]+(?:\/[\w.-]+)+)$/.exec(remote) ??
    /^(?:[\w.-]+@)([\w.-]+):([\w.-]+(?:\/[\w.-]+)+)$/.exec(remote);
  const [, host = "", path = ""] = found ?? [];
  const commits = Object.hasOwn(COMMIT_PATHS, host) ? COMMIT_PATHS[host] : undefined;
  const name = path.replace(/\.git$/, "");
  return commits === undefined || name.split("/").some((part) => /^\.+$/.test(part)) ? undefined : `https://${host}/${name}/${commits}/`;
}
