// Things planted beside the code: hooks, attributes, ignore lists, start-up files, links, submodules; and what could not be seen at all.
import type { DiffRule } from "../rule.ts";
import { plantedFileRules } from "./planted-files.ts";
import { gitRules } from "./planted-git.ts";
import { hookRules } from "./planted-hooks.ts";
import { startupRules } from "./planted-startup.ts";
import { unseenRules } from "./unseen.ts";

export const plantedRules: readonly DiffRule[] = [...hookRules, ...gitRules, ...startupRules, ...plantedFileRules, ...unseenRules];
