// Every format for loops that is read besides our own.
import { archon } from "./archon.ts";
import { claudeTask } from "./claude-task.ts";
import { ghAw } from "./gh-aw.ts";
import { harnessRs } from "./harness-rs.ts";
import { loopgenLoop } from "./loopgen-loop.ts";
import { lss } from "./lss/lss.ts";
import { ralph } from "./ralph.ts";
import type { SpecDialect } from "./spec-dialect.ts";
import { striveLoop } from "./strive-loop.ts";
import { symphony } from "./symphony.ts";

export const specDialects: readonly SpecDialect[] = [lss, striveLoop, loopgenLoop, harnessRs, symphony, ghAw, archon, ralph, claudeTask];
