// Twins of test files in Go. They are compiled in place of the known file, whose bytes stay on the disk, so that names stay as well.
import { drawWord, fieldOf, type Span, type Turn, type Twin, type TwinOrder, textOf, visit, writeTwin } from "./twin.ts";

const TEST = /^Test(?![a-z])/;
const TELLS = /^(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/;

export function twinGo(order: TwinOrder): Twin {
  const { text, root, kind } = order;
  return writeTwin(order, "//", findTests(root, text), (test) => {
    const turns = kind === "same" ? [] : kind === "tail" ? tailOf(test, order) : negOf(test, order);
    return turns && { turns, isSure: true };
  });
}

interface Test {
  readonly name: string;
  /** What it calls its `*testing.T`. */
  readonly by: string;
  readonly body: Span;
}

function findTests(root: Span, text: string): readonly Test[] {
  return root.children.flatMap((node) => {
    if (node.type !== "function_declaration") return [];
    const [name, body, parameters] = [fieldOf(node, "name"), fieldOf(node, "body"), fieldOf(node, "parameters")];
    const by = parameters && /^\(\s*(\w+)\s+\*testing\.T\s*\)$/.exec(textOf(text, parameters))?.[1];
    return name && body && by && by !== "_" && TEST.test(textOf(text, name)) ? [{ name: textOf(text, name), by, body }] : [];
  });
}

/** Told when the test and all that it ran are over, however it was left. */
const atEnd = ({ by, body }: Test, before: string, condition: string, say: string): Turn => ({
  start: body.start + 1,
  end: body.start + 1,
  text: `${before}\n\t${by}.Cleanup(func() { if ${condition} { ${by}.Error("${say}") } })\n`,
});

function tailOf(test: Test, { word, seed }: TwinOrder): readonly Turn[] {
  const say = (which: string): string => drawWord(seed, word, test.name, which);
  return [atEnd(test, `\n\t${word} := "${say("a")}"`, `${word} != "${say("b")}"`, say("told"))];
}

/** Ends well only if the test would have told of something. */
function negOf(test: Test, { text, word, seed }: TwinOrder): readonly Turn[] | undefined {
  const said: Turn[] = [];
  visit(test.body, (node) => {
    const callee = node.type === "call_expression" ? fieldOf(node, "function") : undefined;
    const [, by, name] = (callee && /^(\w+)\.(\w+)$/.exec(textOf(text, callee))) ?? [];
    if (callee && name !== undefined && TELLS.test(name) && (by === test.by || by === "t"))
      said.push({ start: callee.start, end: callee.end, text: word });
    return undefined;
  });
  if (said.length === 0) return undefined;
  const before = `\n\t${word}Told := false\n\t${word} := func(...interface{}) { ${word}Told = true }`;
  return [atEnd(test, before, `!${word}Told`, drawWord(seed, word, test.name)), ...said];
}
