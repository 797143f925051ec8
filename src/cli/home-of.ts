import { findHome, type Home } from "../app/home.ts";
import type { Call } from "./call.ts";

/** The home that a call is about. */
export const homeOf = ({ options, io }: Pick<Call, "options" | "io">): Home =>
  findHome(typeof options.home === "string" ? options.home : undefined, { get: (name) => process.env[name] }, process.platform, io.cwd);
