// A real Chromium for tests of the page, and what goes wrong in a page while it is open.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { inject } from "vitest";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
export interface TestBrowser {
  /** A window of its own: no cookie is shared with another. */
  open(wishes?: { readonly width?: number; readonly height?: number; readonly theme?: "light" | "dark" }): Promise<BrowserContext>;
  close(): Promise<void>;
}

export async function startBrowser(): Promise<TestBrowser> {
  const profile = mkdtempSync(join(tmpdir(), "lw-browser-"));
  const { program, env } = inject("browser");
  const browser: Browser = await chromium.launch({
    executablePath: program,
    args: FLAGS,
    env: { ...plainVariables(), ...env, HOME: profile },
  });
  return {
    open: ({ width = 1280, height = 800, theme = "light" } = {}) =>
      browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
        reducedMotion: "reduce",
        locale: "en-GB",
        timezoneId: "Europe/Berlin",
      }),
    async close() {
      await browser.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

const plainVariables = (): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** What went wrong in a page while it was open: errors of scripts, what the policy refused, and everything it wished for elsewhere. */
export interface Wrongs {
  readonly errors: readonly string[];
  readonly refused: readonly string[];
  readonly foreign: readonly string[];
}

/** Listens from before the first byte. */
export function watchPage(page: Page): Wrongs {
  const [errors, refused, foreign]: [string[], string[], string[]] = [[], [], []];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) refused.push(message.text());
  });
  page.on("dialog", (dialog) => {
    errors.push(`a dialog said ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (hostname !== "127.0.0.1" && hostname !== "localhost" && protocol !== "blob:" && protocol !== "data:") foreign.push(request.url());
  });
  return { errors, refused, foreign };
}
