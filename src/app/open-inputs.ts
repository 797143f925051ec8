// What is read besides the home: files that somebody names, and what is piped in.
import type { Inputs } from "../contract/files.ts";
import { readBytes } from "../world/files/read-bytes.ts";
import { readChunks } from "../world/files/read-chunks.ts";
import { readInput, readInputLines } from "../world/files/read-input.ts";
import { readLines } from "../world/files/read-lines.ts";

export const inputs: Inputs = { chunks: readChunks, bytes: readBytes, text: readInput, lines: readInputLines, typed: readLines };
