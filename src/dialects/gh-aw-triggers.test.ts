import { expect, it } from "vitest";
import { NOTHING } from "../../test/support/foreign-files.ts";
import { builtIn } from "../app/crew.ts";
import { githubTriggers } from "./gh-aw-triggers.ts";
import { nativeSurface } from "./native-surface.ts";
import { createNotes } from "./notes.ts";

it.each([
  ["0 9 * * 1-5", { use: "cron", with: { schedule: "0 9 * * 1-5" } }],
  ["daily around 14:00", { use: "daily", with: { at: "14:00" } }],
  ["when I feel like it now", { use: "manual" }],
])("reads a schedule in one text: %s", (schedule, trigger) => {
  const notes = createNotes(() => ({ line: 1, col: 1 }));
  const at = { file: "a.md", bindings: NOTHING, native: nativeSurface(builtIn), notes, body: "" };

  expect(githubTriggers({ schedule }, at).trigger).toEqual(trigger);
});
