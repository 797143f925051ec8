// Where a path leads, as far as it can be told from the command line: what matters is whether it stays inside the work folder.
import { isHidden, SOMETHING, UNKNOWN, type Value } from "./value.ts";

export type Target =
  /** Inside the folder the command runs in. */
  | "inside"
  /** The work folder itself, or everything in it. */
  | "whole"
  /** A place for temporary files. */
  | "temporary"
  /** The root, a system folder, the home folder, or everything in one of these. */
  | "vital"
  /** Somewhere else. */
  | "outside"
  /** Cannot be told, and may be anything: also the root, when what is unknown is empty. */
  | "unknown";

const SYSTEM =
  /^\/(bin|boot|dev|etc|home|lib|lib32|lib64|media|mnt|opt|proc|root|run|sbin|srv|sys|usr|var|System|Library|Applications|Users|Volumes|private|cygdrive|c|data|nix|snap)(\/\*?)?$/;
const DEEP_SYSTEM = /^\/(bin|boot|etc|lib|lib32|lib64|proc|sbin|sys|usr|dev|System|Library)\//;
const TEMPORARY = /^(\/tmp|\/var\/tmp|\/private\/tmp|\/dev\/shm|\/var\/folders)\/(?!\.{0,2}$|\*$|\.\.\/)./;

/** `workspace` is the absolute folder the command runs in, when that is known. */
export function targetOf(value: Value, folder: Value | undefined, workspace: string | undefined): Target {
  const text = value.text;
  if (isHidden(text)) return targetOfUnknown(text);
  if (/^([A-Za-z]:)?[\\/]*\*?$/.test(text) && text !== "" && text !== "*") return "vital";
  if (/^~[\w-]*\/?\*?$/.test(text) || /^~[\w-]*\/(\.\.|\.)?\/?\*?$/.test(text)) return "vital";
  if (/^~|^[A-Za-z]:[\\/]/.test(text)) return "outside";
  const path = tidy(text);
  if (path.startsWith("/")) return targetOfAbsolute(path, workspace);
  if (folder && folder.text !== ".") return targetFrom(folder, path, workspace);
  if (path === ".." || path.startsWith("../")) return /^(\.\.\/)*\.\.(\/\*)?$/.test(path) ? "vital" : "outside";
  return path === "." || path === "*" || path === "./*" || path === "" || path === ".*" || path === "{*,.*}" ? "whole" : "inside";
}

function targetOfAbsolute(path: string, workspace: string | undefined): Target {
  if (workspace && (path === workspace || path === `${workspace}/*`)) return "whole";
  if (workspace && path.startsWith(`${workspace}/`)) return "inside";
  if (path === "/" || path === "/*" || path === "/." || path === "/.." || SYSTEM.test(path)) return "vital";
  if (TEMPORARY.test(path)) return "temporary";
  if (/^(\/tmp|\/var\/tmp)\/?\*?$/.test(path)) return "unknown";
  return DEEP_SYSTEM.test(path) && !path.startsWith("/dev/shm/") ? "vital" : "outside";
}

/** The command line went to another folder first. */
function targetFrom(folder: Value, path: string, workspace: string | undefined): Target {
  const base = targetOf(folder, undefined, workspace);
  if (base === "inside" || base === "temporary") return path.startsWith("..") ? "unknown" : base;
  if (base === "whole") return targetOf({ text: path, known: true, glob: false }, undefined, workspace);
  if (base === "vital" || base === "outside") return path === "." || path === "*" || path === "./*" ? base : "outside";
  return "unknown";
}

/** Known up to somewhere: a fixed folder in front keeps it there, unless it climbs out. */
function targetOfUnknown(text: string): Target {
  const [before = ""] = text.split(new RegExp(`[${UNKNOWN}${SOMETHING}]`, "u"));
  if (/(^|\/)\.\.(\/|$)/.test(text)) return "unknown";
  if (/^(\/tmp|\/var\/tmp)\/./.test(before) || /^\/tmp\/$/.test(before))
    return before.length > 5 || text.includes(SOMETHING) ? "temporary" : "outside";
  if (/^\.?\/?[\w.-]+\//.test(before) && !before.startsWith("/")) return "inside";
  if (before.startsWith("/") && before.length > 1) return targetOfAbsolute(before.replace(/\/$/, ""), undefined);
  return "unknown";
}

/** Without doubled slashes, `./`, and `x/..`. */
function tidy(text: string): string {
  const parts: string[] = [];
  for (const part of text.split("/")) {
    if (part === "." || (part === "" && parts.length > 0)) continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== ".." && parts.at(-1) !== "") parts.pop();
    else if (part === ".." && parts.length === 1 && parts[0] === "") continue;
    else parts.push(part);
  }
  const path = parts.join("/");
  if (path === "") return text.startsWith("/") ? "/" : ".";
  return path;
}
