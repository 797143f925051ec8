// A figure as people read it: no more digits than anybody compares, and never a guess for what is not known.

export function tellFigure(figure: number | null): string {
  if (figure === null) return "not known";
  return String(Math.abs(figure) >= 1000 ? Math.round(figure) : Number(figure.toPrecision(4)));
}
