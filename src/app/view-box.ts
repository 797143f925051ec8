// What a maker and a verifier of a loop would see of this machine, before anything runs.
import { resolve } from "node:path";
import type { BoxWish } from "../contract/commands.ts";
import type { Crew } from "../contract/crew.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { makerWish, verifierWish } from "../engine/box-wish.ts";

export interface BoxView {
  readonly part: string;
  /** `off`: the spec wants none. */
  readonly when: "available" | "required" | "off";
  readonly network?: "closed" | "open" | readonly string[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Empty in the beginning, and gone with the command. */
  readonly scratch: readonly string[];
  readonly hides: readonly string[];
}

/** Stand for what only a run has; they are not there, and so not in the plan. */
const ROOM = { work: "/nonexistent/work", home: "/nonexistent/home" };
const COPY = { ...ROOM, brief: "/nonexistent/brief.md", usage: "/nonexistent/told/usage.json" };

interface Planned {
  readonly places: readonly { readonly path: string; readonly access: "read" | "write" | "hidden" | "scratch" }[];
  readonly hides: readonly string[];
}

export async function viewBoxes(
  { spec, folder }: { readonly spec: LoopSpec; readonly folder: string },
  crew: Crew,
  plan: (wish: BoxWish) => Promise<Planned>,
): Promise<readonly BoxView[]> {
  const opened = { spec, folder, repo: resolve(folder, spec.target.repo) };
  const parts = [
    ...crew.makers.map(({ ref, make }) => ({
      part: `maker ${ref.use}`,
      wish: makerWish(COPY, { kind: "clean" }, { opened, crew: { verifiers: crew.verifiers, ...("edit" in make ? { make } : {}) } }),
    })),
    { part: "verifiers", wish: verifierWish([], ROOM.work, { opened, crew: { verifiers: crew.verifiers } }) },
  ];
  return Promise.all(parts.map(({ part, wish }) => viewOf(part, wish, plan)));
}

async function viewOf(part: string, wish: BoxWish | undefined, plan: (wish: BoxWish) => Promise<Planned>): Promise<BoxView> {
  if (!wish) return { part, when: "off", reads: [], writes: [], scratch: [], hides: [] };
  const { places, hides } = await plan(wish);
  const of = (access: Planned["places"][number]["access"]): readonly string[] =>
    places.filter((place) => place.access === access).map(({ path }) => path);
  const { when, network } = wish;
  return {
    part,
    when,
    network: typeof network === "string" ? network : network.allow,
    reads: of("read"),
    writes: of("write"),
    scratch: of("scratch"),
    hides,
  };
}
