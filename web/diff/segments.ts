// One line of code in pieces that are each coloured and emphasised alike.
import type { Token } from "./colour.ts";
import type { Range } from "./emphasis.ts";

export interface Segment {
  readonly text: string;
  readonly as: Token["as"] | undefined;
  readonly isEmphasised: boolean;
}

/** Comments never carry emphasis: the two together would be too faint to read. */
export function segmentsOf(text: string, tokens: readonly Token[], emphasis: readonly Range[]): readonly Segment[] {
  const bounds = [0, text.length, ...tokens.flatMap(({ from, to }) => [from, to]), ...emphasis.flatMap(({ from, to }) => [from, to])];
  const sorted = [...new Set(bounds)].filter((at) => at >= 0 && at <= text.length).toSorted((one, other) => one - other);
  return sorted.slice(0, -1).flatMap((from, index) => {
    const to = sorted[index + 1] ?? text.length;
    const as = tokens.find((token) => token.from <= from && to <= token.to)?.as;
    const isEmphasised = as !== "c" && emphasis.some((range) => range.from <= from && to <= range.to);
    return to > from ? [{ text: text.slice(from, to), as, isEmphasised }] : [];
  });
}
