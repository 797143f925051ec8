// What a call prints, where that can be told without running it: enough to see through `echo … | base64 -d | sh`.
import type { Call } from "./call.ts";
import { UNKNOWN } from "./value.ts";

const MOST = 65_536;

export function outputOf(call: Call): string | undefined {
  const text = printed(call);
  return text === undefined || text.length > MOST ? undefined : text;
}

function printed(call: Call): string | undefined {
  if (call.redirects.some(({ operator }) => operator.startsWith(">") || operator.startsWith("&>"))) return undefined;
  const args = call.args.map(({ text }) => text);
  const input = call.stdin.kind === "text" ? call.stdin.text : undefined;
  switch (call.program) {
    case "echo":
      return echoed(args);
    case "printf":
      return args[0] === undefined ? undefined : formatted(args);
    case "cat":
    case "tee":
      return args.length === 0 ? input : undefined;
    case "base64":
    case "base32":
      return args.some((arg) => /^(-[dD]|--d(e(c(o(de?)?)?)?)?|-di)$/.test(arg)) && input !== undefined
        ? decoded(input, call.program)
        : undefined;
    case "openssl":
      return args.includes("base64") && args.includes("-d") && input !== undefined ? decoded(input, "base64") : undefined;
    case "xxd":
      return args.some((arg) => /^-[rp]+$/.test(arg)) && args.join("").includes("r") && input !== undefined ? fromHex(input) : undefined;
    case "rev":
      return input
        ?.split("\n")
        .map((line) => [...line].reverse().join(""))
        .join("\n");
    case "tr":
      return input !== undefined && args.length === 2 ? translated(input, args[0]!, args[1]!) : undefined;
    default:
      return undefined;
  }
}

function echoed(args: readonly string[]): string {
  const flags = args.findIndex((arg) => !/^-[neE]+$/.test(arg));
  const shown = args.slice(flags < 0 ? args.length : flags).join(" ");
  const escapes = args.slice(0, flags < 0 ? args.length : flags).some((flag) => flag.includes("e"));
  return escapes ? unescaped(shown) : shown;
}

function formatted([format = "", ...args]: readonly string[]): string {
  let next = 0;
  return unescaped(format).replace(/%(?:%|[-0-9.]*[sbdcqxo])/g, (spec) =>
    spec === "%%" ? "%" : spec.endsWith("b") ? unescaped(args[next++] ?? "") : (args[next++] ?? ""),
  );
}

const ESCAPES: { readonly [letter: string]: string } = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "",
  b: "",
  e: "\u001b",
  "\\": "\\",
  '"': '"',
  "'": "'",
};

const unescaped = (text: string): string =>
  text.replace(/\\(x[0-9a-fA-F]{1,2}|0?[0-7]{1,3}|u[0-9a-fA-F]{1,4}|.)/gs, (all, code: string) => {
    if (/^x/.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    if (/^u./.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return (Object.hasOwn(ESCAPES, code) ? ESCAPES[code] : undefined) ?? all;
  });

function decoded(input: string, program: string): string | undefined {
  if (input.includes(UNKNOWN) || program === "base32") return undefined;
  return Buffer.from(input.replace(/\s/g, ""), "base64").toString("utf8");
}

const fromHex = (input: string): string | undefined =>
  /^[0-9a-fA-F\s]*$/.test(input) ? Buffer.from(input.replace(/\s/g, ""), "hex").toString("utf8") : undefined;

/** `tr a-z n-za-m` and the like, for letters of the same number on both sides. */
function translated(input: string, from: string, to: string): string | undefined {
  const left = ranged(from);
  const right = ranged(to);
  if (left.length === 0 || right.length === 0) return undefined;
  return [...input].map((char) => (left.includes(char) ? (right[left.indexOf(char)] ?? right.at(-1)!) : char)).join("");
}

const ranged = (set: string): readonly string[] => [
  ...set.replace(/(.)-(.)/g, (_, a: string, b: string) => {
    const [first, last] = [a.charCodeAt(0), b.charCodeAt(0)];
    return last >= first && last - first < 256
      ? Array.from({ length: last - first + 1 }, (_unused, index) => String.fromCharCode(first + index)).join("")
      : "";
  }),
];
