// A loop that wakes only when somebody says so.
import * as z from "zod";
import { defineTrigger } from "../contract/trigger.ts";

export const manual = defineTrigger({
  name: "manual",
  summary: "Never wakes by itself; `lw run` wakes it.",
  options: z.strictObject({}),
  wakes: () => ({ hears: [] }),
});
