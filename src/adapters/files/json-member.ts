// Puts one named member into an object inside somebody else's JSON file and takes it out again, leaving every other byte as it was.
import { type Edit, inserted, memberOf, nested, rendered, spliced, without } from "./json-entry.ts";
import { type Json, type JsonObject, jsonValue, readJsonTree } from "./json-tree.ts";

export interface NamedMember {
  /** The names that lead from the root to the object. */
  readonly path: readonly string[];
  readonly name: string;
  readonly value: Json;
  /** Whether what has that name is something that we put there. */
  readonly isOurs: (value: Json) => boolean;
}

export function addMember(text: string | undefined, member: NamedMember): Edit<never> {
  if (text === undefined) return { kind: "changed", text: newFile(member, member.value) };
  const way = wayTo(text, member);
  if (way.kind === "refused") return way;
  const { nodes, missing } = way;
  const last = nodes.at(-1)!;
  const [name = member.name, ...deeper] = missing;
  const here = missing.length === 0 ? memberOf(last, member.name) : undefined;
  if (!here) {
    const inner = missing.length === 0 ? member.value : nested([...deeper, member.name], member.value);
    return { kind: "changed", text: inserted(text, last, name, inner) };
  }
  const value = jsonValue(here.node);
  if (!member.isOurs(value)) return notOurs(member);
  if (JSON.stringify(value) === JSON.stringify(member.value)) return { kind: "unchanged" };
  return { kind: "changed", text: spliced(text, here.node.start, here.node.end, rendered(member.value, undefined, "")) };
}

export function removeMember(text: string, member: NamedMember): Edit<"removed"> {
  const way = wayTo(text, member);
  if (way.kind === "refused") return way;
  const { nodes, missing } = way;
  const last = nodes.at(-1)!;
  const here = missing.length === 0 ? memberOf(last, member.name) : undefined;
  if (!here) return { kind: "unchanged" };
  const value = jsonValue(here.node);
  if (!member.isOurs(value)) return notOurs(member);
  if (text === newFile(member, value)) return { kind: "removed" };
  return { kind: "changed", text: without(text, nodes, member.path, last.parts.indexOf(here)) };
}

const notOurs = ({ path, name }: NamedMember): { readonly kind: "refused"; readonly why: string } => ({
  kind: "refused",
  why: `\`${[...path, name].join(".")}\` is there and none of ours. Give it another name, then try again`,
});

const newFile = ({ path, name }: NamedMember, value: Json): string =>
  `${rendered(nested([...path, name], value), { unit: "  ", newline: "\n" }, "")}\n`;

type Way =
  | { readonly kind: "way"; readonly nodes: readonly JsonObject[]; readonly missing: readonly string[] }
  | { readonly kind: "refused"; readonly why: string };

/** The objects from the root towards the one that holds it, as far as they exist. */
function wayTo(text: string, { path }: NamedMember): Way {
  const reading = readJsonTree(text);
  if (reading.kind === "broken") return { kind: "refused", why: `it is not valid JSON: ${reading.why}. Mend it, then try again` };
  const nodes: JsonObject[] = [];
  let node = reading.root;
  for (const [depth, name] of [...path, undefined].entries()) {
    if (node.kind !== "object")
      return {
        kind: "refused",
        why: `${depth === 0 ? "it" : `\`${path.slice(0, depth).join(".")}\``} is not an object. Mend it, then try again`,
      };
    nodes.push(node);
    if (name === undefined) break;
    const next = memberOf(node, name);
    if (!next) return { kind: "way", nodes, missing: path.slice(depth) };
    node = next.node;
  }
  return { kind: "way", nodes, missing: [] };
}
