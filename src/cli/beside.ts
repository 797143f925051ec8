// What a command does where another run writes to the same repository: it waits and says for whom, or it says so and ends.
import type { BesideWish } from "../app/runs/room.ts";
import type { Call } from "./call.ts";

export const besideOf = ({ options, io }: Pick<Call, "options" | "io">): BesideWish => ({
  when: options.wait === false ? "refuse" : "wait",
  tell: (says) => io.err(`lw: ${says} (--no-wait does not)\n`),
});
