// Writes a spec as text for people: in a settled order, with a comment on every choice.
import { Document, isMap, isScalar, isSeq, type Node, Pair, Scalar, YAMLMap } from "yaml";

export interface SpecField {
  readonly key: string;
  readonly value: unknown;
  /** Why it is so; above the field. */
  readonly comment: readonly string[];
}

const MOST_FLOW = 90;

export function writeSpec(opening: readonly string[], fields: readonly SpecField[]): string {
  const document = new Document();
  const map = new YAMLMap<Scalar, Node>();
  for (const { key, value, comment } of fields) {
    const name = new Scalar(key);
    if (comment.length > 0) name.commentBefore = asComment(comment);
    map.items.push(new Pair(name, compact(document.createNode(value))));
  }
  document.contents = map;
  document.commentBefore = asComment(opening);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

const asComment = (lines: readonly string[]): string => lines.map((line) => ` ${line.replaceAll(/[\r\n]+/g, " ")}`).join("\n");

/** What is short stands in one line; what is long, or has a long text in it, in several. */
function compact(node: Node): Node {
  // Older readers of YAML take a time of the day for a number.
  if (isScalar(node) && typeof node.value === "string" && /^\d+:\d+$/.test(node.value)) node.type = "QUOTE_DOUBLE";
  if (isMap<Node, Node>(node) || isSeq<Node>(node))
    for (const item of node.items) {
      const inner = item instanceof Pair ? item.value : item;
      if (inner) compact(inner);
    }
  if ((isMap(node) || isSeq(node)) && JSON.stringify(node.toJSON()).length <= MOST_FLOW) node.flow = true;
  return node;
}
