// lw serve: wakes the loops of a home until it is stopped.
import { openDaemonTools } from "../../app/open-daemon.ts";
import type { House } from "../../app/open-house.ts";
import { openMcp } from "../../app/open-mcp.ts";
import { openWeb } from "../../app/open-web.ts";
import type { PageHouse } from "../../app/page/act.ts";
import { loadMachine } from "../../app/settings.ts";
import type { ExitName } from "../../contract/exit.ts";
import type { AgentDoor } from "../../contract/web.ts";
import type { DashboardWish } from "../../daemon/dashboard-wish.ts";
import { isUsualPlace, serveDashboard } from "../../daemon/http/serve-dashboard.ts";
import { serve as serveHome } from "../../daemon/serve.ts";
import { type Sight, tellSight } from "../../daemon/sights.ts";
import { wireScheduler } from "../../daemon/wire-scheduler.ts";
import { type Call, type Command, wantsJson } from "../call.ts";
import { bugTeller } from "../tell-bug.ts";
import { webWhoOf, webWishesOf } from "../web-options.ts";
import { withHouse } from "../with-house.ts";

export const serve: Command = (call) => withHouse(call, (house) => serveFor(call, house), "");

async function serveFor(call: Call, house: House): Promise<ExitName> {
  const tools = openDaemonTools(call);
  const machine = () => loadMachine(house, tools.cores);
  return serveHome(
    {
      house,
      tools,
      machine,
      dashboard: dashboardOf(call, house),
      schedule: (settings, tell, hear) => wireScheduler({ house, tools, home: call.home.folder, machine: settings, tell, hear }),
    },
    {
      pid: house.world.census.self().pid,
      once: call.options.once === true,
      stop: house.stop,
      // A terminal that is closed means that we should end.
      onReload: (listener) => (call.io.isLive ? () => {} : (call.onHangUp?.(listener) ?? (() => {}))),
      tell: (sight) => print(call, sight, house.clock.now()),
    },
  );
}

/** Who is here for one beat has nothing to show. */
function dashboardOf(call: Call, house: House): DashboardWish | undefined {
  const wishes = call.options.once === true ? undefined : webWishesOf(call);
  return (
    wishes && {
      isDispensable: isUsualPlace(wishes),
      open: async (hands) =>
        serveDashboard(house, openWeb(call.home, "built"), wishes, webWhoOf(call), {
          ...hands,
          agents: (pages) => agentDoorFor(call, pages, wishes.isReadOnly),
        }),
    }
  );
}

/** The protocol for agents, at the address of the page. No checkout is judged there: which one, a person says to `lw mcp serve`. */
async function agentDoorFor(call: Call, house: PageHouse, isLooking: boolean): Promise<AgentDoor> {
  const { serveHttp } = await import("../../mcp/serve-http.ts");
  const folder = call.io.cwd;
  return serveHttp({
    ...openMcp(house, folder, call.env),
    folder,
    referee: undefined,
    isLooking: isLooking || call.env.LOOPWRIGHT_MARK !== undefined,
    tellBug: bugTeller(call.io),
  });
}

function print(call: Call, sight: Sight, now: Date): void {
  if (wantsJson(call)) call.io.out(`${JSON.stringify({ at: now.toISOString(), ...sight })}\n`);
  else call.io.out(`${now.toISOString()}  ${tellSight(sight)}\n`);
}
