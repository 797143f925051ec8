// Who of a team did what in a round, what each was given, and who says something else than what was chosen.
import type { TeamFact } from "../../src/contract/proposal.ts";
import { durationOf } from "../words/format.ts";
import { Panel } from "./bits.tsx";
import { Shown } from "./shown.tsx";

export function Team({ team: { workers, joins } }: { readonly team: TeamFact }) {
  return (
    <Panel title="Who worked" count={`${workers.length}`}>
      <div class="body">
        <table>
          <thead>
            <tr>
              {["Worker", "How it ended", "Time", "Cost", "Given"].map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {workers.map(({ id, use, ended, tries, why, child, used, tookMs, from = [] }) => (
              <tr key={id}>
                <th scope="row">
                  <Shown text={`${id} (${child ? `loop ${child.run}` : use})`} />
                </th>
                <td>
                  <Shown text={ended === "made" ? (tries > 1 ? `made in try ${tries}` : "made") : `${ended}: ${why ?? ""}`} />
                </td>
                <td>{tookMs === undefined ? "not known" : durationOf(tookMs)}</td>
                <td>{used ? `$${used.usd.toFixed(2)}` : "not known"}</td>
                <td>
                  <Shown text={from.join(", ")} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {joins.map(({ id, how, ended, chosen, dissent, why }) => (
          <p key={id}>
            <Shown
              text={`${id}: ${how}, ${ended === "made" ? chosen.join(", ") : `failed, ${why ?? ""}`}${dissent.length > 0 ? `; dissent: ${dissent.join(", ")}` : ""}`}
            />
          </p>
        ))}
      </div>
    </Panel>
  );
}
