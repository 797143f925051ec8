// GitHub Copilot CLI with a prompt, written from its documentation (docs.github.com, CLI programmatic reference). It prints text, so that
// only its words are heard. Not tried in a loop: it needs an account.
import * as z from "zod";
import { defineMaker } from "../contract/maker.ts";
import { type ReadLine, textEvent } from "./agent-events.ts";
import { AGENT_OPTIONS, runAgent } from "./run-agent.ts";

export const copilotCli = defineMaker({
  name: "copilot-cli",
  summary:
    "Lets GitHub Copilot CLI work in the maker's copy. Written from its documentation and not tried; the guard does not see its commands.",
  program: {
    name: "copilot",
    variables: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
    files: [".copilot/config.json"],
    says: [{ file: ".copilot/config.json", at: ["last_logged_in_user", "login"] }],
    keeps: ["~/.copilot"],
    hosts: ["api.githubcopilot.com", "*.githubcopilot.com", "api.github.com", "github.com"],
    login: "run `copilot login`, or set COPILOT_GITHUB_TOKEN",
  },
  options: z.strictObject(AGENT_OPTIONS),
  edit: (order, options, world) =>
    runAgent(order, options, world, (brief) => ({
      words: [
        ...["copilot", "-s", "--allow-all-tools", "--no-ask-user"],
        ...(options.model ? ["--model", options.model] : []),
        ...options.args,
        ...["-p", brief],
      ],
      read: readPlainText,
    })),
});

/** Every line is something that it says. */
export const readPlainText: ReadLine = (line) => textEvent(line === "" ? undefined : `${line}\n`);
