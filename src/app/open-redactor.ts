// What takes the secrets out, for whoever only reads or talks: nothing is made in the home for it.
import type { Variables } from "../contract/around.ts";
import { secretValuesOf } from "../guard/secrets/environment.ts";
import { createRedactor, type Redactor } from "../guard/secrets/redact.ts";
import { borrowRedactionKey } from "../world/store/redaction-key.ts";
import type { Home } from "./home.ts";

export const borrowRedactor = (home: Home, env: Variables): Redactor =>
  createRedactor(borrowRedactionKey(home.folder), secretValuesOf(env));
