// Who tells somebody something: one line each.
import type { Notifier } from "../contract/notifier.ts";
import { command } from "./command.ts";
import { desktop } from "./desktop.ts";
import { file } from "./file.ts";
import { slack } from "./slack.ts";
import { smtp } from "./smtp.ts";
import { webhook } from "./webhook.ts";

export const notifiers: readonly Notifier[] = [file, command, webhook, slack, desktop, smtp];
