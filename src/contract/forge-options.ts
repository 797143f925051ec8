// What connectors to forges have in common: where the forge is, with which token, and what is made of what it tells.
import * as z from "zod";
import type { Thing } from "./connector.ts";
import { FORGES, type ForgeItem, type ForgeWish, type TokenWish } from "./forge.ts";
import { Duration, ServerUrl, VariableName } from "./spec.ts";

const Place = {
  forge: z
    .enum(FORGES)
    .default("github")
    .meta({ description: "Whose API it speaks.", examples: ["gitlab"] }),
  repo: z
    .string()
    .regex(/^[\w.-]{1,100}(?:\/[\w.-]{1,100}){1,10}$/, { error: "must be owner/name" })
    .meta({ description: "The repository there; of GitLab the whole path of the project.", examples: ["octo/app"] }),
  api: ServerUrl.optional().meta({
    description: "Where its API begins; of GitLab where the server is. Default: the forge's own place.",
    examples: ["https://github.example.com/api/v3"],
  }),
  token: VariableName.optional().meta({
    description:
      "The variable that holds the token. Default: GITHUB_TOKEN or GITLAB_TOKEN, else what `gh` or `glab` knows, and only for the forge's own place.",
    examples: ["APP_READ_TOKEN"],
  }),
  tokenCommand: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .optional()
    .meta({ description: "A command that prints the token, instead of a variable.", examples: ["pass show forge/token"] }),
  wait: Duration.default("2m").meta({
    description: "How long it may wait for a limit of the forge to end; where that is later, the run stays open.",
    examples: ["15m"],
  }),
};

/** Options of a connector to a forge, with those of its own. */
export const forgeOptions = <Shape extends z.ZodRawShape>(own: Shape) => z.strictObject({ ...Place, ...own });

export function wishOf(
  { forge, repo, api, token, tokenCommand, wait }: z.infer<z.ZodObject<typeof Place>>,
  { loop, nowMs }: { readonly loop: string; readonly nowMs: number },
): ForgeWish {
  const wish: TokenWish | undefined =
    tokenCommand !== undefined
      ? { kind: "command", run: tokenCommand }
      : token !== undefined
        ? { kind: "variable", name: token }
        : undefined;
  return { forge, repo, api, token: wish, loop, sinceMs: nowMs, wait };
}

export const thingOf = ({ id, title, body, author, trust, at, address, says }: ForgeItem): Thing => ({
  id,
  title,
  ...(body === undefined ? {} : { body }),
  ...(author === undefined ? {} : { author }),
  trust,
  at,
  ...(address === "" ? {} : { address }),
  why: says,
  cites: [],
});
