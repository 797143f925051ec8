// TypeScript without its types: what a plain process can load. Pure; its own small part of the language, and nothing where more is used.
import { fieldOf, type Span, type Turn, turned, visit } from "./twins/twin.ts";

/** Nodes that are gone as they stand. */
const GONE = new Set([
  "type_annotation",
  "asserts_annotation",
  "type_predicate_annotation",
  "type_parameters",
  "type_arguments",
  "interface_declaration",
  "type_alias_declaration",
  "function_signature",
  "ambient_declaration",
  "abstract_method_signature",
  "method_signature",
  "index_signature",
  "implements_clause",
  "accessibility_modifier",
  "override_modifier",
]);
/** What is more than a type, and would have to be made anew. */
const MORE = new Set(["enum_declaration", "internal_module", "module", "import_require_clause", "import_alias", "decorator"]);
/** Words before the name of what they say something of. */
const WORDS = new Set(["readonly", "declare", "abstract", "?", "!"]);
const WORDED = new Set([
  "public_field_definition",
  "optional_parameter",
  "required_parameter",
  "method_definition",
  "variable_declarator",
  "abstract_class_declaration",
]);

/** Undefined where something in it has no plain form here. */
export function stripTypes(text: string, root: Span): string | undefined {
  const turns: Turn[] = [];
  let isPlain = true;
  const drop = ({ start, end }: Pick<Span, "start" | "end">): false => {
    turns.push({ start, end, text: "" });
    return false;
  };
  visit(root, (node, parents) => {
    const { type, children, start, end } = node;
    if (MORE.has(type)) isPlain = false;
    if (!isPlain) return false;
    if (GONE.has(type)) return drop(node);
    switch (type) {
      case "export_statement":
      case "import_statement":
        if (children.some((one) => isWord(one, "type") || GONE.has(one.type))) return drop(node);
        return undefined;
      case "import_specifier":
      case "export_specifier":
        return children.some((one) => isWord(one, "type")) ? drop({ start, end: afterComma(text, end) }) : undefined;
      case "as_expression":
      case "satisfies_expression":
        drop({ start: children[0]!.end, end });
        return undefined;
      case "non_null_expression":
        drop({ start: end - 1, end });
        return undefined;
      case "type_assertion":
        isPlain = false;
        return false;
      case "public_field_definition":
        if (children.some((one) => isWord(one, "declare"))) return drop(node);
        break;
      case "required_parameter":
      case "optional_parameter": {
        if (fieldOf(node, "pattern")?.type === "this") return drop({ start, end: afterComma(text, end) });
        const isField = children.some((one) => one.type === "accessibility_modifier" || isWord(one, "readonly"));
        if (isField && !keepsField(node, parents, turns, text)) isPlain = false;
      }
    }
    // In an `as` its type stands behind the expression, and went with it.
    if (parents.at(-1)?.type.match(/^(?:as|satisfies)_expression$/) && parents.at(-1)!.children[0] !== node) return false;
    if (WORDED.has(type)) for (const one of children) if (!one.isNamed && WORDS.has(one.type)) drop(one);
    return undefined;
  });
  return isPlain ? withoutUnused(turned(text, turns).text) : undefined;
}

const isWord = ({ isNamed, type }: Span, word: string): boolean => !isNamed && type === word;
const afterComma = (text: string, end: number): number => end + (/^\s*,/.exec(text.slice(end, end + 200))?.[0].length ?? 0);

/** `constructor(private x: T)` says that there is a field. */
function keepsField(parameter: Span, parents: readonly Span[], turns: Turn[], text: string): boolean {
  const [making, body] = [
    parents.findLast(({ type }) => type === "method_definition"),
    parents.findLast(({ type }) => type === "class_body"),
  ];
  const name = fieldOf(parameter, "pattern");
  const within = making && fieldOf(making, "body");
  const kind = body && parents[parents.indexOf(body) - 1];
  if (name?.type !== "identifier" || !within || kind?.children.some(({ type }) => type === "class_heritage")) return false;
  const called = text.slice(name.start, name.end);
  turns.push({ start: within.start + 1, end: within.start + 1, text: ` this.${called} = ${called};` });
  return true;
}

const IMPORT = /^([ \t]*import\s+(?:[\w$]+\s*,\s*)?)\{([^}]*)\}(\s*from\s*["'][^"'\n]*["'])/gm;

/** A name that stood only in types is not imported: the other module may have no such value. */
function withoutUnused(text: string): string {
  const others = text.replace(IMPORT, "");
  const isUsed = (one: string): boolean => new RegExp(`(?<![\\w$])${one.replaceAll("$", "\\$")}(?![\\w$])`).test(others);
  return text.replace(IMPORT, (_, head: string, names: string, from: string) => {
    const kept = names.split(",").filter((one) => {
      const local = /([\w$]+)\s*$/.exec(one)?.[1];
      return local !== undefined && isUsed(local);
    });
    return `${head}{${kept.join(",")}}${from}`;
  });
}
