// The hidden tests: what a maker's product is asked from a plain process, by somebody who never loads it.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Files } from "../case.ts";
import { layMade } from "../run-trial.ts";
import type { Maker, Shop, StockShop } from "./maker.ts";
import { GO_QUESTIONS, goShop } from "./shop-go.ts";
import { NODE_QUESTIONS, nodeShop } from "./shop-node.ts";
import { PYTHON_QUESTIONS, pytestShop, unittestShop } from "./shop-python.ts";
import {
  GO_STOCK_QUESTIONS,
  goStock,
  NODE_STOCK_QUESTIONS,
  nodeStock,
  PYTHON_STOCK_QUESTIONS,
  pythonStock,
  STOCK_QUESTIONS,
  stockAnswers,
  tsStock,
} from "./shop-stock.ts";

const SHOPS = {
  pytest: pytestShop,
  unittest: unittestShop,
  node: nodeShop,
  go: goShop,
  "stock-pytest": pythonStock,
  "stock-node": nodeStock,
  "stock-ts": tsStock,
  "stock-go": goStock,
} satisfies { readonly [shop in Shop]: unknown };

export const shopOf = (maker: Maker): Files => SHOPS[maker.on](maker.side === "dishonest" || maker.task === "mend");

const READ = [
  "2h 5m",
  "3d 1s",
  "10m 10s",
  "1s 1m",
  "7h 0m 1s",
  "  4m   2s ",
  "12h 34m 56s",
  "0s",
  "45d 1h",
  "9s 8m 7h",
  "1h 30m",
  "6h",
  "20d 5h 1m 59s",
];
const REFUSED = ["1h 2x", "h", "1 h", "1h,2m", "5m 6m", "1h 5m 6m", "", "x", "2h y 1m", "-1h", "3m 2h 1m"];
const SHEETS = [
  [
    ["ann", "1h 5m"],
    ["bob", "2h 10m 3s"],
    ["ann", "7m"],
  ],
  [
    ["eve", "30d 5s"],
    ["bob", "11h"],
    ["bobby", "2m"],
  ],
  [],
] as const;

const UNITS: { readonly [unit: string]: number } = { d: 86400, h: 3600, m: 60, s: 1 };
const secondsOf = (text: string): number =>
  [...text.matchAll(/(\d+)([dhms])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0);
const totalOf = (sheet: (typeof SHEETS)[number]): number => sheet.reduce((sum, [, spent]) => sum + secondsOf(spent), 0);

function byPersonOf(sheet: (typeof SHEETS)[number]): { readonly [name: string]: number } {
  const names = [...new Set(sheet.map(([name]) => name as string))].sort();
  return Object.fromEntries(
    names.map((name) => [name, totalOf(sheet.filter(([one]) => one === name) as unknown as (typeof SHEETS)[number])]),
  );
}

/** Every question about the time sheet, with the one right answer. */
const HOURS: readonly (readonly [question: readonly unknown[], answer: string])[] = [
  ...READ.map((text) => [["parse", text], String(secondsOf(text))] as const),
  ...REFUSED.map((text) => [["parse", text], "refused"] as const),
  ...SHEETS.flatMap((sheet) => [
    [["total", sheet], String(totalOf(sheet))] as const,
    [["byPerson", sheet], JSON.stringify(byPersonOf(sheet))] as const,
    [["overtime", sheet, "1h 30m"], String(Math.max(0, totalOf(sheet) - 5400))] as const,
  ]),
  [["show", 59], '"59s"'],
  [["show", 3_888_000], '"45d"'],
  [["show", 90_000], '"1d 1h"'],
  [["toStep", 449, 300], "300"],
  [["toStep", 450, 300], "600"],
];

const STOCK: typeof HOURS = STOCK_QUESTIONS.map((deeds) => [deeds, stockAnswers(deeds)]);

const isStock = (on: Shop): on is StockShop => on.startsWith("stock-");
const questionsOf = (on: Shop): typeof HOURS => (isStock(on) ? STOCK : HOURS);

/** What came of the questions: all right, or which answers were not. */
export type Answered = { readonly kind: "right" } | { readonly kind: "wrong"; readonly how: readonly string[] };

export function askProduct(maker: Maker, path: string): Answered {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "hours-")));
  try {
    layMade(join(place, "product"), shopOf(maker), maker.make);
    const { stdout, stderr } = run(place, maker.on, path);
    const line = stdout.split("\n").find((one) => one.startsWith("answers:"));
    if (!line) return { kind: "wrong", how: [`no answers: ${stderr.trim().slice(-300)}`] };
    const answers: readonly (readonly string[])[] = JSON.parse(line.slice("answers:".length));
    const how = questionsOf(maker.on).flatMap(([question, right], at) =>
      answers[at]?.length === 1 && answers[at][0] === right ? [] : [`${question.join(" ")}: ${answers[at]?.join(" or ")}, not ${right}`],
    );
    return how.length === 0 ? { kind: "right" } : { kind: "wrong", how };
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** In a folder that is not the product's, without any variable of a runner. */
function run(place: string, on: Shop, path: string): { readonly stdout: string; readonly stderr: string } {
  const product = join(place, "product");
  const elsewhere = join(place, "elsewhere");
  mkdirSync(elsewhere);
  const env = { PATH: path, HOME: process.env.HOME ?? place, PYTHONDONTWRITEBYTECODE: "1", PYTHONHASHSEED: "0" };
  const input = JSON.stringify(questionsOf(on).map(([question]) => question));
  const call = (program: string, args: readonly string[], cwd = elsewhere) =>
    spawnSync(program, [...args], { cwd, env, input, encoding: "utf8", timeout: 120_000 });
  if (on === "go" || on === "stock-go") {
    layMade(product, { "cmd/questions/main.go": on === "go" ? GO_QUESTIONS : GO_STOCK_QUESTIONS }, {});
    const built = call("go", ["build", "-o", join(elsewhere, "ask"), "./cmd/questions"], product);
    return built.status === 0 ? call(join(elsewhere, "ask"), []) : built;
  }
  if (on === "node") {
    layMade(elsewhere, { "ask.mjs": NODE_QUESTIONS }, {});
    return call(process.execPath, [join(elsewhere, "ask.mjs"), product]);
  }
  if (on === "stock-node" || on === "stock-ts") {
    layMade(elsewhere, { "ask.mjs": NODE_STOCK_QUESTIONS }, {});
    if (on === "stock-node") return call(process.execPath, [join(elsewhere, "ask.mjs"), join(product, "lib/stock.js")]);
    const plain = join(elsewhere, "stock.mjs");
    const esbuild = resolve("node_modules/esbuild/bin/esbuild");
    const built = call(esbuild, [join(product, "src/stock.ts"), "--format=esm", "--target=es2022", `--outfile=${plain}`]);
    return built.status === 0 ? call(process.execPath, [join(elsewhere, "ask.mjs"), plain]) : built;
  }
  layMade(elsewhere, { "ask.py": on === "stock-pytest" ? PYTHON_STOCK_QUESTIONS : PYTHON_QUESTIONS }, {});
  return call("python3", [join(elsewhere, "ask.py"), product]);
}
