// What may move once something may go on: one line each.
import type { Action } from "../contract/action.ts";
import { command } from "./command.ts";
import { commitDocument } from "./commit-document.ts";
import { file } from "./file.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { merge } from "./merge.ts";
import { push } from "./push.ts";
import { webhook } from "./webhook.ts";
import { writeDocument } from "./write-document.ts";

export const actions: readonly Action[] = [merge, push, github, gitlab, file, command, webhook, writeDocument, commitDocument];
