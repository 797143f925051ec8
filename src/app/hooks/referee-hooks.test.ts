import { expect, it } from "vitest";
import { readPushes } from "./referee-hooks.ts";

const ID = "a".repeat(40);
const NONE = "0".repeat(40);

it("reads what git tells before a push, and takes nothing else for it", () => {
  expect(readPushes(`refs/heads/x ${ID} refs/heads/y ${NONE}\n(delete) ${NONE} refs/heads/z ${ID}\n`)).toEqual([
    { local: ID, remoteRef: "refs/heads/y", remote: NONE },
    { local: NONE, remoteRef: "refs/heads/z", remote: ID },
  ]);
  expect(readPushes("")).toEqual([]);
  for (const line of ["x", `refs/heads/x ${ID} refs/heads/y`, `refs/heads/x HEAD refs/heads/y ${ID}`, "{}"])
    expect(() => readPushes(line)).toThrow("in a way we do not know");
});
