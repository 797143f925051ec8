import { describe, expect, it } from "vitest";
import { scanText } from "../scan-text.ts";
import { signals } from "./index.ts";

const idsOf = (text: string): readonly string[] => scanText(text).signals.map(({ id }) => id);

describe.each(signals.map((signal) => [signal.id, signal] as const))("%s", (id, { examples }) => {
  it.each(examples.flags)("flags   %s", (text) => expect(idsOf(text)).toContain(id));
  it.each(examples.passes)("passes  %s", (text) => expect(idsOf(text)).not.toContain(id));
});

it("gives every signal a name of its own", () => {
  const ids = signals.map(({ id }) => id);

  expect(new Set(ids).size).toBe(ids.length);
});
