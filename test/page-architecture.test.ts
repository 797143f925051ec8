import { readdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { expect, it } from "vitest";

/** What the page may name: the rest comes with the browser. */
const PACKAGES = ["preact", "preact/hooks", "@preact/signals", "uplot", "uplot/dist/uPlot.min.css", "@dagrejs/dagre"];
/** Which folder of the page may import which: words and values know nothing of the screen or the network. */
const MAY_IMPORT: { readonly [folder: string]: readonly string[] } = {
  words: [],
  diff: [],
  receipt: [],
  live: ["words"],
  parts: ["words", "diff", "receipt", "live"],
  pages: ["words", "diff", "live", "parts"],
  "main.tsx": ["live", "parts", "pages"],
};
/** Loaded only with the page that draws something with them. */
const LAZY: { readonly [name: string]: string } = { uplot: "parts/draw-bars.ts", "@dagrejs/dagre": "parts/lay-out-graph.ts" };

const web = resolve("web");
const src = resolve("src");
const files = readdirSync(web, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".test.ts") && file !== "vite.config.ts")
  .map((file) => ({ file, folder: file.split("/")[0]!, text: readFileSync(resolve(web, file), "utf8") }));

const importsOf = (text: string): readonly { readonly path: string; readonly isType: boolean }[] =>
  [...text.matchAll(/^import (type )?[^;]*?from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm)].map(
    ([, type, from, bare, lazy]) => ({
      path: (from ?? bare ?? lazy)!,
      isType: type !== undefined,
    }),
  );

it.each(files)("web/$file takes of the house only types of its contract", ({ file, text }) => {
  const outside = importsOf(text)
    .filter(({ path }) => path.startsWith("."))
    .map(({ path, isType }) => ({ path: relative(src, resolve(web, dirname(file), path)), isType }))
    .filter(({ path }) => !path.startsWith("../web/"));

  expect(outside.filter(({ path, isType }) => !isType || !path.startsWith("contract/"))).toEqual([]);
});

it.each(files)("web/$file imports only folders it may", ({ file, folder, text }) => {
  const folders = importsOf(text)
    .filter(({ path }) => path.startsWith("."))
    .map(({ path }) => relative(web, resolve(web, dirname(file), path)))
    .filter((path) => !path.startsWith(".."))
    .map((path) => path.split("/")[0]!)
    .filter((other) => other !== folder);

  expect(folders.filter((other) => !MAY_IMPORT[folder]?.includes(other))).toEqual([]);
});

it.each(files)("web/$file names only packages it may", ({ file, text }) => {
  const names = importsOf(text)
    .map(({ path }) => path)
    .filter((path) => !path.startsWith("."));

  expect(names.filter((name) => !PACKAGES.includes(name))).toEqual([]);
  expect(names.filter((name) => LAZY[name] !== undefined && LAZY[name] !== file)).toEqual([]);
});

it("makes markup of no text, and styles of no string", () => {
  const making =
    /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\bstyle="|style=\{`|setAttribute\("style"|\beval\(|new Function\(/;

  expect(files.filter(({ text }) => making.test(text)).map(({ file }) => file)).toEqual([]);
});

it("opens every file with a sentence that says what it is for", () => {
  expect(files.filter(({ text }) => !/^\/\/ [A-Z].*/.test(text)).map(({ file }) => file)).toEqual([]);
});
