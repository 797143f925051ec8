// Watching a run while it goes on.
import type { MakerEvent } from "./maker-events.ts";
import type { Entry } from "./record.ts";

/** What can be seen of a run while it goes on: the screen reads this, and nothing is decided by it. */
export type Sighting =
  | { readonly kind: "step-began"; readonly id: string; readonly step: string }
  | { readonly kind: "maker-said"; readonly id: string; readonly event: MakerEvent }
  | { readonly kind: "recorded"; readonly entry: Entry };

export type Watch = (sighting: Sighting) => void;
