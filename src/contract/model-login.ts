// Whose account a model is asked with: the key that it is asked with, at the address that it is asked at.
import type { Login } from "./maker.ts";
import { KEY_VARIABLES, type ModelRef } from "./models.ts";

export function modelLogin({ provider, keyVariable, baseUrl }: Pick<ModelRef, "provider" | "keyVariable" | "baseUrl">): Login {
  const variable = keyVariable ?? KEY_VARIABLES[provider];
  const at = baseUrl === undefined ? {} : { address: baseUrl };
  return { of: provider, variables: variable === undefined ? [] : [variable], says: [], ...at };
}
