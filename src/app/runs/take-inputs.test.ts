import { expect, it } from "vitest";
import type { InputWish } from "../../contract/inputs.ts";
import { untrustedText } from "../../contract/text.ts";
import type { Cause } from "../../contract/waking.ts";
import { taintBy } from "../../engine/read-outside.ts";
import { inputsOf, takeInputs } from "./take-inputs.ts";

const inputs: { [name: string]: InputWish } = {
  topic: { type: "text", about: "What it is about", required: true, from: "subject" },
  style: { type: "text", about: "How", default: "short" },
};
const delivery = (subject: string | null): Cause => ({
  kind: "webhook",
  address: "hook",
  delivery: "1",
  sha256: "",
  event: untrustedText("opened"),
  ref: null,
  subject: subject === null ? null : untrustedText(subject),
});

it("takes from the newest delivery what an input asks for, as a stranger's words that taint the run", () => {
  const given = inputsOf({ inputs }, [delivery("older"), delivery("newer"), delivery(null), { kind: "hand", by: "ada" }]);
  const told = takeInputs({ redact: (value) => value }, { name: "note", inputs } as never, given);

  expect(told).toEqual({
    topic: { value: "newer", trust: "outsider", by: "trigger" },
    style: { value: "short", trust: "owner", by: "default" },
  });
  expect(taintBy([], { ...(told ? { inputs: told } : {}) })).toEqual({ kind: "tainted", by: ["input topic"] });
});

it("does not open a run whose waking does not say what it must be told", () => {
  const given = inputsOf({ inputs }, [{ kind: "slot", slot: "", local: "" }]);

  expect(() => takeInputs({ redact: (value) => value }, { name: "note", inputs } as never, given)).toThrow("the input topic is missing");
});
