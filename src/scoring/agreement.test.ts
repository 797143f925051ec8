import { describe, expect, it } from "vitest";
import { agreementOf, type Compared, tellAgreement } from "./agreement.ts";

const labelled = (people: boolean, rubric: boolean, times: number): readonly Compared[] =>
  Array.from({ length: times }, () => ({ label: people, marks: {}, said: { holds: rubric, marks: {} } }));
const marked = (pairs: readonly (readonly [number, number])[]): readonly Compared[] =>
  pairs.map(([people, rubric]) => ({ label: undefined, marks: { score: people }, said: { holds: true, marks: { score: rubric } } }));

describe("agreement", () => {
  it("gives accuracy by Wilson and Cohen's kappa as the textbooks do", () => {
    const { labels } = agreementOf([
      ...labelled(true, true, 20),
      ...labelled(true, false, 5),
      ...labelled(false, true, 10),
      ...labelled(false, false, 15),
    ]);

    expect(labels.confusion).toEqual({ yesYes: 20, yesNo: 5, noYes: 10, noNo: 15 });
    expect(labels.accuracy?.value).toBe(0.7);
    expect([labels.accuracy?.low, labels.accuracy?.high]).toEqual([expect.closeTo(0.5625, 3), expect.closeTo(0.809, 3)]);
    expect(labels.kappa?.value).toBeCloseTo(0.4, 10);
  });

  it("does not take five that agree for certainty, nor a rubric that always says yes for a judge", () => {
    const few = agreementOf([...labelled(true, true, 3), ...labelled(false, false, 2)]);
    const yes = agreementOf([...labelled(true, true, 18), ...labelled(false, true, 2)]);

    expect(few.labels.accuracy?.low).toBeLessThan(0.6);
    expect(tellAgreement(few)).toContain("too few examples to say more");
    expect(yes.labels.kappa?.value).toBeCloseTo(0, 10);
    expect(tellAgreement(yes)).toContain("cannot be told from chance");
    expect(tellAgreement(agreementOf(labelled(true, true, 20)))).toContain("cannot be told from chance");
  });

  it("says whether marks order things alike, with ties, and counts who gave no answer", () => {
    const same = agreementOf(marked(Array.from({ length: 12 }, (_, index) => [index / 12, (index / 12) ** 2] as const)));
    const turned = agreementOf(marked(Array.from({ length: 12 }, (_, index) => [index / 12, 1 - index / 12] as const)));
    const flat = agreementOf(marked(Array.from({ length: 12 }, (_, index) => [index / 12, 0.5] as const)));
    const silent = agreementOf([...marked([[0.5, 0.4]]), { label: true, marks: { score: 1 }, said: undefined }]);

    expect(same.marks.score?.rank?.value).toBeCloseTo(1, 10);
    expect(turned.marks.score?.rank?.value).toBeCloseTo(-1, 10);
    expect(tellAgreement(turned)).toContain("cannot be told from chance");
    expect(flat.marks.score?.rank).toBeNull();
    expect([silent.silent, silent.marks.score?.n, silent.marks.score?.apart]).toEqual([1, 1, expect.closeTo(0.1)]);
    expect(tellAgreement(agreementOf([]))).toBe("no example was labelled and answered");
  });
});
