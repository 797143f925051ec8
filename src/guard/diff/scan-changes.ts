// The diff scanner: sees how a change could fake its own success. It reads objects and paths, never diff text.
import type { Change, Finding } from "../../contract/evidence.ts";
import { scan } from "../rule.ts";
import { diffRules } from "./rules.ts";

export interface ChangeSet {
  readonly changes: readonly Change[];
  /** Globs of files the maker may not decide about. */
  readonly seal: readonly string[];
}

export const scanChanges = (set: ChangeSet): readonly Finding[] => scan(diffRules, set);
