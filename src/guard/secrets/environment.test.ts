import { expect, it } from "vitest";
import { seededChance } from "../../../test/support/seeded-chance.ts";
import { isSecretVariable, secretValuesOf } from "./environment.ts";

const chance = seededChance(5);
const github = `gh${"p_"}${chance.text("A-Za-z0-9", 36)}`;
const password = `${chance.text("A-Za-z0-9", 14)}7x`;

it("takes values by what they look like, whatever their names", () => {
  expect(secretValuesOf({ SOMETHING: github })).toEqual([{ kind: "github-token", value: github }]);
});

it("takes values by their names, whatever they look like", () => {
  expect(secretValuesOf({ APP_SECRET: "correct horse battery staple", DB_PASSWORD: password })).toEqual(
    [
      { kind: "environment-secret", value: "correct horse battery staple" },
      { kind: "assigned-secret", value: password },
    ].map(({ value }) => ({ kind: "environment-secret", value })),
  );
});

it("takes the password out of an address", () => {
  expect(secretValuesOf({ DATABASE_URL: `postgres://app:${password}@db:5432/shop` })).toEqual([{ kind: "url-password", value: password }]);
});

it("leaves what is short, common, a path, a number or a word", () => {
  const plain = {
    PATH: "/usr/bin:/bin",
    HOME: "/home/ada",
    PWD: "/home/ada/project-7",
    SSH_AUTH_SOCK: "/tmp/ssh-XXXX8f3k2/agent.1234",
    XDG_SESSION_ID: "c1d2e3f4a5b6c7d8e9",
    SECRET: "s3cret",
    API_TOKEN: "true",
    DB_PASSWORD: "postgres",
    REDIS_PASSWORD: "password",
    TOKEN_FILE: "/run/secrets/token",
    AUTH_TOKEN: "/run/secrets/token",
    TOKEN_URL: "https://example.com/oauth/token",
    API_KEY: "changeme",
    SESSION_SECRET: "your-secret-here",
    MAX_TOKENS: "100000000000",
    GIT_AUTHOR_NAME: "Ada Lovelace the 1st",
    LANG: "C.UTF-8",
  };

  expect(secretValuesOf(plain)).toEqual([]);
});

it("tells one variable from another", () => {
  expect(isSecretVariable("GITHUB_TOKEN", github)).toBe(true);
  expect(isSecretVariable("PATH", "/usr/bin:/bin")).toBe(false);
});
