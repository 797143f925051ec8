// Proposes a change of instructions or options to a person, and changes nothing by itself.
import { defineImprover } from "../contract/improver.ts";
import { REFINE_OPTIONS, refined } from "./refine.ts";
import { nextPoint } from "./search.ts";

export const propose = defineImprover({
  name: "propose",
  summary: "Proposes a change to a person and changes nothing by itself: `lw evolve LOOP --to VERSION` takes it.",
  options: REFINE_OPTIONS,
  needsPerson: true,
  space: "taken",
  improve: async (matter, { model }, world) =>
    Object.keys(matter.space).length > 0 ? nextPoint(matter, world.seed) : refined(matter, model, world),
});
