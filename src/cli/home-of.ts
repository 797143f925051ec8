import { findHome, type Home } from "../app/home.ts";
import { environmentOf } from "../contract/around.ts";
import type { Call } from "./call.ts";

/** The home that a call is about. */
export const homeOf = ({ options, io, env, platform }: Pick<Call, "options" | "io" | "env" | "platform">): Home =>
  findHome(typeof options.home === "string" ? options.home : undefined, environmentOf(env), platform, io.cwd);
