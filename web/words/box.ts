// What the operating system kept the commands of a part to, in a few words.
import type { BoxFact } from "../../src/contract/commands.ts";

export function boxSays(box: BoxFact): string {
  switch (box.kind) {
    case "unused":
      return "ran no command";
    case "none":
      return "not boxed";
    case "bubblewrap":
    case "namespaces":
    case "seatbelt":
      return `boxed, ${networkSays(box.network)}`;
  }
}

function networkSays(network: "closed" | "open" | "listed"): string {
  switch (network) {
    case "closed":
      return "no network";
    case "open":
      return "open network";
    case "listed":
      return "only listed hosts";
  }
}
