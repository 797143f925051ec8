// Finds the policies that hold for a folder: the project's and the user's own. A broken one clears nothing.

import { join } from "node:path";
import type { Texts } from "../../contract/files.ts";
import type { PolicyReading } from "../../guard/command/policy.ts";

/** The user's policy and the project's together; one broken file breaks the whole, because it might have said no. */
export async function loadPolicy(
  texts: Pick<Texts, "readOptional">,
  places: { readonly project: string | undefined; readonly user: string | undefined },
): Promise<PolicyReading> {
  const files = [
    ...(places.user === undefined ? [] : [{ path: join(places.user, "policy.yaml"), owner: "user" as const }]),
    ...(places.project === undefined ? [] : [{ path: join(places.project, ".loopwright", "policy.yaml"), owner: "project" as const }]),
  ];
  const readings = await Promise.all(
    files.map(async ({ path, owner }): Promise<PolicyReading> => {
      const text = await texts.readOptional(path);
      if (text === undefined) return { kind: "read", policy: [] };
      // The reader of YAML is loaded only where there is something to read: a hook must answer quickly.
      const { readPolicy } = await import("../../spec/read-policy.ts");
      return readPolicy(path, text, owner);
    }),
  );
  const problems = readings.flatMap((reading) => (reading.kind === "broken" ? reading.problems : []));
  if (problems.length > 0) return { kind: "broken", problems };
  return { kind: "read", policy: readings.flatMap((reading) => (reading.kind === "read" ? reading.policy : [])) };
}
