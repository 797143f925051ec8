import { describe, expect, it } from "vitest";
import { mayConnect, parseOrigin, parseRule, ruleFor, writeRule } from "./egress-rules.ts";

const rules = (...texts: readonly string[]) => texts.map((text) => parseRule(text)!);
const allows = (allow: readonly string[], host: string, port = 443): boolean => ruleFor(rules(...allow), { host, port }) !== undefined;

describe("a rule", () => {
  it.each([
    ["api.example.com", "api.example.com:443"],
    ["API.Example.com.:8443", "api.example.com:8443"],
    ["*.example.com", "*.example.com:443"],
    ["127.0.0.1:11434", "127.0.0.1:11434"],
    ["[::1]:80", "[0:0:0:0:0:0:0:1]:80"],
  ])("is read: %s", (text, written) => {
    expect(writeRule(parseRule(text)!)).toBe(written);
  });

  it.each([
    "*",
    "*.",
    "*.com",
    "*.127.0.0.1",
    "a.*.com",
    "*example.com",
    "https://example.com",
    "user@example.com",
    "",
    "127.1",
    "*.*.example.com",
  ])("is refused where it says too much, or nothing that is certain: %j", (text) => {
    expect(parseRule(text)).toBe(undefined);
  });

  it("means one host and port, or all names below, and no other", () => {
    expect(allows(["example.com"], "example.com")).toBe(true);
    expect(allows(["example.com"], "example.com", 80)).toBe(false);
    expect(allows(["example.com"], "www.example.com")).toBe(false);
    expect(allows(["*.example.com"], "www.example.com")).toBe(true);
    expect(allows(["*.example.com"], "a.b.example.com")).toBe(true);
    expect(allows(["*.example.com"], "example.com")).toBe(false);
    expect(allows(["*.example.com"], "evilexample.com")).toBe(false);
    expect(allows(["example.com"], "example.com.evil.example")).toBe(false);
    expect(allows([], "example.com")).toBe(false);
  });

  it("lets a private address be reached only where host and port are written out", () => {
    expect(rules("example.com", "*.example.com:80", "example.com:443").map((rule) => mayConnect(rule, "10.0.0.1"))).toEqual([
      false,
      false,
      true,
    ]);
    expect(mayConnect(rules("example.com")[0]!, "93.184.216.34")).toBe(true);
    expect(mayConnect(rules("example.com:443")[0]!, "not an address")).toBe(false);
    expect(ruleFor(rules("example.com", "example.com:443"), { host: "example.com", port: 443 })?.isLiteral).toBe(true);
  });
});

describe("where a credential goes", () => {
  it.each([
    ["https://api.example.com", "https", 443, false],
    ["https://api.example.com:8443/", "https", 8443, true],
    ["http://127.0.0.1:8080", "http", 8080, true],
    ["http://localhost:80", "http", 80, true],
  ])("is read: %s", (text, scheme, port, isLiteral) => {
    expect(parseOrigin(text)).toMatchObject({ scheme, port, rule: { port, isLiteral } });
  });

  it.each([
    "api.example.com",
    "http://api.example.com",
    "https://a@b.example",
    "https://a.example/path",
    "ftp://a.example",
    "https://*.a.example",
  ])("is refused: %s", (text) => {
    expect(parseOrigin(text)).toBe(undefined);
  });
});
