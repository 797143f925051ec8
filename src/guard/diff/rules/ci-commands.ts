// The commands that one line of a pipeline, a script or a Dockerfile holds.
import { callsRunner } from "./commands.ts";

/** Keys whose value is a command or the goal of one. */
const COMMAND_KEY =
  /^["']?(?:run|script|command|commands|cmd|cmds|bash|sh|pwsh|powershell|test|tests|args|arguments|goals|tasks|target|before_script|after_script|test_script|build_script|install|entrypoint|entry|steps?)["']?\s*:\s*(.*)$/;
const OTHER_KEY = /^["']?[\w.$ /()-]{1,60}["']?\s*:(\s|$)/;
const FLOW_RUN = /[{,]\s*["']?(?:run|script|command)["']?\s*:\s*("[^"]*"|'[^']*'|[^,}]*)/;
const JENKINS_STEP = /\b(?:sh|bat|powershell|pwsh)\s*\(?\s*(?:script\s*:\s*)?("""|'''|"|')(.*?)(?:\1|$)/;
const DOCKER_RUN = /^(?:RUN|CMD|ENTRYPOINT)\s+(.*)$/;

const LONE_COMMAND = /^(true|:|exit|make|yarn|mvn|rake|ant|sbt|\S+\.(sh|bat|ps1|cmd))$/;

/** Actions and workflows that may run checks of their own. */
const USES = /^uses:\s*["']?(\.\.?\/|\S*\/workflows\/|\S*(test|cypress|playwright|pytest|tox))/i;

/** None for comments, mappings and empty lines. */
export function commandIn(text: string): readonly string[] {
  const line = text.trim().replace(/^(?:-\s+)+/, "");
  if (line === "" || /^(#|\/\/|-$|---|<!--)/.test(line)) return [];
  const jenkins = JENKINS_STEP.exec(line);
  if (jenkins) return unquoted(jenkins[2]!);
  const flow = FLOW_RUN.exec(line);
  if (flow) return unquoted(flow[1]!);
  const keyed = COMMAND_KEY.exec(line);
  if (keyed) return unquoted(keyed[1]!);
  const docker = DOCKER_RUN.exec(line);
  if (docker) return unquoted(docker[1]!);
  if (USES.test(line) && !/report|upload|publish|artifact|summary|setup-/i.test(line)) return [line.replace(/\s+#.*$/, "")];
  if (OTHER_KEY.test(line) || /^[[\]{}]+,?$/.test(line) || /^\{\s*["']?[\w-]+["']?\s*:/.test(line)) return [];
  // A single word is more often a name (of a job, a version, an environment) than a command.
  return unquoted(line).filter((command) => /[\s/]/.test(command) || LONE_COMMAND.test(command) || callsRunner(command));
}

function unquoted(text: string): readonly string[] {
  const value = text.trim().replace(/\s*(?:\\|&&)$/, "");
  if (value === "" || /^[|>][+-]?\d*$/.test(value)) return [];
  const quoted = /^(["'])(.*)\1,?$/.exec(value);
  if (quoted && !quoted[2]!.includes(quoted[1]!)) return quoted[2]!.trim() === "" ? [] : [quoted[2]!];
  if (value.startsWith("[") && value.endsWith("]")) return unquoted(value.slice(1, -1).replaceAll(/["'],\s*["']/g, " "));
  return [value];
}
