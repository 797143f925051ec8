import { expect, it } from "vitest";
import type { Clock } from "../contract/clock.ts";
import { watchSources } from "./watch-sources.ts";

it("tells once that what it looks for is not there, marks that until it is, and says so then", async () => {
  const time = { ms: 0 };
  const clock: Clock = { now: () => new Date(time.ms), monotonicMs: () => time.ms };
  const [told, marked] = [[] as string[], new Map<string, string>()];
  let lacks: string | undefined = "there is no ref gone";
  const sources = watchSources({
    clock,
    lookout: { watch: () => () => {} },
    tell: (loop, what) => told.push(`${loop}: ${what}`),
    mark: (where, trouble) => void (trouble ? marked.set(where, trouble.says) : marked.delete(where)),
    hurry: () => {},
  });
  const source = {
    loop: "fix",
    name: "git gone",
    everyMs: 10,
    isNear: true,
    folders: () => [],
    look: async () => (lacks === undefined ? {} : { lacks }),
  };
  sources.replace([{ id: "one", make: () => source }]);

  await sources.lookAtDue();
  time.ms += 10;
  await sources.lookAtDue();
  expect([told, [...marked]]).toEqual([["fix: there is no ref gone"], [["one", "there is no ref gone"]]]);
  lacks = undefined;
  time.ms += 10;
  await sources.lookAtDue();
  expect([told.at(-1), marked.size]).toEqual(["fix: git gone is there now", 0]);
});
