// Charts by uPlot, which comes with the first page that draws one. Every chart has a name and its figures as a table.
import { useEffect, useRef, useState } from "preact/hooks";
import { theme } from "./theme.ts";

export interface Point {
  readonly label: string;
  /** In seconds. */
  readonly at: number;
  readonly value: number;
}

interface BarsProps {
  readonly name: string;
  readonly points: readonly Point[];
  readonly unit: "dollars" | "minutes";
  /** A line that is not to be crossed. */
  readonly cap?: number | undefined;
}

const HEIGHT = 150;
const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim() || "currentColor";
/** What `light-dark()` comes to is known only to the browser: a probe is asked. */
function resolved(name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color || colour(name);
}

/** The chart asks for the browser's language when it is loaded, and fails where that is none: `C` and `POSIX` are. */
function speakPlainly(): void {
  try {
    new Intl.NumberFormat(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: "en", configurable: true });
  }
}

/** As many digits as tell the values apart. */
function say(value: number, unit: BarsProps["unit"]): string {
  if (unit === "minutes") return value < 2 ? `${(value * 60).toFixed(value < 0.2 ? 1 : 0)} s` : `${value.toFixed(1)} min`;
  return value > 0 && value < 0.1 ? `$${value.toFixed(3)}` : `$${value.toFixed(2)}`;
}

/** Bars over time, one for each point in order. */
export function Bars({ name, points, unit, cap }: BarsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [isDark, setDark] = useState(matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const media = matchMedia("(prefers-color-scheme: dark)");
    const look = (): void => setDark(media.matches);
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, []);
  const [hasFailed, setFailed] = useState(false);
  const themeNow = theme.value;
  useEffect(() => {
    const element = frame.current;
    if (!element || points.length === 0) return;
    let isGone = false;
    let stop: (() => void) | undefined;
    speakPlainly();
    const drawn = import("./draw-bars.ts").then(({ drawBars }) => {
      if (isGone) return;
      stop = drawBars(element, {
        points,
        height: HEIGHT,
        cap,
        say: (value) => say(value, unit),
        colours: { ink: resolved("--ink-2"), faint: resolved("--ink-3"), line: resolved("--line"), cap: resolved("--ink") },
      });
    });
    // A drawing that fails leaves its figures, and says so.
    drawn.catch(() => setFailed(true));
    return () => {
      isGone = true;
      stop?.();
    };
  }, [points, cap, unit, themeNow, isDark]);
  if (points.length === 0) return <p class="dim">There is nothing to draw yet.</p>;
  return (
    <>
      {hasFailed ? <p class="dim">It could not be drawn. Its figures:</p> : null}
      <div ref={frame} class={hasFailed ? "" : "plot"} role="img" aria-label={name} />
      <div class={hasFailed ? "" : "vh"}>
        <table>
          <caption>{name}</caption>
          <tbody>
            {points.map(({ label, value }, index) => (
              <tr key={index}>
                <th scope="row">{label}</th>
                <td>{say(value, unit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
