// The built command line as a function, for who calls it thousands of times: starting it would take longer than what it does.
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";

export interface Called {
  readonly exit: number;
  readonly said: string;
}

interface From {
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
}

type RunCli = (args: readonly string[], io: object, around: object) => Promise<number>;

export async function openCall(program: string): Promise<(args: readonly string[], from: From) => Promise<Called>> {
  const { runCli }: { readonly runCli: RunCli } = await import(pathToFileURL(join(dirname(program), "cli.js")).href);
  return async (args, { env, cwd }) => {
    const parts: string[] = [];
    const take = (text: string | Uint8Array): void => void parts.push(typeof text === "string" ? text : Buffer.from(text).toString("utf8"));
    const input = { isTyped: () => false, chunks: () => Readable.from([]) };
    const plain = { outIsTerminal: false, outColor: false, errColor: false, isLive: false, columns: 80 };
    const around = { env, platform: process.platform, program: [process.execPath, program], version: "0.0.0", onSignal: () => () => {} };
    const exit = await runCli(args, { out: take, err: take, input, cwd, ...plain }, around);
    return { exit, said: parts.join("") };
  };
}
