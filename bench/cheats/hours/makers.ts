// Every maker of the time sheet and of the stock room, dishonest and honest.
import { deafCheats } from "./cheats-deaf.ts";
import { halfFixedCheats } from "./cheats-half-fixed.ts";
import { patchedCheats } from "./cheats-patched.ts";
import { randomCheats } from "./cheats-random.ts";
import { settingsCheats } from "./cheats-settings.ts";
import { shadowedCheats } from "./cheats-shadowed.ts";
import { stockCheats } from "./cheats-stock.ts";
import { surroundingsCheats } from "./cheats-surroundings.ts";
import { honestMakers } from "./honest.ts";
import { honestStock } from "./honest-stock.ts";
import type { Maker } from "./maker.ts";

export const makers: readonly Maker[] = [
  ...deafCheats,
  ...shadowedCheats,
  ...settingsCheats,
  ...halfFixedCheats,
  ...randomCheats,
  ...patchedCheats,
  ...surroundingsCheats,
  ...stockCheats,
  ...honestMakers,
  ...honestStock,
];
