// Systems whose files are YAML with scripts at places of known names: CircleCI, Travis, Azure Pipelines, Bitbucket, Woodpecker and Drone.
import type { CiStep, CiSystem } from "../../contract/scan.ts";
import { readYaml, textsOf, type YamlValue } from "../reading/yaml.ts";
import { linesOf } from "./steps.ts";

interface Dialect {
  readonly name: string;
  readonly reads: (path: string) => boolean;
  /** Under which keys a script stands. */
  readonly keys: ReadonlySet<string>;
}

const dialect = ({ name, reads, keys }: Dialect): CiSystem => ({
  name,
  reads,
  look: (path, text) => {
    const value = readYaml(text);
    return value ? { system: name, file: path, steps: scriptsIn(value, keys, "") } : undefined;
  },
});

/** The nearest name above a script stands for its job. */
function scriptsIn(value: YamlValue, keys: ReadonlySet<string>, job: string): readonly CiStep[] {
  if (value.kind === "text") return [];
  if (value.kind === "list") return value.items.flatMap((item) => scriptsIn(item, keys, job));
  return value.entries.flatMap(({ key, value: inner }) => {
    const isScript = keys.has(key) && (inner.kind === "text" || (inner.kind === "list" && inner.items.some(({ kind }) => kind === "text")));
    return isScript ? textsOf(inner).flatMap((one) => linesOf(one, job, "")) : scriptsIn(inner, keys, inner.kind === "map" ? key : job);
  });
}

export const circleCi = dialect({
  name: "circleci",
  reads: (path) => /^\.circleci\/config\.ya?ml$/.test(path),
  keys: new Set(["run", "command"]),
});
export const travis = dialect({
  name: "travis",
  reads: (path) => path === ".travis.yml",
  keys: new Set(["install", "before_script", "script"]),
});
export const azure = dialect({
  name: "azure-pipelines",
  reads: (path) => /^\.?azure-pipelines\.ya?ml$/.test(path) || /^\.azure-pipelines\/[^/]+\.ya?ml$/.test(path),
  keys: new Set(["script", "bash"]),
});
export const bitbucket = dialect({
  name: "bitbucket-pipelines",
  reads: (path) => path === "bitbucket-pipelines.yml",
  keys: new Set(["script"]),
});
export const woodpecker = dialect({
  name: "woodpecker",
  reads: (path) => /^\.(?:woodpecker|drone)\.ya?ml$/.test(path) || /^\.woodpecker\/[^/]+\.ya?ml$/.test(path),
  keys: new Set(["commands"]),
});
