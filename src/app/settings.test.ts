import { expect, it } from "vitest";
import { loadMachine } from "./settings.ts";

const settled = (text: string | undefined) => ({
  home: { folder: "/home" },
  texts: { readOptional: async (path: string) => (path === "/home/machine.yaml" ? text : undefined) },
});

it("goes by the cores where nobody wrote how much may go on at once, and by two at least", async () => {
  const defaults = {
    perTarget: 1,
    perMaker: {},
    headroom: { cpu: "5%", memory: "5%" },
    listen: { host: "127.0.0.1", port: 7420 },
    drainMs: 30_000,
  };

  expect(await loadMachine(settled(undefined), 8)).toEqual({ ...defaults, runs: 8 });
  expect(await loadMachine(settled(undefined), 1)).toEqual({ ...defaults, runs: 2 });
});

it("goes by what somebody wrote", async () => {
  const text =
    "runs: 1\nperTarget: 2\nperMaker: {claude-code: 3}\nheadroom: {memory: 1.5GB}\nlisten: {port: 0}\nping: https://hc.example/x\ndrain: 2m\n";

  expect(await loadMachine(settled(text), 8)).toEqual({
    runs: 1,
    perTarget: 2,
    perMaker: { "claude-code": 3 },
    headroom: { cpu: "5%", memory: "1.5GB" },
    listen: { host: "127.0.0.1", port: 0 },
    ping: "https://hc.example/x",
    drainMs: 120_000,
  });
});

it.each([
  ["runs: 0", "runs"],
  ["perTarget: many", "perTarget"],
  ["headroom: {cpu: 200%}", "headroom.cpu"],
  ["headroom: {cpu: 0}", 'headroom.cpu: must be a share in percent, such as "10%"'],
  ["headroom: {memory: lots}", "headroom.memory"],
  ["headroom: {memory: 5}", 'headroom.memory: must be a share or a size, such as "10%" or 512MB'],
  ["ping: ftp://x", "ping"],
  ["drain: 0s", "drain"],
  ["many: 3", "many"],
  ["runs: [", "line 1"],
])("stops new wakings where it says %s", async (text, at) => {
  await expect(loadMachine(settled(text), 8)).rejects.toMatchObject({
    code: "bad-input",
    message: expect.stringContaining(at),
    hint: "Mend it or take it away; without it the defaults hold. Nothing new is woken while it cannot be read.",
  });
});
