// What is wrong with a path that somebody else wrote, by its letters alone. Whether it leads out of a folder is for the file system to say.

const LONGEST_PATH = 1000;
const LONGEST_NAME = 255;
const MOST_NAMES = 60;

export type NamesReading =
  | { readonly kind: "names"; readonly names: readonly string[] }
  | { readonly kind: "refused"; readonly why: string };

/** The names that a path is made of, from the root of a copy. */
export function readNames(path: string): NamesReading {
  const problem = pathProblem(path);
  if (problem !== undefined) return { kind: "refused", why: problem };
  const names = path.replace(/^(\.\/)+/, "").split("/");
  for (const name of names) {
    const wrong = nameProblem(name);
    if (wrong !== undefined) return { kind: "refused", why: wrong };
  }
  return names.length > MOST_NAMES ? { kind: "refused", why: "it is too deep" } : { kind: "names", names };
}

function pathProblem(path: string): string | undefined {
  if (path === "") return "it names nothing";
  if (path.length > LONGEST_PATH) return `it is longer than ${LONGEST_PATH} characters`;
  if (/[\0-\x1f\x7f]/.test(path)) return "it contains control characters";
  if (!path.isWellFormed()) return "it is no text";
  if (path.includes("\\")) return "it contains a backslash: write / between folders";
  if (/^[A-Za-z]:/.test(path)) return "it begins with a drive letter: write it from the root of the repository";
  if (path.startsWith("/")) return "it is absolute: write it from the root of the repository";
  return /^~/.test(path) ? "it begins with ~: write it from the root of the repository" : undefined;
}

function nameProblem(name: string): string | undefined {
  if (name === "..") return "it leads upwards: write it from the root of the repository, without `..`";
  if (name === "." || name === "") return "it has a `.` or nothing between two slashes";
  if (new TextEncoder().encode(name).length > LONGEST_NAME) return "a name in it is too long";
  return isGitName(name) ? "it leads into .git, which is not yours to touch" : undefined;
}

/**
 * Whether some file system takes a name for `.git`: in any case, with letters that HFS+ ignores, with what NTFS drops at the
 * end or reads as a stream, or by its short name.
 */
export function isGitName(name: string): boolean {
  const plain = name
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu, "")
    .normalize("NFKC")
    .toUpperCase()
    .split(":")[0]!
    .replace(/[\s.]+$/u, "");
  return plain === ".GIT" || /^GIT~\d+$/.test(plain);
}

/** Where a loop keeps its rules beside a spec. */
export const isLoopwrightName = (name: string): boolean =>
  name
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s.]+$/u, "") === ".loopwright";
