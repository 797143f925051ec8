// Chores: loops that change something, each for one kind of work that comes up again and again. Five families, one line each.
import type { Pattern } from "../../contract/pattern.ts";
import { crossFunctional } from "./cross-functional.ts";
import { delivery } from "./delivery.ts";
import { knowledge } from "./knowledge.ts";
import { maintenance } from "./maintenance.ts";
import { quality } from "./quality.ts";

export const templates: { readonly [family: string]: readonly Pattern[] } = {
  maintenance,
  delivery,
  quality,
  knowledge,
  "cross-functional": crossFunctional,
};
