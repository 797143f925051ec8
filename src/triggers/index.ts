// The triggers there are: one line each.
import type { Trigger } from "../contract/trigger.ts";
import { anyOf } from "./any.ts";
import { cron } from "./cron.ts";
import { daily } from "./daily.ts";
import { every } from "./every.ts";
import { files } from "./files.ts";
import { git } from "./git.ts";
import { inbox } from "./inbox.ts";
import { loop } from "./loop.ts";
import { manual } from "./manual.ts";
import { webhook } from "./webhook.ts";
import { weekly } from "./weekly.ts";

/** What wakes a loop by itself, alone or among others. */
const single: readonly Trigger[] = [every, cron, daily, weekly, git, files, webhook, loop, inbox];

export const triggers: readonly Trigger[] = [manual, ...single, anyOf(single)];
