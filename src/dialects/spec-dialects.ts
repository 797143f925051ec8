// Every format for loops that is read besides our own.
import { lss } from "./lss/lss.ts";
import type { SpecDialect } from "./spec-dialect.ts";

export const specDialects: readonly SpecDialect[] = [lss];
