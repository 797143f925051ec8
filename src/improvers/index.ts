// The strategies by which a loop may become better: one line each.
import type { Improver } from "../contract/improver.ts";
import { notebook } from "./notebook.ts";
import { propose } from "./propose.ts";
import { refine } from "./refine.ts";
import { search } from "./search.ts";

export const improvers: readonly Improver[] = [refine, search, notebook, propose];
