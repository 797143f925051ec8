// Serves one client over two streams of lines until it is gone, and tells it of what it follows.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Stop } from "../contract/clock.ts";
import { allowanceOnce } from "./allowance.ts";
import { createAskedLog } from "./asked-log.ts";
import type { Desk } from "./desk.ts";
import { followRecords } from "./follow-records.ts";
import { lineTransport, type Pipe } from "./line-transport.ts";
import { createSession } from "./session.ts";

export async function serveLines(desk: Desk, pipe: Pipe, stop: Stop): Promise<void> {
  const { house } = desk;
  const log = createAskedLog("mcp stdio", house);
  const transport = lineTransport(pipe);
  const follow = followRecords(house);
  let unfollow = (): void => {};
  const serving = serveStdio(
    ({ era }) => {
      const { server, followed } = createSession(desk, log, { name: undefined, allowance: allowanceOnce() });
      // Who speaks the later revisions says what it follows to the transport, which leaves out the rest.
      unfollow();
      unfollow = follow.on(async (uri) => {
        if (era === "modern" || followed.uris.has(uri)) await server.sendResourceUpdated({ uri });
      });
      return server;
    },
    { transport, maxSubscriptions: 16 },
  );
  const deafen = stop.onAsk(() => void serving.close());
  await transport.over;
  deafen();
  follow.end();
  await serving.close();
  await log.close();
}
