// When a loop is due after a run that did not write it down: worked out from its spec, with every part that there is.
import { nextSlot } from "../../contract/trigger.ts";
import { specSchemaFor } from "../../spec/schema.ts";
import { assembleCrew, builtIn } from "../crew.ts";

/** A spec of another version may name parts we do not have: then it is not said when it is due. */
export function nextDueOf(spec: unknown, lastOpened: string): string | null {
  const parsed = specSchemaFor(spec, builtIn).safeParse(spec);
  if (!parsed.success) return null;
  return nextSlot(assembleCrew(parsed.data, builtIn).waker, new Date(lastOpened))?.toISOString() ?? null;
}
