// What is asked for and is not there: told apart from what was asked wrongly.
import { LoopError } from "../../contract/errors.ts";

export class NothingThere extends LoopError {}

export const nothingThere = (message: string, hint: string): NothingThere =>
  new NothingThere("bad-input", message, { retry: "never", hint });
