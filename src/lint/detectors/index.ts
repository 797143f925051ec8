// Every detector, in the order in which what they see is told where it stands in one place.
import type { Detector } from "../detector.ts";
import { checkDetectors } from "./checks.ts";
import { endDetectors } from "./ends.ts";
import { orderDetectors } from "./order.ts";
import { safetyDetectors } from "./safety.ts";
import { spendingDetectors } from "./spending.ts";

export const detectors: readonly Detector[] = [
  ...checkDetectors,
  ...endDetectors,
  ...spendingDetectors,
  ...orderDetectors,
  ...safetyDetectors,
];
