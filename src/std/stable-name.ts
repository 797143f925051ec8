// A test's name without what changes from run to run or from checkout to checkout.

const MOST_READ = 2000;
const MOST_KEPT = 300;

const PLACES: readonly (readonly [RegExp, string])[] = [
  [/(?:\/private)?(?:\/var\/folders\/[^/\s]{1,64}\/[^/\s]{1,64}\/T|\/var\/tmp|\/tmp)\/[^/\s"'`:,;()[\]{}<>]{1,255}/g, "<tmp>"],
  [/\b0x[0-9a-f]{8,16}\b/gi, "0x…"],
  [/ ?[([]\d{1,9}(?:\.\d{1,9})? ?(?:ns|µs|us|ms|s|m|min)[)\]] ?$/, ""],
];

/** Cut to a length that a report can show. Two names that become one are told apart by their number. */
export function stableName(name: string, root: string): string {
  const read = withoutRoot(name.slice(0, MOST_READ), root);
  const plain = PLACES.reduce((text, [pattern, by]) => text.replace(pattern, by), read.replace(/\s+/g, " "));
  const line = plain.trim().toWellFormed();
  return line.length > MOST_KEPT ? `${line.slice(0, MOST_KEPT).toWellFormed()}…` : line;
}

/** Runners write the checkout's path as it is, as a URL, or as the system's own name for it. */
function withoutRoot(name: string, root: string): string {
  if (root === "") return name;
  const forms = [`/private${root}`, root, encodeURI(root)].flatMap((form) => [`file://${form}`, form]);
  return forms.reduce((text, form) => text.replaceAll(`${form}/`, "").replaceAll(form, "."), name);
}
