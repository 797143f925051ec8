// Prints YAML as we write it: room in braces and none in brackets, no line broken, and what is short in one line.
import { type Document, isMap, isScalar, isSeq, type Node, Pair, visit, YAMLMap, YAMLSeq } from "yaml";

export function printDocument(document: Document): string {
  visit(document, {
    Map(_, node) {
      node.toString = (context, ...rest) => YAMLMap.prototype.toString.call(node, { ...context!, flowCollectionPadding: " " }, ...rest);
    },
    Seq(_, node) {
      node.toString = (context, ...rest) => YAMLSeq.prototype.toString.call(node, { ...context!, flowCollectionPadding: "" }, ...rest);
    },
  });
  return document.toString({ lineWidth: 0, indent: 2, indentSeq: true });
}

const MOST_FLOW = 90;

/** What is short stands in one line; what is long, or has a long text in it, in several. */
export function compact(node: Node): Node {
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
