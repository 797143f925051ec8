// Lets Node run the sources as they are.
import { register } from "node:module";

register("./load-sources.mjs", import.meta.url);
