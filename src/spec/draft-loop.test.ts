import { expect, it } from "vitest";
import { builtIn } from "../app/crew.ts";
import { scriptsIn, whyDraft } from "./draft-loop.ts";

const verifier = (use: string, run?: string) => ({ use, ...(run === undefined ? {} : { with: { run } }) });
const why = (...verifiers: readonly ReturnType<typeof verifier>[]) => whyDraft({ verifiers: [...verifiers] }, builtIn, new Map());

it("calls a loop a draft that has no verifier, only opinions, or only checks that cannot fail", () => {
  expect(why()).toContain("no verifier");
  expect(why(verifier("judge"), verifier("quorum"))).toContain("opinions");
  expect(why(verifier("command", "echo TODO"), verifier("witness", "npm test || true"))).toContain("can fail: `echo TODO`");
});

it("takes a loop for real with one check that can fail", () => {
  expect(why(verifier("command", "true"), verifier("command", "npm test"))).toBeUndefined();
  expect(why(verifier("command", "true"), verifier("scope"))).toBeUndefined();
});

it("reads scripts where there are any, and nothing where there are none", () => {
  expect([...scriptsIn('{"scripts": {"test": "echo no", "n": 1}}')]).toEqual([["test", "echo no"]]);
  expect(["{", "null", "[]", '{"scripts": 3}', undefined].map((text) => scriptsIn(text).size)).toEqual([0, 0, 0, 0, 0]);
});
