// lw mcp: this home over the Model Context Protocol.
import { resolve } from "node:path";
import type { House } from "../../app/open-house.ts";
import { openMcp } from "../../app/open-mcp.ts";
import { pageRecords } from "../../app/page/page-records.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import type { Call, Command } from "../call.ts";
import { bugTeller } from "../tell-bug.ts";
import { withHouse } from "../with-house.ts";

export const mcp: Command = async (call) => {
  const [action = "", ...rest] = call.args;
  if (action === "serve" && rest.length === 0) return serve(call);
  if (action === "address") return (await import("./mcp-address.ts")).tellAddress(call, rest);
  if (action === "install" || action === "uninstall") return (await import("./mcp-install.ts")).changeMcp(call, action, rest);
  const { aboutServers, isAboutServers } = await import("./mcp-servers.ts");
  if (isAboutServers(action)) return aboutServers(call, action, rest);
  throw new LoopError("bad-input", `lw mcp ${call.args.join(" ")} is nothing that can be done`, {
    retry: "never",
    hint: "Write lw mcp serve, lw mcp install|uninstall AGENT, lw mcp address NAME, or lw mcp list|inspect|accept|call LOOP.",
  });
};

const PATIENCE_MS = 3_000;

/** Nothing but the protocol is said on standard output. */
const serve = (call: Call): Promise<ExitName> =>
  withHouse(
    call,
    async (house) => {
      const { io, options, env } = call;
      const { serveLines } = await import("../../mcp/serve-lines.ts");
      const text = (name: string): string | undefined => (options[name] === undefined ? undefined : String(options[name]));
      const folder = resolve(io.cwd, text("repo") ?? ".");
      const desk = {
        ...openMcp(pageRecords(house), folder, env),
        folder,
        referee: { loop: text("loop"), base: text("base") },
        // What a loop started may not begin or say anything about loops. The mark can be taken off: the box is what holds a maker.
        isLooking: options.lookOnly === true || env.LOOPWRIGHT_MARK !== undefined,
        tellBug: bugTeller(io),
      };
      const pipe = {
        chunks: io.input.chunks(),
        write: (line: string) => io.out(line),
        flushed: io.flushed ?? (async () => {}),
        patience: () => patienceOf(house),
      };
      await serveLines(desk, pipe, house.stop);
      return "done";
    },
    "",
  );

function patienceOf({ repeat }: Pick<House, "repeat">): { readonly over: Promise<void>; readonly end: () => void } {
  let end = (): void => {};
  const over = new Promise<void>((resolve) => {
    ({ end } = repeat(PATIENCE_MS, resolve));
  });
  return { over, end: () => end() };
}
