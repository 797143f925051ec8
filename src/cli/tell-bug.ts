// Tells of what failed where nobody thought of it, to whoever reads standard error.

export const bugTeller =
  (io: { readonly err: (text: string) => void }) =>
  (error: unknown): void =>
    io.err(`lw: a bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
