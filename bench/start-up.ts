// How long `lw --help` takes beside an empty Node program.
import { resolve } from "node:path";
import { compare, must } from "./measure.ts";

console.log("start-up");
const lw = resolve("dist/lw.js");
await compare(
  25,
  { name: "lw --help", work: () => void must(process.execPath, [lw, "--help"], ".") },
  { name: "node -e 0", work: () => void must(process.execPath, ["-e", "0"], ".") },
);
