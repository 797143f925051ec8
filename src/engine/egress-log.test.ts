import { expect, it } from "vitest";
import { sumUpEgress } from "./egress-log.ts";

const kept: string[] = [];
const artifacts = {
  async keep(bytes: Uint8Array | string) {
    kept.push(String(bytes));
    return { sha256: "a".repeat(64), bytes: bytes.length, truncated: false };
  },
};

it("adds up host by host, and keeps each connection", async () => {
  const connections = [
    { host: "a.example", port: 443, sent: 1, received: 10 },
    { host: "a.example", port: 443, sent: 2, received: 20, credential: "x-api-key" },
    { host: "b.example", port: 443, refused: "the host is not on the list", sent: 0, received: 0 },
  ];

  expect(await sumUpEgress(connections, artifacts)).toMatchObject({
    hosts: [
      { host: "a.example", port: 443, allowed: 2, refused: 0, sent: 3, received: 30 },
      { host: "b.example", port: 443, allowed: 0, refused: 1, sent: 0, received: 0 },
    ],
    connections: 3,
  });
  expect(
    kept[0]!
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(connections);
});

it("does not lose whom it reached among many that were refused", async () => {
  const refused = Array.from({ length: 300 }, (_, at) => ({ host: `h${at}.example`, port: 443, refused: "no", sent: 0, received: 0 }));

  const { hosts, connections } = await sumUpEgress([...refused, { host: "a.example", port: 443, sent: 1, received: 1 }], artifacts);

  expect([hosts.length, hosts[0]!.host, connections]).toEqual([100, "a.example", 301]);
});
