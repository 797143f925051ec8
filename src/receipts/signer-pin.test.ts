import fc from "fast-check";
import { expect, it } from "vitest";
import { readSignerPin, strangerBecause } from "./signer-pin.ts";

const ISSUER = "https://token.actions.githubusercontent.com";
const JOB = "https://github.com/ada/app/.github/workflows/check.yml@refs/heads/main";

const isLetIn = (pin: string, identity: string): boolean => {
  const reading = readSignerPin(pin, ISSUER);
  return reading.kind === "pin" && strangerBecause(reading.pin, { identity, issuer: ISSUER }) === undefined;
};

it.each([
  [JOB, JOB, true],
  ["https://github.com/ada/app/.github/workflows/check.yml@*", JOB, true],
  ["https://github.com/ada/*", JOB, true],
  ["https://github.com/ada/app/*", "https://github.com/ada/app-evil/.github/workflows/check.yml@x", false],
  ["https://github.com/ada/app*", JOB, false],
  ["https://github.com/*", JOB, false],
  ["https://*", JOB, false],
  ["*", JOB, false],
  ["", JOB, false],
  [JOB.replace("main", "*/main"), JOB, false],
  [JOB, `${JOB}2`, false],
  [JOB, JOB.toUpperCase(), false],
  [JOB, "", false],
  ["ada@example.com", "ada@example.com", true],
  ["ada@*", "ada@example.com", false],
])("%s lets in %s: %s", (pin, identity, expected) => {
  expect(isLetIn(pin, identity)).toBe(expected);
});

it("never lets in another identity than the pinned one", () => {
  fc.assert(
    fc.property(fc.string(), (other) => {
      expect(isLetIn(JOB, other)).toBe(other === JOB);
    }),
  );
});

it.each([undefined, "", "https://gitlab.com", `${ISSUER}/`, ISSUER.toUpperCase()])("takes nobody whom %s vouches for", (issuer) => {
  expect(strangerBecause({ identity: JOB, issuer: ISSUER }, { identity: JOB, issuer })).toEqual(expect.any(String));
});

it.each([
  [undefined, ISSUER],
  [JOB, undefined],
  [JOB, " "],
  [JOB, "https://*"],
])("is no pin: %s by %s", (identity, issuer) => {
  expect(readSignerPin(identity, issuer).kind).toBe("unusable");
});
