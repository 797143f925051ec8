// The connectors there are: one line each.
import type { Connector } from "../contract/connector.ts";
import { branches } from "./branches.ts";
import { command } from "./command.ts";
import { commits } from "./commits.ts";
import { files } from "./files.ts";
import { junit } from "./junit.ts";
import { sarif } from "./sarif.ts";
import { todos } from "./todos.ts";

export const connectors: readonly Connector[] = [commits, branches, todos, files, sarif, junit, command];
