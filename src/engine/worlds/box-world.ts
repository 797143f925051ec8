// The world with every command in a box, and what was truly enforced.
import type { BoxFact, BoxWish, EgressConnection } from "../../contract/commands.ts";
import type { KindName } from "../../contract/proposal.ts";
import type { Checkout } from "../../contract/workshop.ts";
import type { World } from "../../contract/world.ts";
import { leastOf, verifierWish } from "../box-wish.ts";
import type { Run } from "../run.ts";

/** Of one maker; a maker that asks without end must not fill our memory. */
const MOST_CONNECTIONS = 20_000;

/** The world with every command in the box that is wished for it, and what was truly enforced so far. */
export function boxWorld(
  world: World,
  wishFor: (cwd: string) => BoxWish | undefined,
): { readonly world: World; readonly enforced: () => BoxFact; readonly reached: () => readonly EgressConnection[] } {
  const facts: BoxFact[] = [];
  const connections: EgressConnection[] = [];
  const run: World["proc"]["run"] = async (command, dialogue) => {
    const finished = await world.proc.run({ ...command, box: wishFor(command.cwd) }, dialogue);
    facts.push(finished.box);
    connections.push(...(finished.egress ?? []).slice(0, MOST_CONNECTIONS - connections.length));
    return finished;
  };
  const workshop: World["workshop"] = {
    ...world.workshop,
    trace: (room, without) => world.workshop.trace(room, without, wishFor(room.work)),
  };
  return { world: { ...world, proc: { run }, workshop }, enforced: () => leastOf(facts), reached: () => connections };
}

/** The same for a verifier: the box shows of all rooms only the one that it works in. */
export function boxVerifier<K extends KindName>(
  run: Run<K>,
): { readonly run: Run<K>; readonly enforced: () => BoxFact; readonly caches: () => readonly string[] } {
  const opened: Checkout[] = [];
  const { world, enforced } = boxWorld(rememberRooms(run.world, opened), (cwd) =>
    verifierWish(opened, cwd, { opened: run.opened, crew: { verifiers: run.crew.verifiers } }),
  );
  const caches = (): readonly string[] => [...new Set(opened.flatMap((room) => room.caches ?? []))];
  return { run: { ...run, world }, enforced, caches };
}

function rememberRooms(world: World, opened: Checkout[]): World {
  const remembered = async (opening: Promise<Checkout>): Promise<Checkout> => {
    const checkout = await opening;
    opened.push(checkout);
    return checkout;
  };
  const { checkOut, openRoom } = world.workshop;
  return {
    ...world,
    workshop: {
      ...world.workshop,
      checkOut: (...asked) => remembered(checkOut(...asked)),
      openRoom: (...asked) => remembered(openRoom(...asked)),
    },
  };
}
