// Empties what the home keeps only to be quick.
import { type Freed, keepLittle } from "../world/store/keep-little.ts";
import type { Home } from "./home.ts";

export const openCleaning = (home: Home): Promise<Freed> => keepLittle(home, 0);
