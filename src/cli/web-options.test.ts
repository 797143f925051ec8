import { resolve } from "node:path";
import { expect, it } from "vitest";
import type { Call } from "./call.ts";
import { WEB_OPTIONS, webWhoOf, webWishesOf } from "./web-options.ts";

const wishes = (options: Call["options"]) => webWishesOf({ options, io: { cwd: "/here" } as Call["io"] });

it("reads how the dashboard is served, with files from where it was called", () => {
  expect(wishes({})).toEqual({ listen: undefined, tlsCert: undefined, tlsKey: undefined, behindProxy: undefined, isReadOnly: false });
  expect(wishes({ web: false })).toBe(undefined);
  expect(wishes({ listen: "[::1]:80", tlsCert: "a.pem", tlsKey: "/b.pem", readOnly: true })).toEqual({
    listen: "[::1]:80",
    tlsCert: resolve("/here/a.pem"),
    tlsKey: "/b.pem",
    behindProxy: undefined,
    isReadOnly: true,
  });
});

it("has a sentence for each of its options", () => {
  expect(WEB_OPTIONS.map(([flags]) => flags.split(" ")[0])).toEqual([
    "--no-web",
    "--read-only",
    "--listen",
    "--tls-cert",
    "--tls-key",
    "--behind-proxy",
  ]);
});

it("puts on record who serves it, and how that is known", () => {
  const call = (options: Call["options"], env: Call["env"]) => ({ options, env }) as Call;

  expect(webWhoOf(call({}, { USER: "ada" }))).toEqual({ name: "ada", how: "the token of this home, and the login name of who serves it" });
  expect(webWhoOf(call({ as: "bob" }, { USER: "ada" }))).toEqual({ name: "bob", how: "the token of this home, and --as of who serves it" });
  expect(() => webWhoOf(call({}, {}))).toThrow("it is not clear who decides");
});
