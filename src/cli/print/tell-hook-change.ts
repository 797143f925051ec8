// What became of another agent's settings, for whoever asked for a change of them.
import type { HookChange } from "../../app/hooks/change-settings-file.ts";
import type { Io } from "../call.ts";

export function tellHookChange(io: Io, change: HookChange, isShown: boolean): void {
  switch (change.kind) {
    case "changed":
      io.out(`${change.diff.join("\n")}\n`);
      io.err(isShown ? `lw: nothing was written; leave out --dry-run to change ${change.path}\n` : `lw: changed ${change.path}\n`);
      return;
    case "unchanged":
      io.err(`lw: ${change.path} is already so\n`);
      return;
    case "refused":
      io.err(`lw: ${change.why}\n`);
  }
}
