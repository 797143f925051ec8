import { expect, it } from "vitest";
import { originsOf, planListening } from "./serve-dashboard.ts";

const plan = (listen?: string, more: object = {}) =>
  planListening({ listen, tlsCert: undefined, tlsKey: undefined, behindProxy: undefined, ...more });

it.each([
  [undefined, "127.0.0.1", 7423],
  ["127.0.0.1:0", "127.0.0.1", 0],
  ["localhost", "localhost", 7423],
  ["[::1]:81", "::1", 81],
])("listens on loopback without more: %s", (listen, host, port) => {
  expect(plan(listen)).toEqual({ host, port });
});

it.each(["192.168.1.5:7423", "loops.example.org", "[fe80::1]:80", "0.0.0.0:7423", "[::]:7423"])(
  "refuses %s where nothing keeps the token secret",
  (listen) => {
    expect(() => plan(listen)).toThrow(/can be reached by others|every address/);
  },
);

it("listens for others with TLS, or behind a proxy that is named", () => {
  const tls = { tlsCert: "c", tlsKey: "k" };

  expect(plan("192.168.1.5:7423", tls)).toEqual({ host: "192.168.1.5", port: 7423 });
  expect(plan("0.0.0.0:80", { behindProxy: "https://loops.example.org" })).toEqual({ host: "0.0.0.0", port: 80 });
  expect(() => plan("0.0.0.0:80", tls)).toThrow("every address and no name");
  expect(() => plan("192.168.1.5", { tlsCert: "c" })).toThrow("without its key");
  for (const behindProxy of [
    "",
    "loops.example.org",
    "https://loops.example.org/path",
    "javascript:alert(1)",
    "https://u:p@loops.example.org",
    "http://loops.example.org",
  ])
    expect(() => plan("0.0.0.0:80", { behindProxy })).toThrow("is not the address of a page");
  for (const listen of ["", "a b", "127.0.0.1:99999", "http://x", "[::1", ":80"]) expect(() => plan(listen)).toThrow("is no address");
});

it("goes by the names that people use for it", () => {
  const bound = { port: 7423, isTls: false, behindProxy: undefined };

  expect(originsOf({ ...bound, host: "127.0.0.1" })).toEqual(["http://127.0.0.1:7423", "http://[::1]:7423", "http://localhost:7423"]);
  expect(originsOf({ ...bound, host: "loops.lan", isTls: true, port: 443 })).toEqual(["https://loops.lan"]);
  expect(originsOf({ ...bound, host: "0.0.0.0", behindProxy: "https://loops.example.org" })).toEqual(["https://loops.example.org"]);
});
