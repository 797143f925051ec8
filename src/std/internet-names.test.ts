import { isIPv6 } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalAddress, isPublicAddress, parseAuthority } from "./internet-names.ts";

describe("an authority", () => {
  it.each([
    ["example.com", "example.com", undefined],
    ["EXAMPLE.com.:443", "example.com", 443],
    ["127.0.0.1:8080", "127.0.0.1", 8080],
    ["[::1]:80", "0:0:0:0:0:0:0:1", 80],
    ["[::ffff:127.0.0.1]:80", "127.0.0.1", 80],
    ["[0:0:0:0:0:FFFF:7f00:1]", "127.0.0.1", undefined],
    ["xn--bcher-kva.example:1", "xn--bcher-kva.example", 1],
    ["_dmarc.example.com", "_dmarc.example.com", undefined],
  ])("is read in its one form: %s", (text, host, port) => {
    expect(parseAuthority(text)).toEqual({ host, port });
  });

  it.each([
    "",
    ":443",
    "user@example.com",
    "user:pass@example.com:443",
    "example.com@evil.example",
    "example.com/",
    "example.com#",
    "example.com?x",
    "example.com\\evil",
    "example.com ",
    " example.com",
    "example.com\r\nHost: evil",
    "example..com",
    ".example.com",
    "example.com..",
    "-example.com",
    "exa mple.com",
    "exämple.com",
    "example。com",
    "example.com:0",
    "example.com:65536",
    "example.com:0443",
    "example.com:443:443",
    "example.com:+443",
    "example.com:",
    "%65xample.com",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "0x7f000001",
    "0177.0.0.1",
    "127.0.0.01",
    "127.0.0.256",
    "1.2.3.4.5",
    "example.123",
    "::1",
    "[::1%lo]",
    "[::1",
    "[1::2::3]",
    "[:::]",
    "[12345::]",
    "[1:2:3:4:5:6:7]",
    "[1:2:3:4:5:6:7:8:9]",
    "[example.com]",
    `${"a".repeat(64)}.com`,
    `${"a.".repeat(127)}com`,
  ])("is not read where it could mean something else: %j", (text) => {
    expect(parseAuthority(text)).toBe(undefined);
  });

  it("means the same to us as to a browser, or nothing", () => {
    const odd = fc.string({ unit: fc.constantFrom(..."aZ09.-_:[]@/%#?\\ x".split("")), maxLength: 20 });
    fc.assert(
      fc.property(odd, (text) => {
        const read = parseAuthority(text);
        if (!read) return;
        const url = new URL(`http://${text}/`);
        expect([url.username, url.pathname, url.search, url.hash]).toEqual(["", "/", "", ""]);
        const theirs = url.hostname.replace(/\.$/, "").replace(/^\[(.*)\]$/, "$1");
        expect(canonicalAddress(theirs) ?? theirs).toBe(read.host);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("an address", () => {
  it("of six is read as node reads it", () => {
    const text = fc.oneof(fc.ipV6(), fc.string({ unit: fc.constantFrom(..."0af9:.1".split("")), maxLength: 24 }));
    fc.assert(
      fc.property(text, (address) => {
        const read = canonicalAddress(address);
        if (address.includes(":")) expect(read !== undefined).toBe(isIPv6(address));
        // In its one form it stays as it is.
        if (read !== undefined) expect(canonicalAddress(read)).toBe(read);
      }),
      { numRuns: 1000, examples: [["0.0.0.0::"], ["::0.0.0.0"], ["1::0.0.0.0:1"]] },
    );
  });

  it.each([
    ["8.8.8.8", true],
    ["1.1.1.1", true],
    ["2606:4700:4700::1111", true],
    ["::ffff:8.8.8.8", true],
    ["127.0.0.1", false],
    ["127.255.255.254", false],
    ["0.0.0.0", false],
    ["10.1.2.3", false],
    ["100.64.0.1", false],
    ["100.128.0.1", true],
    ["169.254.169.254", false],
    ["172.15.0.1", true],
    ["172.16.0.1", false],
    ["172.31.255.255", false],
    ["172.32.0.1", true],
    ["192.168.1.1", false],
    ["192.0.2.1", false],
    ["198.18.0.1", false],
    ["224.0.0.1", false],
    ["255.255.255.255", false],
    ["::", false],
    ["::1", false],
    ["::ffff:127.0.0.1", false],
    ["::ffff:a9fe:a9fe", false],
    ["::127.0.0.1", false],
    ["64:ff9b::7f00:1", false],
    ["2002:7f00:1::", false],
    ["2001:0:1::", false],
    ["2001:db8::1", false],
    ["fe80::1", false],
    ["fe80::1%eth0", false],
    ["fc00::1", false],
    ["fd00:ec2::254", false],
    ["ff02::1", false],
    ["localhost", false],
    ["", false],
  ])("is the internet's, or not: %s", (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic);
  });

  it("of a private network is private in every way that it can be written", () => {
    const private4 = fc
      .tuple(fc.constantFrom([10, 0], [127, 0], [169, 254], [192, 168], [172, 20]), fc.nat(255), fc.nat(255))
      .map(([[a, b], c, d]) => [a!, b!, c, d]);
    fc.assert(
      fc.property(private4, ([a, b, c, d]) => {
        const hex = (high: number, low: number): string => ((high << 8) | low).toString(16);
        const ways = [
          [a, b, c, d].join("."),
          `::ffff:${a}.${b}.${c}.${d}`,
          `0:0:0:0:0:ffff:${hex(a!, b!)}:${hex(c!, d!)}`,
          `64:ff9b::${a}.${b}.${c}.${d}`,
          `2002:${hex(a!, b!)}:${hex(c!, d!)}::1`,
        ];
        expect(ways.filter(isPublicAddress)).toEqual([]);
      }),
    );
  });
});
