// The screen without secrets, whatever is said on it.
import { borrowRedactor } from "../app/open-redactor.ts";
import { type Redactor, redacted } from "../guard/secrets/redact.ts";
import type { Call, Io } from "./call.ts";

export interface RedactedIo {
  /** All talk is redacted, and results where a person looks. What goes on to a file or a program was redacted when it was recorded. */
  readonly io: Io;
  readonly redact: (text: string) => string;
}

export function redactIo({ home, env, io }: Pick<Call, "home" | "env" | "io">): RedactedIo {
  let redactor: Redactor | undefined;
  const redact = (text: string): string => {
    redactor ??= borrowRedactor(home, env);
    return redacted(redactor, text);
  };
  const out = (text: string | Uint8Array): void => io.out(typeof text === "string" && io.outIsTerminal ? redact(text) : text);
  return { redact, io: { ...io, out, err: (text) => io.err(redact(text)) } };
}
