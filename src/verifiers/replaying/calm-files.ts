// Product source that touches nothing outside: it may be asked what no test asks, since all that can come of it is an answer. Pure.

const OUTSIDE =
  /^\s*(?:import|from)\b.*\b(?:os|shutil|subprocess|pathlib|socket|tempfile|sqlite3|urllib|requests|http|smtplib|ftplib|ctypes)\b|(?<![.\w])open\s*\(|["'](?:node:)?(?:fs|fs\/promises|child_process|net|http|https|http2|dgram|tls|cluster|worker_threads|sqlite)["']|"(?:os|os\/exec|net|net\/http|io\/ioutil|syscall|database\/sql|path\/filepath)"|\bprocess\.(?:kill|exit|chdir)\b|\bfetch\s*\(|(?<![.\w])(?:eval|exec)\s*\(/;
const IMPORT = /^\s*(?:import|from|export|const|let|var|\t?"|_|\w+\s+")/;

interface Source {
  readonly path: string;
  readonly text: string;
}

/** Also without those that name, where they import, a file that is not calm. */
export function calmFiles(sources: readonly Source[]): ReadonlySet<string> {
  const stems = new Map(sources.map(({ path }) => [path, stemOf(path)]));
  const wild = new Set(sources.filter(({ text }) => text.split("\n").some(touches)).map(({ path }) => path));
  const imported = new Map(sources.map(({ path, text }) => [path, wordsOf(text)]));
  for (let grew = true; grew; ) {
    const names = new Set([...wild].map((path) => stems.get(path)!));
    const more = sources.filter(({ path }) => !wild.has(path) && [...imported.get(path)!].some((word) => names.has(word)));
    for (const { path } of more) wild.add(path);
    grew = more.length > 0;
  }
  return new Set(sources.map(({ path }) => path).filter((path) => !wild.has(path)));
}

const touches = (line: string): boolean => OUTSIDE.test(line) && !/^\s*(?:#|\/\/|\*)/.test(line);
const stemOf = (path: string): string => /([^/]+?)(?:\/(?:index|__init__|mod))?\.\w+$/.exec(path)?.[1] ?? path;
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split("\n")
      .filter((line) => IMPORT.test(line))
      .flatMap((line) => line.match(/[\w-]+/g) ?? []),
  );
