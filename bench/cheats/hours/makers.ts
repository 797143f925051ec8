// Every maker of the time sheet, dishonest and honest.
import { deafCheats } from "./cheats-deaf.ts";
import { halfFixedCheats } from "./cheats-half-fixed.ts";
import { patchedCheats } from "./cheats-patched.ts";
import { randomCheats } from "./cheats-random.ts";
import { settingsCheats } from "./cheats-settings.ts";
import { shadowedCheats } from "./cheats-shadowed.ts";
import { surroundingsCheats } from "./cheats-surroundings.ts";
import { honestMakers } from "./honest.ts";
import type { Maker } from "./maker.ts";

export const makers: readonly Maker[] = [
  ...deafCheats,
  ...shadowedCheats,
  ...settingsCheats,
  ...halfFixedCheats,
  ...randomCheats,
  ...patchedCheats,
  ...surroundingsCheats,
  ...honestMakers,
];
