import { describe, expect, it } from "vitest";
import type { Login } from "../contract/maker.ts";
import { claudeCode } from "../makers/claude-code.ts";
import { sha256 } from "../std/hash.ts";
import { accountOf } from "./account.ts";

interface Around {
  readonly env?: { readonly [name: string]: string };
  readonly files?: { readonly [path: string]: string };
}

const worldOf = ({ env = {}, files = {} }: Around) => ({
  env: { get: (name: string) => ({ HOME: "/home/ada", ...env })[name] },
  files: { readText: async (path: string) => files[path], writeText: () => Promise.reject(new Error("nothing is written")) },
  ids: { token: () => "t", secretFor: (words: string) => sha256(`key ${words}`) },
});
const loginOf = (options: object): Login => {
  const make = claudeCode.configure(options);
  if (make.proposes !== "commit" || !make.login) throw new Error("an agent has a login");
  return make.login;
};
const KEYED = loginOf({ inherit: ["ANTHROPIC_API_KEY"] });
const PLAIN = loginOf({});
const account = (login: Login, around: Around) => accountOf(login, worldOf(around));
const saying = (uuid: string, token: string) => ({
  files: { "/home/ada/.claude.json": JSON.stringify({ oauthAccount: { accountUuid: uuid }, token }) },
});

describe("the account of a maker", () => {
  it("is that of its key, whatever variable holds it, and tells nothing of it", async () => {
    const one = await account(KEYED, { env: { ANTHROPIC_API_KEY: "first-key" } });

    expect(one).toMatch(/^claude-[0-9a-f]{16}$/);
    expect(await account(loginOf({ inherit: ["ANTHROPIC_AUTH_TOKEN"] }), { env: { ANTHROPIC_AUTH_TOKEN: "first-key" } })).toBe(one);
    expect(await account(KEYED, { env: { ANTHROPIC_API_KEY: "second-key" } })).not.toBe(one);
  });

  it("is not that of a key which the agent does not get", async () => {
    expect(await account(PLAIN, { env: { ANTHROPIC_API_KEY: "first-key" } })).toBe(await account(PLAIN, {}));
  });

  it("is that of who is logged in, and stays so when a token is renewed", async () => {
    const ada = await account(PLAIN, saying("ada", "old"));

    expect(await account(PLAIN, saying("ada", "new"))).toBe(ada);
    expect(await account(PLAIN, saying("grace", "old"))).not.toBe(ada);
  });

  it("is that of the home folder where nobody says who is logged in", async () => {
    const here = await account(PLAIN, {});

    expect(await account(PLAIN, { files: { "/home/ada/.claude.json": "[broken" } })).toBe(here);
    expect(await account(PLAIN, { env: { HOME: "/home/grace" } })).not.toBe(here);
  });

  it("is another one at another address", async () => {
    const login = { of: "openai-compatible", variables: ["KEY"], says: [] };
    const env = { KEY: "k" };

    expect(await account({ ...login, address: "https://one.example/v1" }, { env })).not.toBe(
      await account({ ...login, address: "https://two.example/v1" }, { env }),
    );
  });
});
