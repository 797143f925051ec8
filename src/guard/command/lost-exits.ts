// Where the way a check ended does not reach the end of the line as it was: it is turned round, or some ends of it are excused. Pure.
import { type AndOr, type CommandNode, type CompoundList, type PipelineNode, parse } from "unbash";
import { MOST_CHARS } from "./understand.ts";

export type LostExit =
  | { readonly kind: "turned-round"; readonly program: string }
  /** Behind `||` stands a look at how it ended, such as `test $? = 124`. */
  | { readonly kind: "excused"; readonly by: string };

type Node = PipelineNode | AndOr | CommandNode | CompoundList;

export function lostExitsIn(text: string): readonly LostExit[] {
  if (text.length > MOST_CHARS) return [];
  const script = parse(text);
  if (script.errors && script.errors.length > 0) return [];
  return script.commands.flatMap(({ command }) => lostIn(command, text));
}

function lostIn(node: Node, text: string): readonly LostExit[] {
  switch (node.type) {
    case "Pipeline": {
      const isTurned = node.prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
      const last = node.commands.at(-1);
      return isTurned && last?.type === "Command" ? [{ kind: "turned-round", program: last.name?.text ?? "" }] : [];
    }
    case "AndOr":
      return node.commands.flatMap((command, index) =>
        node.operators[index - 1] === "||" &&
        command.type === "Command" &&
        command.args.some((word) => text.slice(word.pos, word.end).includes("$?"))
          ? [{ kind: "excused" as const, by: text.slice(command.pos, command.end) }]
          : lostIn(command, text),
      );
    case "CompoundList":
      return node.commands.flatMap(({ command }) => lostIn(command, text));
    case "Subshell":
    case "BraceGroup":
      return lostIn(node.body, text);
    default:
      return [];
  }
}
