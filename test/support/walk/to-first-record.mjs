// Runs the sources up to the first record, and says on stdout which files had functions that ran until then.
import "./ran.mjs";
import "./sources.mjs";
import { register } from "node:module";

register("./watch-journals.mjs", import.meta.url);
