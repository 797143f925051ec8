// The connectors there are: one line each.
import type { Connector } from "../contract/parts.ts";
import { commits } from "./commits.ts";

export const connectors: readonly Connector[] = [commits];
