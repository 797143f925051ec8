import { expect, it } from "vitest";
import { watchSecrets } from "./unset-secrets.ts";

it("tells each once, and marks it until it is set or nobody listens there any more", () => {
  const [env, told, marked] = [new Map<string, string>([["EMPTY", ""]]), [] as string[], new Map<string, string>()];
  const look = watchSecrets({
    env: { get: (name) => env.get(name) },
    tell: (loop) => told.push(loop),
    mark: (where, trouble) => void (trouble ? marked.set(where, trouble.says) : marked.delete(where)),
  });
  const at = (loop: string, secret: string) => ({ loop, hearing: { address: loop, secret } });

  look([at("a", "NONE"), at("b", "EMPTY")]);
  look([at("a", "NONE"), at("b", "EMPTY")]);
  expect([told, [...marked.values()][0]]).toEqual([
    ["a", "b"],
    "the variable NONE, which holds the secret of its webhook, is not set: every delivery will be refused",
  ]);
  env.set("NONE", "x");
  look([at("a", "NONE")]);
  expect(marked.size).toBe(0);
});
