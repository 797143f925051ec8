// What Node loads to note the calls that tests make of a product, and the program that makes them again in a plain process. Text only.

/** An expression that finds the recorder from ESM and CJS, and from inside of runners that have modules of their own. */
export const nodeRecorderAt = (file: string): string =>
  `globalThis.process.getBuiltinModule("module").createRequire("/")(${JSON.stringify(file)})`;

const VALUES = `
const lwKeys = Object.keys, lwIsArray = Array.isArray, lwProto = Object.getPrototypeOf;
function lwPack(value, depth = 0) {
  if (depth > 8) throw new TypeError("deep");
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (value === undefined) return { $undefined: true };
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0) ? value : { $number: Object.is(value, -0) ? "-0" : String(value) };
  if (typeof value === "bigint") return { $bigint: String(value) };
  if (lwIsArray(value)) return value.map((one) => lwPack(one, depth + 1));
  if (typeof value !== "object") throw new TypeError("live");
  const proto = lwProto(value);
  if (proto !== null && (lwProto(proto) !== null || proto.constructor?.name !== "Object")) throw new TypeError("live");
  const out = {};
  for (const key of lwKeys(value).sort()) {
    if (key.startsWith("$") || key === "__proto__") throw new TypeError("live");
    out[key] = lwPack(value[key], depth + 1);
  }
  return out;
}
function lwCame(value) { try { return { value: lwPack(value) }; } catch { return { live: true }; } }
function lwThrew(error) { return { threw: String(error?.constructor?.name ?? typeof error) }; }
`;

export const nodeRecorder = (report: string, mostEach: number): string => `"use strict";
const { appendFileSync } = require("node:fs");
const { stringify } = JSON;
${VALUES}
const seen = new Map();
let depth = 0;
const say = (what) => { try { appendFileSync(${JSON.stringify(report)}, stringify(what) + "\\n"); } catch {} };
function call(path, name, self, args, inner) {
  const mine = seen.get(path + "#" + name) ?? { count: 0, keys: new Set() };
  seen.set(path + "#" + name, mine);
  if (depth > 0 || mine.count >= ${20 * mostEach} || mine.keys.size >= ${mostEach}) return inner();
  mine.count += 1;
  let asked;
  try {
    asked = lwPack([...args]);
    const key = stringify(asked);
    if (key.length > 20000 || mine.keys.has(key)) asked = undefined;
    else mine.keys.add(key);
  } catch { asked = undefined; }
  const tell = (came) => { if (asked !== undefined) say({ path, name, args: asked, came }); };
  depth += 1;
  try {
    const result = inner();
    if (result !== null && typeof result === "object" && typeof result.then === "function" && result instanceof Promise)
      result.then((value) => tell(lwCame(value)), (error) => tell(lwThrew(error)));
    else tell(lwCame(result));
    return result;
  } catch (error) {
    tell(lwThrew(error));
    throw error;
  } finally { depth -= 1; }
}
function wrap(path, name, inner) {
  const noted = { [inner.name]: function (...args) { return call(path, name, this, args, () => inner.apply(this, args)); } }[inner.name];
  Object.defineProperty(noted, "length", { value: inner.length, configurable: true });
  return noted;
}
module.exports = { call, wrap };
`;

export const nodePlayer = (): string => `import { readFileSync, openSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";
const lwAsked = JSON.parse(readFileSync(process.argv[2], "utf8"));
const lwOut = openSync(process.argv[3], "w");
process.argv.length = 2;
const lwWrite = writeSync, lwStringify = JSON.stringify, lwNow = performance.now.bind(performance), lwParse = JSON.parse;
const say = (what) => lwWrite(lwOut, lwStringify(what) + "\\n");
${VALUES}
function lwUnpack(value) {
  if (lwIsArray(value)) return value.map(lwUnpack);
  if (typeof value !== "object" || value === null) return value;
  if ("$undefined" in value) return undefined;
  if ("$number" in value) return Number(value.$number);
  if ("$bigint" in value) return BigInt(value.$bigint);
  return Object.fromEntries(lwKeys(value).map((key) => [key, lwUnpack(value[key])]));
}
const modules = new Map();
async function find({ path, name }) {
  if (!modules.has(path)) modules.set(path, await import(pathToFileURL(lwAsked.root + "/" + path).href).catch(() => undefined));
  const all = modules.get(path);
  const found = all?.[name] ?? all?.default?.[name] ?? (all?.default?.name === name || name === "default" ? all?.default : undefined);
  return typeof found === "function" ? found : undefined;
}
async function ask(inner, args) {
  try {
    const result = inner(...lwUnpack(args));
    return lwCame(result instanceof Promise ? await result : result);
  } catch (error) { return lwThrew(error); }
}
const first = new Map();
for (const [at, call] of lwAsked.calls.entries()) {
  const inner = await find(call);
  if (!inner) continue;
  say({ begun: at });
  const came = await ask(inner, call.args);
  first.set(at, lwStringify(came));
  say({ at, came });
}
const until = lwNow() + lwAsked.againMs;
const told = new Set();
const again = [...first.keys()].filter((at) => lwAsked.calls[at].again);
for (let turn = 0; again.length > 0 && turn < 2000 && lwNow() < until; turn += 1) {
  for (const at of again) {
    if (told.has(at)) continue;
    const now = await ask(await find(lwAsked.calls[at]), lwAsked.calls[at].args);
    if (lwStringify(now) !== first.get(at)) { told.add(at); say({ at, again: now }); }
    if (lwNow() > until) break;
  }
}
say({ ended: true });
process.exit(0);
`;
