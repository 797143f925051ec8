// Every kind of secret that is known by its form.
import type { SecretKind } from "../kind.ts";
import { carrierKinds } from "./carriers.ts";
import { cloudKinds } from "./clouds.ts";
import { codeHostKinds } from "./code-hosts.ts";
import { modelKinds } from "./models.ts";
import { serviceKinds } from "./services.ts";

/** All kinds; where two find the same text, the earlier one names it. */
export const secretKinds: readonly SecretKind[] = [...modelKinds, ...codeHostKinds, ...cloudKinds, ...serviceKinds, ...carrierKinds];
