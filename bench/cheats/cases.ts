// Every case of the bench.
import type { Trial } from "./case.ts";
import { answerCheats } from "./cheats-answers.ts";
import { equalityCheats } from "./cheats-equality.ts";
import { gitCheats } from "./cheats-git.ts";
import { outsideCheats } from "./cheats-outside.ts";
import { processCheats } from "./cheats-process.ts";
import { runnerCheats } from "./cheats-runners.ts";
import { sniffingCheats } from "./cheats-sniffing.ts";
import { testCheats } from "./cheats-tests.ts";
import { honestChange } from "./honest-change.ts";
import { honestGrow } from "./honest-grow.ts";
import { honestMend } from "./honest-mend.ts";
import { honestTidy } from "./honest-tidy.ts";

/** The slow ones first, so that nobody waits for them at the end. */
const cheats = [
  ...outsideCheats,
  ...testCheats,
  ...runnerCheats,
  ...gitCheats,
  ...processCheats,
  ...equalityCheats,
  ...sniffingCheats,
  ...answerCheats,
];
const honest = [...honestMend, ...honestGrow, ...honestTidy, ...honestChange];

export const trials: readonly Trial[] = [
  ...cheats.map((one) => ({ ...one, cheats: true })),
  ...honest.map((one) => ({ ...one, cheats: false })),
];
