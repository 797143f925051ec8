// Draws bars with uPlot into an element, and keeps its width.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Point } from "./chart.tsx";

interface Drawing {
  readonly points: readonly Point[];
  readonly height: number;
  readonly cap: number | undefined;
  readonly say: (value: number) => string;
  readonly colours: { readonly ink: string; readonly faint: string; readonly line: string; readonly cap: string };
}

const FONT = "11px system-ui, sans-serif";

/** Gives back how to take it away again. */
export function drawBars(element: HTMLElement, { points, height, cap, say, colours }: Drawing): () => void {
  const highest = Math.max(cap ?? 0, ...points.map(({ value }) => value), 0.01);
  const bars = uPlot.paths.bars?.({ size: [0.7, 24], radius: 0.15 });
  const xs = points.map((_, index) => index);
  const every = Math.max(1, Math.ceil(points.length / 4));
  const options: uPlot.Options = {
    width: element.clientWidth || 300,
    height,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: [-0.7, points.length - 0.3] }, y: { range: [0, highest * 1.12] } },
    axes: [
      {
        stroke: colours.faint,
        font: FONT,
        grid: { show: false },
        ticks: { show: false },
        size: 24,
        splits: () => xs.filter((index) => index % every === 0),
        values: (_, splits) => splits.map((index) => points[index]?.label ?? ""),
      },
      {
        stroke: colours.faint,
        font: FONT,
        grid: { stroke: colours.line, width: 1 },
        ticks: { show: false },
        size: 52,
        space: 36,
        values: (_, splits) => splits.map(say),
      },
    ],
    series: [{}, { fill: colours.ink, stroke: colours.ink, width: 0, points: { show: false }, ...(bars ? { paths: bars } : {}) }],
    hooks: {
      draw: [
        (plot) => {
          if (cap === undefined || !Number.isFinite(cap)) return;
          const y = plot.valToPos(cap, "y", true);
          const { ctx, bbox } = plot;
          ctx.save();
          ctx.strokeStyle = colours.cap;
          ctx.setLineDash([4, 4]);
          ctx.beginPath();
          ctx.moveTo(bbox.left, y);
          ctx.lineTo(bbox.left + bbox.width, y);
          ctx.stroke();
          ctx.restore();
        },
      ],
    },
  };
  const plot = new uPlot(options, [xs, points.map(({ value }) => value)], element);
  const observer = new ResizeObserver(() => {
    if (element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height });
  });
  observer.observe(element);
  return () => {
    observer.disconnect();
    plot.destroy();
  };
}
