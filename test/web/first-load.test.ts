import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, inject, it } from "vitest";

const KB = 1024;

it("loads at most 80 KB before the first page is there, of the 150 that are allowed, and the whole page takes less than a megabyte", () => {
  const folder = join(inject("build").folder, "dist/web");
  const html = readFileSync(join(folder, "index.html"), "utf8");
  const named = [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, path]) => path!);
  const first = ["index.html", ...named].map((path) => gzipSync(readFileSync(join(folder, path))).length);
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => statSync(join(folder, path)));

  expect(named.length).toBeGreaterThanOrEqual(2);
  expect(first.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(80 * KB);
  expect(all.reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0)).toBeLessThan(KB * KB);
});

it("names no other place, and has nothing inline that a policy would have to allow", () => {
  const folder = join(inject("build").folder, "dist/web");
  const html = readFileSync(join(folder, "index.html"), "utf8");

  expect(html.match(/<script(?![^>]*\bsrc=)/g)).toBeNull();
  expect(html.match(/\sstyle=|<style|\son\w+=/g)).toBeNull();
  expect(html.match(/(?:src|href)="(?:https?:)?\/\//g)).toBeNull();
});
