import { expect, it } from "vitest";
import type { LiveEvent } from "../../contract/api.ts";
import { untrustedText } from "../../contract/text.ts";
import { createHearsay } from "./hearsay.ts";

const PLACE = { loop: "fix", run: "fix-1" };
const said = (text: string) => ({ kind: "maker-said", id: "fix-1.1", event: { kind: "text", text: untrustedText(text) } }) as const;

it("tells what is heard of a run, keeps the last of it, and forgets it when nobody works on the run any more", () => {
  const hearsay = createHearsay(() => new Date(0));
  const heard: LiveEvent[] = [];
  const deafen = hearsay.onHeard((event) => heard.push(event));

  hearsay.hear(PLACE, { kind: "step-began", id: "fix-1.1", step: "make" });
  for (let line = 1; line <= 250; line++) hearsay.hear(PLACE, said(`line ${line}`));
  hearsay.hear(PLACE, said("x".repeat(1_000_000)));
  deafen();
  hearsay.hear(PLACE, said("unheard"));
  const lines = hearsay.talk("fix-1").map(({ event }) => (event.kind === "text" ? event.text.length : 0));

  expect(hearsay.step("fix-1")).toEqual({ step: "make", since: "1970-01-01T00:00:00.000Z" });
  expect([heard.length, heard[0]?.event, lines.length, Math.max(...lines)]).toEqual([252, "step", 200, 4_000]);
  hearsay.forget("fix-1");
  expect([hearsay.talk("fix-1"), hearsay.step("fix-1")]).toEqual([[], undefined]);
});

it("remembers only so many runs", () => {
  const hearsay = createHearsay(() => new Date(0));
  for (let run = 0; run < 300; run++) hearsay.hear({ loop: "fix", run: `fix-${run}` }, said("hello"));

  expect([hearsay.talk("fix-0").length, hearsay.talk("fix-299").length]).toEqual([0, 1]);
});
