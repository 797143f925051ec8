// Whether figures that a benchmark wrote became worse against those of base.
import { isNestedDeeper } from "../../std/json-depth.ts";
import { fieldsOf, readRecord, textIn } from "../../std/json-record.ts";
import type { Taken } from "./measure-texts.ts";

/** Name → figure. */
export type Figures = ReadonlyMap<string, number>;

const MOST_FIGURES = 10_000;

/** `{"name": 1.5}`, or `{"benchmarks": [{"name": …, "value": …}]}`; undefined when it is neither, or tells nothing. */
export function readFigures(text: string): Figures | undefined {
  const read = isNestedDeeper(text, 20) ? undefined : readRecord(text);
  if (read?.kind !== "record") return undefined;
  const listed = read.fields.get("benchmarks");
  const pairs = Array.isArray(listed)
    ? listed.map((one) => [textIn(fieldsOf(one), "name"), fieldsOf(one)?.get("value")] as const)
    : [...read.fields];
  const figures = pairs.filter(
    (pair): pair is readonly [string, number] => typeof pair[0] === "string" && Number.isFinite(pair[1]) && Number(pair[1]) > 0,
  );
  return figures.length === pairs.length && figures.length > 0 && figures.length <= MOST_FIGURES ? new Map(figures) : undefined;
}

/** How much worse the worst of them became, as a share of what it was; less than zero where all became better. */
export function compareFigures(
  before: Figures,
  now: Figures,
  { better, most }: { readonly better: "lower" | "higher"; readonly most: number },
): Taken {
  const gone = [...before.keys()].filter((name) => !now.has(name));
  const changes = [...before].flatMap(([name, was]) => {
    const is = now.get(name);
    return is === undefined ? [] : [{ name, by: better === "lower" ? is / was - 1 : was / is - 1 }];
  });
  const worst = changes.reduce((most, { by }) => Math.max(most, by), -1);
  const worse = changes.filter(({ by }) => by > most);
  return {
    values: { benchmark: worst, benchmarks: changes.length },
    wrong: [
      ...gone.map((name) => ({ code: "benchmark-gone", says: `${JSON.stringify(name)} is no longer measured` })),
      ...worse.map(({ name, by }) => ({
        code: "slower",
        says: `${JSON.stringify(name)} became ${Math.round(by * 1000) / 10} % worse, at most ${most * 100} % may be`,
      })),
    ],
  };
}
