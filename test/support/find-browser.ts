// Finds a Chromium: the system's, else the one that a dev dependency carries inside its npm package.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface FoundBrowser {
  readonly program: string;
  /** What it needs besides, where the system lacks libraries or fonts. */
  readonly env: { readonly [name: string]: string };
}

const SYSTEM = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** In a process of its own: the package sets variables of whoever imports it, and unpacks into the temporary folder. */
const UNPACK = `import chromium from "@sparticuz/chromium"; console.log(await chromium.executablePath());`;

/** What was unpacked for it goes with `close`. */
export function findBrowser(root: string): FoundBrowser & { close(): void } {
  const program = SYSTEM.find((path) => existsSync(path));
  if (program) return { program, env: {}, close: () => {} };
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-chromium-")));
  const told = execFileSync(process.execPath, ["--input-type=module", "-e", UNPACK], {
    cwd: root,
    // It unpacks its libraries only where it takes itself to be in a place without any.
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
    encoding: "utf8",
  });
  const carried = told.trim();
  return {
    program: carried,
    env: envFor(carried, folder),
    close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** The system's own libraries and fonts are the better ones, where they are there. */
function envFor(program: string, folder: string): FoundBrowser["env"] {
  const fonts: FoundBrowser["env"] = existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_PATH: join(folder, "fonts") };
  const libraries = { LD_LIBRARY_PATH: join(folder, "al2023/lib") };
  if (starts(program, fonts)) return fonts;
  if (starts(program, { ...fonts, ...libraries })) return { ...fonts, ...libraries };
  throw new Error("no Chromium runs here: neither the system's nor the one of @sparticuz/chromium. Install one as /usr/bin/chromium.");
}

function starts(program: string, env: FoundBrowser["env"]): boolean {
  try {
    execFileSync(program, ["--version", "--no-sandbox", "--headless"], {
      env: { ...process.env, ...env },
      stdio: "ignore",
      timeout: 30_000,
    });
    return true;
  } catch {
    return false;
  }
}
