// What a daemon shows while it works: one line for each thing that wakes, rests or goes wrong. Nothing is decided by it.
import type { Waking } from "../contract/waking.ts";

export type Sight =
  | { readonly kind: "serving"; readonly pid: number; readonly version: string; readonly loops: number; readonly hears?: string }
  /** The dashboard is served; whoever has the link may look and decide. */
  | { readonly kind: "dashboard"; readonly url: string; readonly link: string }
  | { readonly kind: "woke"; readonly loop: string; readonly run: string; readonly key?: string }
  /** A run's process is over; `exit` is undefined where a signal ended it. */
  | { readonly kind: "over"; readonly loop: string; readonly run?: string; readonly exit?: number; readonly says: string }
  /** A time or a happening that came to something else than a run. */
  | {
      readonly kind: "not-woken";
      readonly loop: string;
      readonly key: string;
      readonly fate: Waking["fate"];
      readonly reason: Waking["reason"];
      readonly says: string;
    }
  /** It is due, and there is no room for it yet. */
  | { readonly kind: "waits"; readonly loop: string; readonly says: string }
  /** `says` is what is wrong with its spec, where something is. */
  | { readonly kind: "loop"; readonly loop: string; readonly change: string; readonly says?: string }
  | { readonly kind: "trouble"; readonly loop?: string; readonly says: string }
  /** What was told as trouble is over. */
  | { readonly kind: "in-order"; readonly says: string }
  | { readonly kind: "stopping"; readonly running: number }
  | { readonly kind: "stopped" };

export type TellSight = (sight: Sight) => void;

export function tellSight(sight: Sight): string {
  switch (sight.kind) {
    case "serving":
      return `serving ${sight.loops} loop(s), process ${sight.pid}, version ${sight.version}${sight.hears === undefined ? "" : `, webhooks at http://${sight.hears}/hooks/`}`;
    case "dashboard":
      return `dashboard  ${sight.link}`;
    case "woke":
      return `${sight.loop}  woke  ${sight.run}`;
    case "over":
      return `${sight.loop}  over  ${sight.run ?? ""}  ${sight.says}`;
    case "not-woken":
      return `${sight.loop}  ${sight.fate}  ${sight.says}`;
    case "waits":
      return `${sight.loop}  waits  ${sight.says}`;
    case "loop":
      return `${sight.loop}  ${sight.change}${sight.says === undefined ? "" : `  ${sight.says}`}`;
    case "trouble":
      return `${sight.loop === undefined ? "" : `${sight.loop}  `}trouble: ${sight.says}`;
    case "in-order":
      return `in order again: ${sight.says}`;
    case "stopping":
      return `stopping: ${sight.running} run(s) may finish; once more to stop at once`;
    case "stopped":
      return "stopped";
  }
}
