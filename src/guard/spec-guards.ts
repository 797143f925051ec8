// What the guards of a spec see in a text, and what is left of it. Pure.
import type { Finding } from "../contract/evidence.ts";
import type { Guard, Guards } from "../contract/guarding.ts";
import { createRedactor, holdsPlaceholder, redactText } from "./secrets/redact.ts";
import { parseSize } from "./size.ts";
import { findPersonal, withoutPersonal } from "./text/personal.ts";
import { LEAST_SCORE, scanText } from "./text/scan-text.ts";

/** A guard that saw something, and what. */
export interface Hit {
  readonly guard: Guard;
  readonly why: string;
}

export interface Guarded {
  /** What is left of it, once what is to be taken out is. */
  readonly text: string;
  readonly hits: readonly Hit[];
}

/** Those of a place, and of a worker where they are about some. */
export const guardsAt = (guards: Guards | undefined, at: Guard["at"], worker?: string): readonly Guard[] =>
  (guards ?? []).filter((guard) => guard.at === at && (guard.of === undefined || (worker !== undefined && guard.of.includes(worker))));

export function passGuards(guards: readonly Guard[], text: string): Guarded {
  return guards.reduce<Guarded>(
    (sofar, guard) => {
      const seen = look(guard, sofar.text);
      if (!seen) return sofar;
      return { text: guard.then === "redact" ? seen.without : sofar.text, hits: [...sofar.hits, { guard, why: seen.why }] };
    },
    { text, hits: [] },
  );
}

/** For those who only ask whether there are any; what is written down is redacted with the home's own key. */
const KEYLESS = createRedactor("");

interface Seen {
  readonly why: string;
  readonly without: string;
}

function look({ rule, most }: Guard, text: string): Seen | undefined {
  switch (rule) {
    case "injection": {
      const { score, signals } = scanText(text);
      const risk = riskOf(score);
      const names = [...new Set(signals.map(({ id }) => id))].slice(0, 5).join(", ");
      return risk > mostRisk(most) ? { why: `it reads like an injection (${names}), by ${risk.toFixed(2)}`, without: text } : undefined;
    }
    case "secrets": {
      const { found, text: without } = redactText(KEYLESS, text);
      const kinds = [...new Set(found.map(({ kind }) => kind))];
      if (kinds.length === 0 && !holdsPlaceholder(text)) return undefined;
      return { why: `it holds secrets (${kinds.length > 0 ? kinds.slice(0, 5).join(", ") : "taken out already"})`, without };
    }
    case "personal": {
      const kinds = [...new Set(findPersonal(text).map(({ kind }) => kind))];
      return kinds.length === 0 ? undefined : { why: `it holds personal data (${kinds.join(", ")})`, without: withoutPersonal(text) };
    }
    case "size": {
      const bytes = Buffer.byteLength(text);
      const bound = typeof most === "string" ? (parseSize(most) ?? 0) : (most ?? 0);
      return bytes > bound ? { why: `it has ${bytes} bytes, and ${most} are the most`, without: text } : undefined;
    }
    // The shape of a result is looked at where it is taken.
    case "schema":
      return undefined;
  }
}

/** 1 is what is refused of anybody. */
export const riskOf = (score: number): number => Math.min(1, score / LEAST_SCORE.high);

const mostRisk = (most: Guard["most"]): number => (typeof most === "number" ? most : LEAST_SCORE.medium / LEAST_SCORE.high);

/** As findings say it. What ends or refuses a round says so itself. */
export const findingOf = ({ guard: { id, rule, then }, why }: Hit, where: string): Finding => ({
  rule: `guard-${id}`,
  severity: then === "finding" || then === "redact" ? "low" : "medium",
  where,
  why: `${rule}: ${why}${then === "redact" ? "; it was taken out" : ""}`,
  ...(then === "halt" || then === "escalate" || then === "withhold" ? { then } : {}),
});

export const tellHits = (hits: readonly Hit[]): string => hits.map(({ guard: { id }, why }) => `the guard ${id}: ${why}`).join("; ");

/** Whether something may not go on as it is. */
export const isHeld = (hits: readonly Hit[]): boolean => hits.some(({ guard: { then } }) => then !== "finding" && then !== "redact");
