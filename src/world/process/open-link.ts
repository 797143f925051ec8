// Opens an address in the user's browser, where there is one.
import { spawn } from "node:child_process";

const OPENERS: { readonly [platform: string]: readonly [string, ...string[]] } = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Whether something could be started that opens it; whether it did is not known. */
export function openLink(url: string, platform: string): Promise<boolean> {
  const [program, ...args] = OPENERS[platform] ?? ["xdg-open"];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { detached: true, stdio: "ignore" });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
