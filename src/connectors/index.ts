// The connectors there are: one line each.
import type { Connector } from "../contract/connector.ts";
import { branches } from "./branches.ts";
import { ci } from "./ci.ts";
import { command } from "./command.ts";
import { commits } from "./commits.ts";
import { dependencies } from "./dependencies.ts";
import { files } from "./files.ts";
import { issues } from "./issues.ts";
import { junit } from "./junit.ts";
import { mcp } from "./mcp.ts";
import { pullRequests } from "./pull-requests.ts";
import { releases } from "./releases.ts";
import { sarif } from "./sarif.ts";
import { security } from "./security.ts";
import { todos } from "./todos.ts";

export const connectors: readonly Connector[] = [
  commits,
  branches,
  todos,
  files,
  dependencies,
  issues,
  pullRequests,
  ci,
  releases,
  security,
  sarif,
  junit,
  command,
  mcp,
];
