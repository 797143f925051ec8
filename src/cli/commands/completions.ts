// Completions for shells, from the table of commands.
import { LoopError } from "../../contract/errors.ts";
import type { Command, CommandRow } from "../call.ts";

/** The table names this command, so that it is handed the table. */
export const completionsOf =
  (rows: readonly CommandRow[]): Command =>
  async ({ args, io }) => {
    const [shell = ""] = args;
    const script = SCRIPTS[shell];
    if (!script)
      throw new LoopError("bad-input", `there are no completions for ${shell}`, {
        retry: "never",
        hint: `Write one of: ${Object.keys(SCRIPTS).join(", ")}.`,
      });
    io.out(script(rows));
    return "done";
  };

const wordsOf = ({ name, options }: CommandRow): readonly string[] => [
  ...(name === "completions" ? Object.keys(SCRIPTS) : []),
  "--help",
  ...options.map(([flags]) => flags.split(" ")[0]!),
];
const takesFile = ({ args }: CommandRow): boolean => args.includes("loop") || args.includes("files");
const quoted = (text: string): string => text.replaceAll("'", "’");
const quotedForZsh = (text: string): string => quoted(text).replaceAll(":", "\\:");

const SCRIPTS: { readonly [shell: string]: ((rows: readonly CommandRow[]) => string) | undefined } = { bash, zsh, fish };

function bash(rows: readonly CommandRow[]): string {
  const cases = rows.map((row) => `    ${row.name}) words="${wordsOf(row).join(" ")}"; files=${takesFile(row) ? "yes" : "no"};;`);
  return `# bash completion for lw
_lw() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" words files=no
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${rows.map(({ name }) => name).join(" ")} help --help --version" -- "$cur"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    *) words="";;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [ "$files" = yes ] && [ "\${cur#-}" = "$cur" ]; then
    COMPREPLY+=($(compgen -f -X '!*.loop.*' -- "$cur") $(compgen -d -- "$cur"))
  fi
}
complete -F _lw lw loopwright
`;
}

function zsh(rows: readonly CommandRow[]): string {
  const cases = rows.map((row) => {
    const options = row.options.map(
      ([flags, about]) => `'${flags.split(" ")[0]}[${quotedForZsh(about).replaceAll("[", "(").replaceAll("]", ")")}]'`,
    );
    const files = takesFile(row) ? ` '*:spec:_files -g "*.loop.*"'` : row.name === "completions" ? " '1:shell:(bash zsh fish)'" : "";
    return `    ${row.name}) _arguments '--help[print help]' ${options.join(" ")}${files};;`;
  });
  return `#compdef lw loopwright
_lw() {
  local -a commands
  commands=(${rows.map(({ name, summary }) => `'${name}:${quotedForZsh(summary)}'`).join(" ")})
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  shift words; (( CURRENT-- ))
  case "$words[1]" in
${cases.join("\n")}
  esac
}
compdef _lw lw loopwright
`;
}

function fish(rows: readonly CommandRow[]): string {
  const lines = rows.flatMap((row) => [
    `complete -c lw -n __fish_use_subcommand -f -a ${row.name} -d '${quoted(row.summary)}'`,
    ...row.options.map(
      ([flags, about]) =>
        `complete -c lw -n '__fish_seen_subcommand_from ${row.name}' -l ${flags.split(" ")[0]!.slice(2)} -d '${quoted(about)}'`,
    ),
  ]);
  return `# fish completion for lw\n${lines.join("\n")}\ncomplete -c lw -n '__fish_seen_subcommand_from completions' -f -a 'bash zsh fish'\n`;
}
