// Where the commands of a maker went: host by host for people, and each connection in a log that is kept.

import type { Artifacts } from "../contract/artifacts.ts";
import type { EgressConnection, EgressFact } from "../contract/commands.ts";

const MOST_HOSTS = 100;

type Sum = EgressFact["hosts"][number];

export async function sumUpEgress(connections: readonly EgressConnection[], artifacts: Pick<Artifacts, "keep">): Promise<EgressFact> {
  const sums = new Map<string, Sum>();
  for (const { host, port, refused, sent, received } of connections) {
    const key = `${host} ${port}`;
    const so = sums.get(key) ?? { host, port, allowed: 0, refused: 0, sent: 0, received: 0 };
    sums.set(key, {
      ...so,
      allowed: so.allowed + (refused === undefined ? 1 : 0),
      refused: so.refused + (refused === undefined ? 0 : 1),
      sent: so.sent + sent,
      received: so.received + received,
    });
  }
  // A maker that asks for many hosts must not push out of the list whom it really reached.
  const hosts = [...sums.values()].sort((one, other) => other.allowed - one.allowed).slice(0, MOST_HOSTS);
  const log = await artifacts.keep(connections.map((connection) => `${JSON.stringify(connection)}\n`).join(""));
  return { hosts, connections: connections.length, log };
}
