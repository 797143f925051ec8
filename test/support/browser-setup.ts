// Finds a Chromium once for all tests of the page.
import { resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { type FoundBrowser, findBrowser } from "./find-browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    browser: FoundBrowser;
  }
}

export default function setUp(project: TestProject): () => void {
  const { program, env, close } = findBrowser(resolve(import.meta.dirname, "../.."));
  project.provide("browser", { program, env });
  return close;
}
