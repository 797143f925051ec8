// Webhooks whose secret is not there: nothing that comes to them can be believed, which is better said before it comes.
import type { Environment } from "../contract/clock.ts";
import type { WebhookHearing } from "../contract/trigger.ts";
import type { Troubles } from "./troubles.ts";

interface Listening {
  readonly loop: string;
  readonly hearing: Pick<WebhookHearing, "address" | "secret">;
}

export interface SecretsWorld {
  readonly env: Environment;
  readonly tell: (loop: string, says: string) => void;
  readonly mark: Troubles["mark"];
}

/** Each is told once, and is kept as wrong for as long as it is. */
export function watchSecrets({ env, tell, mark }: SecretsWorld): (listening: readonly Listening[]) => void {
  const told = new Set<string>();
  return (listening) => {
    const unset = new Map<string, { readonly loop: string; readonly says: string }>();
    for (const { loop, hearing } of listening) {
      if ((env.get(hearing.secret) ?? "") !== "") continue;
      const says = `the variable ${hearing.secret}, which holds the secret of its webhook, is not set: every delivery will be refused`;
      unset.set(`the secret of ${loop} at ${hearing.address}`, { loop, says });
    }
    for (const where of told) {
      if (unset.has(where)) continue;
      told.delete(where);
      mark(where, undefined);
    }
    for (const [where, trouble] of unset) {
      mark(where, trouble);
      if (told.has(where)) continue;
      told.add(where);
      tell(trouble.loop, trouble.says);
    }
  };
}
