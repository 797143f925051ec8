// Opens a repository of a forge: where its API is, with which token, and how it is read.
import type { Environment } from "../../../contract/clock.ts";
import { LoopError } from "../../../contract/errors.ts";
import type { ForgeName, Forges } from "../../../contract/forge.ts";
import { parseDuration } from "../../../std/duration.ts";
import { GITHUB, GRAPHQL, openGithub } from "./github.ts";
import { GITLAB, openGitlab } from "./gitlab.ts";
import { openPages, type PagesFooting } from "./pages.ts";
import { tokenFor } from "./token.ts";

const KINDS = { github: { ...GITHUB, open: openGithub }, gitlab: { ...GITLAB, open: openGitlab } } as const satisfies {
  readonly [forge in ForgeName]: unknown;
};

export function createForges(footing: PagesFooting & { readonly env: Environment }): Forges {
  return {
    async open({ forge, repo, api, token, loop, sinceMs, wait }) {
      const kind = KINDS[forge];
      if (!REPO.test(repo)) throw noRepo(repo);
      const base = api ?? kind.base;
      const host = new URL(base).host;
      const secret = await tokenFor(
        { forge, token },
        { host, isOwnPlace: new URL(base).origin === new URL(kind.base).origin },
        footing.env,
      );
      const get = openPages(footing, {
        base,
        headers: kind.headers,
        token: secret === undefined ? undefined : kind.token(secret),
        owner: JSON.stringify([loop, forge, repo]),
        sinceMs,
        waitMs: parseDuration(wait) ?? 0,
        mayLeadTo: kind.mayLeadTo,
      });
      return kind.open({
        // GitHub answers questions beside its API: /graphql, and /api/graphql where that is below /api/v3.
        get: (wish) => get(wish.path === GRAPHQL ? { ...wish, path: `${base.replace(/\/+$/, "").replace(/\/v3$/, "")}/graphql` } : wish),
        repo,
        host,
        nowMs: footing.clock.now().getTime(),
        hasToken: secret !== undefined,
      });
    },
  };
}

/** Each name stands in an address as it is. */
const REPO = /^[\w.-]{1,100}(?:\/[\w.-]{1,100}){1,10}$/;

const noRepo = (repo: string): LoopError =>
  new LoopError("gather-failed", `${JSON.stringify(repo.slice(0, 100))} is no repository of a forge`, {
    retry: "never",
    hint: "Write owner/name.",
  });
