// Loops that are workers of another loop: what a spec says of them, and how their runs are called.
import * as z from "zod";

// As in spec.ts, which is read after this.
z.config({ jitless: true });

/** What any worker may have besides, and what only one that is another loop has. */
export const Calling = z.strictObject({
  when: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .meta({
      description:
        "When it is called at all: a condition about inputs.NAME, WORKER.holds and WORKER.VERIFIER.passed. It waits for whom it asks about. Where nobody can tell, a person is asked.",
      examples: ["not code.holds", "inputs.depth == 'long'"],
    }),
  loop: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .meta({
      description:
        "The file of another spec, from this one's folder: the worker is a run of that loop, with records and a receipt of its own. `role`, `use` and `gives` are then filled in.",
      examples: ["fix.loop.yaml"],
    }),
  give: z
    .record(z.string(), z.string().min(1).max(200))
    .optional()
    .meta({
      description:
        "What that loop's inputs are: inputs.NAME of this loop, the name of a worker for its result, or WORKER.FIELD for a field of it; WORKER.why says why that worker does not hold.",
      examples: [{ task: "inputs.task" }],
    }),
  spec: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: "What stands in that file: filled in when the spec is read, and never written by hand." }),
});

/** The maker that stands for another loop. */
export const LOOP_MAKER = "loop";

/** How deep loops may call loops. */
export const MOST_DEPTH = 4;

/** Where a run was called from. */
export interface CalledFrom {
  readonly loop: string;
  readonly run: string;
  readonly roundId: string;
  readonly worker: string;
}

/** A loop that another calls is another than the one its file would be by itself: what it learns and spends is told apart. */
export const calledLoop = (loop: string, worker: string): string => `${loop}.${worker}`;

/** The same for the same round and worker: whoever comes after a crash finds it. */
export const calledRun = (roundId: string, worker: string): string => `${roundId}.${worker}`;

/** Loops' own names have no dot; those of loops that are called have one, and a referee's ends in its own word. */
export const isCalledLoop = (loop: string): boolean => loop.includes(".") && !loop.endsWith(".referee");
