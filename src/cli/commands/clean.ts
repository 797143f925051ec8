// lw clean: throws away what lies in the home only to be quick.
import { openCleaning } from "../../app/open-cleaning.ts";
import { type Command, printJson, wantsJson } from "../call.ts";

export const clean: Command = async (call) => {
  const freed = await openCleaning(call.home);
  if (wantsJson(call)) {
    printJson(call, { freed });
    return "done";
  }
  const { entries, bytes, left, held } = freed;
  call.io.out(`${entries === 0 ? "nothing to throw away" : `${entries} thrown away, about ${tellMb(bytes)}`}; ${tellMb(left)} left\n`);
  if (held > 0) call.io.out("What is left may lie under rooms of a round that is open: finish it with `lw resume`, then clean again.\n");
  return "done";
};

const tellMb = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
