import fc from "fast-check";
import { expect, it } from "vitest";
import { askDashboard } from "../../../test/support/dashboard.ts";
import { withProposal } from "../../../test/support/memory-house.ts";
import { tries } from "../../../test/support/tries.ts";
import { ROUTES } from "./routes.ts";

/** Text that is likely to be taken for something else. */
const NASTY = fc.constantFrom(
  "",
  "..",
  "../../etc/passwd",
  "%",
  "%00",
  "%c0%af",
  "\u0000",
  "constructor",
  "__proto__",
  "toString",
  "-1",
  "1e999",
  "NaN",
  "9007199254740993",
  "fix",
  "fix-standing",
  "' or 1=1 --",
  "\u202e",
  "\ud800",
  "a".repeat(2_000),
  "{}",
  "[]",
  "null",
  "bytes=0-1",
  "2026-13-99",
  "Europe/Nowhere",
  "Etc/GMT+99",
);
const word = fc.oneof(NASTY, fc.string({ unit: "binary", maxLength: 40 }), fc.integer().map(String));
const QUERIES = [
  "which",
  "after",
  "before",
  "most",
  "q",
  "loop",
  "run",
  "kind",
  "round",
  "by",
  "since",
  "day",
  "zone",
  "tree",
  "__proto__",
];
const query = fc.array(fc.tuple(fc.constantFrom(...QUERIES), word), { maxLength: 4 });
const WORDS = ["approve", "reject", "amend", "defer", "answer", "pause", "resume", "stop", "run-now", "promote", "stop-all"];
const body = fc.oneof(
  fc.json(),
  fc.string({ unit: "binary" }),
  fc
    .record(
      {
        decision: fc.oneof(fc.constantFrom(...WORDS), fc.jsonValue()),
        wish: fc.oneof(fc.constantFrom(...WORDS), fc.jsonValue()),
        tree: fc.oneof(fc.constant("0".repeat(40)), fc.jsonValue()),
        until: fc.oneof(fc.constantFrom("2026-02-01T00:00:00Z", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z"), fc.jsonValue()),
        why: fc.oneof(fc.string(), fc.jsonValue()),
        text: fc.oneof(fc.string(), fc.jsonValue()),
        anyway: fc.oneof(fc.boolean(), fc.jsonValue()),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
);
const PATHS = [
  ...ROUTES.map(({ path }) => path),
  "/api/session",
  "/api/csp-report",
  "/api/openapi.json",
  "/api/artifacts/{sha256}",
  "/api/runs/{run}/diff",
  "/api/nothing",
  "/",
  "/inbox/{id}",
  "/assets/{file}",
];

it("answers whatever is sent, and never with a failure of its own", { timeout: 120_000 }, async () => {
  const { house, entries } = await withProposal();
  const { get, post } = askDashboard(house);
  const run = entries[0]?.run ?? "";
  const place = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(run, "fix") }, { weight: 3, arbitrary: word });

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PATHS),
      place,
      query,
      fc.option(body, { nil: undefined }),
      fc.option(word),
      async (path, name, asked, sent, range) => {
        const search = asked.map(([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed())}`).join("&");
        const where = `${path.replace(/\{\w+\}/, () => encodeURIComponent(name.toWellFormed()))}${search === "" ? "" : `?${search}`}`;
        const headers: Record<string, string> = range !== null && /^[\x20-\x7e]*$/.test(range) ? { range, "last-event-id": range } : {};
        const response = await (sent === undefined ? get(where, headers) : post(where, sent.toWellFormed()));
        await response.text();

        expect([where, response.status < 500 || response.status === 503]).toEqual([where, true]);
        expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      },
    ),
    tries(400),
  );
});
