// What a run measured, round by round: a table, with a mark at the round that was the best.
import type { MetricsView } from "../../src/contract/measuring.ts";
import { Panel } from "./bits.tsx";
import { Shown } from "./shown.tsx";

const MOST_ROUNDS = 50;

/** No more digits than anybody compares. */
const figure = (value: number | null): string => (value === null ? "not known" : String(Number(value.toPrecision(4))));

export function Measured({ measured: { metrics, rounds, best } }: { readonly measured: MetricsView }) {
  const shown = rounds.slice(-MOST_ROUNDS);
  return (
    <Panel title="What was measured" count={`${rounds.length}`} aside={<span>rounds are compared by the one marked *</span>}>
      <div class="body">
        <table>
          <thead>
            <tr>
              <th scope="col">Round</th>
              {metrics.map(({ name, isPrimary, target, better }) => (
                <th scope="col" key={name}>
                  <Shown text={name} />
                  {isPrimary ? " *" : ""}
                  {target === null ? null : <span class="dim"> {`${better === "lower" ? "at most" : "at least"} ${figure(target)}`}</span>}
                </th>
              ))}
              <th scope="col">Checks</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ number, values, holds, isEnough }) => (
              <tr key={number}>
                <th scope="row">
                  {number}
                  {number === best ? " (best)" : ""}
                </th>
                {metrics.map(({ name }) => (
                  <td key={name}>{figure(values[name] ?? null)}</td>
                ))}
                <td>{isEnough ? "hold, enough" : holds ? "hold" : "do not hold"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
