// Servers of the Model Context Protocol as commands of ours. The protocol's library is loaded when the first is talked with.
import type { MarkedCommand, Proc } from "../../contract/commands.ts";
import type { McpServers } from "../../contract/mcp.ts";

export const createServers = (proc: Proc<MarkedCommand>): McpServers => ({
  async talk(order, work) {
    const { talkWithServer } = await import("./talk-with-server.ts");
    return talkWithServer(proc, order, work);
  },
});
