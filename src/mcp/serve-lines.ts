// Serves one client over two streams of lines until it is gone, and tells it of what it follows.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Stop } from "../contract/clock.ts";
import { createAskedLog } from "./asked-log.ts";
import type { Desk } from "./desk.ts";
import { followRecords } from "./follow-records.ts";
import { lineTransport, type Pipe } from "./line-transport.ts";
import { createSession } from "./session.ts";

export async function serveLines(desk: Desk, pipe: Pipe, stop: Stop): Promise<void> {
  const { house } = desk;
  const log = createAskedLog("mcp stdio", house);
  const transport = lineTransport(pipe);
  const follow = await followRecords(house);
  const serving = serveStdio(
    ({ era }) => {
      const session = createSession(desk, log);
      // Who speaks the later revisions says what it follows to the transport, which leaves out the rest.
      follow.tell(session.server, (uri) => era === "modern" || session.followed.uris.has(uri));
      return session.server;
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
