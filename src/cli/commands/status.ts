// lw status: where every loop stands.
import { tellDaemon, viewDaemon } from "../../app/records/daemon-view.ts";
import { viewLoops } from "../../app/records/views.ts";
import { accountsUsedUp, limitRecords } from "../../journal/accounts.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { createPaint } from "../print/paint.ts";
import { headOf, statusRow } from "../print/status-rows.ts";
import { printTable } from "../print-table.ts";

export const status: Command = (call) =>
  withRecords(call, async (records) => {
    const loops = await viewLoops(records);
    const daemon = await viewDaemon(records, call.version);
    const usedUp = accountsUsedUp(await limitRecords(records.journal), records.clock.now());
    if (wantsJson(call)) {
      const accounts = usedUp.map(({ account, until }) => ({ account, until }));
      printJson(call, { home: records.home.folder, daemon, loops, accounts });
      return "done";
    }
    if (loops.length === 0) {
      call.io.err("lw: no loop has run yet. See one with `lw demo`, or run your own with `lw run FILE`.\n");
      return "done";
    }
    if (daemon.kind === "alive") call.io.err(`lw: ${tellDaemon(daemon, call.version)}\n`);
    const paint = createPaint(call.io.outColor);
    const now = records.clock.now();
    // Rounds and levels are in `lw show`; what became of it is here.
    printTable(call, [headOf(paint), ...loops.map((loop) => statusRow(loop, now, paint))], [4, 1, 5]);
    for (const { account, until } of usedUp)
      call.io.out(`${paint("yellow", `the account ${account} has reached a limit until ${until}`)}\n`);
    return "done";
  });
