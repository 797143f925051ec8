// Who says that something may go on: one line each.
import type { Gate } from "../contract/gate.ts";
import { allowlist } from "./allowlist.ts";
import { ask } from "./ask.ts";
import { command } from "./command.ts";
import { quorum } from "./quorum.ts";
import { webhook } from "./webhook.ts";
import { window } from "./window.ts";

export const gates: readonly Gate[] = [ask, allowlist, quorum, window, command, webhook];
