// What a box kept commands to, in a few words.

/** Shaped as in the evidence. */
type Fact =
  | { readonly kind: "unused" }
  | { readonly kind: "none"; readonly why: string }
  | {
      readonly kind: string;
      readonly network: string;
      readonly reaches?: readonly string[];
      readonly writes: readonly string[];
      readonly hides: readonly string[];
      readonly rooms?: "layered";
    };

export function tellBox(box: Fact): string {
  if (!("network" in box)) return "why" in box ? `no box: ${box.why}` : "no commands";
  const writes = box.writes.length === 0 ? "its own room only" : `its own room and ${box.writes.join(", ")}`;
  const network = box.network === "listed" ? `only to ${box.reaches?.join(", ") || "nobody"}` : box.network;
  return `${box.kind}, network ${network}, writes in ${writes}, ${box.hides.length} place(s) hidden${box.rooms ? ", what is prepared under its rooms" : ""}`;
}
