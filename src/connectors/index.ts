// The connectors there are: one line each.
import type { Connector } from "../contract/connector.ts";
import { commits } from "./commits.ts";

export const connectors: readonly Connector[] = [commits];
