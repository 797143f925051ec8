import fc from "fast-check";
import { expect, it } from "vitest";
import { inboxPath, loopPath, readPlace, runPath } from "./router.ts";

const routeOf = (path: string) => readPlace(path, "").route;

it("reads every page's address", () => {
  expect(
    ["/", "/inbox", "/inbox/fix-1", "/loops", "/loops/fix", "/runs/fix-1", "/schedule", "/spend", "/ledger", "/new"].map(routeOf),
  ).toEqual([
    { page: "now" },
    { page: "inbox", id: undefined },
    { page: "inbox", id: "fix-1" },
    { page: "loops" },
    { page: "loop", loop: "fix" },
    { page: "run", run: "fix-1" },
    { page: "schedule" },
    { page: "spend" },
    { page: "ledger" },
    { page: "new" },
  ]);
});

it("says that it is lost, and where", () => {
  expect(["/runs", "/loops/a/b", "/etc/passwd", "/spend/x"].map((path) => routeOf(path).page)).toEqual(["lost", "lost", "lost", "lost"]);
});

it("finds a loop or run again by any name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (name) => {
      expect(routeOf(loopPath(name))).toEqual({ page: "loop", loop: name });
      expect(routeOf(runPath(name))).toEqual({ page: "run", run: name });
      expect(routeOf(inboxPath(name))).toEqual({ page: "inbox", id: name });
    }),
  );
});
