import { expect, it } from "vitest";
import { builtIn } from "../crew.ts";
import { exportStarterBy } from "./export-file.ts";

const SPEC = `name: nightly
intent: Tell me what landed.
level: L1
trigger: { use: daily, with: { at: "02:30", zone: UTC } }
gather: [{ use: commits, with: { refs: [main] } }]
maker: { use: triage }
verifiers: [{ use: grounded }]
`;

const texts = { readWhole: async () => SPEC, list: async () => [], readBelow: async () => undefined } as never;

it.each(["crontab", "systemd"] as const)("names the file from the root for %s, which starts it in no folder of ours", async (to) => {
  const exported = await exportStarterBy(texts, "loops/nightly.loop.yaml", "/work/repo", to, builtIn);

  expect(exported).toMatchObject({ kind: "exported", text: expect.stringMatching(/lw run "?\/work\/repo\/loops\/nightly\.loop\.yaml/) });
});
