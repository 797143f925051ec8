// Overlays: small changes that fit many loops, ours and those that somebody keeps in their home.
import { LoopError } from "../../contract/errors.ts";
import { readSpecText } from "../../spec/text.ts";

export interface Overlay {
  readonly name: string;
  readonly about: string;
  readonly from: "built in" | "home";
  /** Overlays that come before it. */
  readonly mix: readonly string[];
  readonly changes: Fields;
}

export interface Fields {
  readonly [key: string]: unknown;
}

/** These only ever make a loop stricter, or say when it wakes. */
export const BUILT_IN: readonly Overlay[] = [
  {
    name: "careful",
    about: "boxed or not at all, small changes, one proposal at a time, and base is looked at three times",
    from: "built in",
    mix: [],
    changes: {
      box: { maker: { when: "required" }, verifiers: { when: "required" } },
      verifiers: [{ use: "scope", with: { maxFiles: 20, maxLines: 400 } }],
      gate: { tampering: "escalate" },
      baseline: { runs: 3 },
      wake: { wip: 1 },
    },
  },
  {
    name: "cheap",
    about: "two rounds, half a dollar a run, two dollars a day",
    from: "built in",
    mix: [],
    changes: {
      budget: {
        rounds: 2,
        usd: "$0.50",
        tokens: "200k",
        perCall: { usd: "$0.25" },
        loop: { day: { usd: "$2.00", tokens: "2M", rounds: 50 } },
      },
    },
  },
  {
    name: "nightly",
    about: "wakes every night at three, once for all nights that it missed",
    from: "built in",
    mix: [],
    changes: { trigger: { use: "daily", with: { at: "03:00" } }, wake: { missed: "once", overlap: "skip" } },
  },
];

/** What a spec alone says, and an overlay may not. */
const NOT_IN_OVERLAYS = ["name", "intent", "target", "$schema"];
const OVERLAY_NAME = /^[a-z][a-z0-9-]{0,48}$/;

/** The text of one that somebody keeps: a piece of a spec, and `mix` for those that come before it. */
export function readOverlay(file: string, name: string, text: string): Overlay {
  const { value, problems, lineCol } = readSpecText(text);
  const [problem] = problems;
  if (problem) throw wrong(`${file}:${lineCol(problem.at).line} is no overlay: ${problem.problem}`, problem.instead);
  if (!OVERLAY_NAME.test(name))
    throw wrong(`an overlay may not be called ${name.slice(0, 60)}`, "Use lower-case letters, digits and dashes.");
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrong(`${file} is no overlay`, "Write a piece of a spec in it.");
  const { mix = [], ...changes }: { readonly mix?: unknown } & Fields = { ...value };
  const own = NOT_IN_OVERLAYS.find((key) => key in changes);
  if (own !== undefined) throw wrong(`${file} says ${own}, which is a loop's own`, "Leave it out.");
  if (!Array.isArray(mix) || !mix.every((one): one is string => typeof one === "string"))
    throw wrong(`mix of ${file} is no list of overlays`, "Write e.g. mix: [careful].");
  return { name, about: /^#\s*(.+)$/m.exec(text)?.[1]?.slice(0, 120) ?? "", from: "home", mix, changes };
}

const MOST_OVERLAYS = 20;

/** Those that are asked for, each after the ones that it is mixed of. */
export function mixOf(asked: readonly string[], known: readonly Overlay[]): readonly Overlay[] {
  const taken: Overlay[] = [];
  const take = (name: string, way: readonly string[]): void => {
    if (way.includes(name)) throw wrong(`the overlay ${name} is mixed of itself`, "Take it out of its own `mix`.");
    const overlay = known.findLast((one) => one.name === name);
    if (!overlay) throw wrong(`there is no overlay called ${name.slice(0, 60)}`, `There is: ${known.map((one) => one.name).join(", ")}.`);
    if (taken.length >= MOST_OVERLAYS) throw wrong(`more than ${MOST_OVERLAYS} overlays`, "Mix fewer.");
    for (const other of overlay.mix) take(other, [...way, name]);
    if (!taken.includes(overlay)) taken.push(overlay);
  };
  for (const name of asked) take(name, []);
  return taken;
}

const wrong = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
