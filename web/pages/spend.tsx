// Spend: where it went, by loop, day, maker and model, against what was allowed. Forecasts say that they are such.
import type { SpendDocument } from "../../src/contract/api.ts";
import type { SpendBy, SpendLine } from "../../src/contract/views.ts";
import { useResource } from "../live/resource.ts";
import { choose, loopPath, place } from "../live/router.ts";
import { Empty, Loaded, Meter, Panel } from "../parts/bits.tsx";
import { Bars } from "../parts/chart.tsx";
import { Shown, ShownName } from "../parts/shown.tsx";
import { dayOf, microMoneyOf, plural, roughly } from "../words/format.ts";

const BY: readonly SpendBy[] = ["loop", "day", "maker", "model"];
const SPENDS = new Set(["spent", "settled", "reserved", "run-rested"]);

export function SpendPage() {
  const asked = place.value.query.get("by");
  const by = BY.find((one) => one === asked) ?? "loop";
  const spend = useResource<SpendDocument>(`/api/spend?by=${by}`, ({ kind }) => SPENDS.has(kind));
  return (
    <div class="page">
      <Loaded resource={spend} what="What was spent" isPage>
        {(document) => (
          <>
            <div class="head">
              <div>
                <h1>{findingOf(document)}</h1>
                <p class="lead">
                  {document.forecast ? (
                    <>
                      Forecast for {document.forecast.month}: <b>{microMoneyOf(document.forecast.microUsd)}</b>.{" "}
                      <Shown text={document.forecast.because} />
                    </>
                  ) : (
                    "There is too little to go by for a forecast."
                  )}
                </p>
              </div>
            </div>
            <div class="stack">
              <div class="half">
                <Panel title="Against caps" aside={<span>today, {document.zone}</span>}>
                  <div class="body stack">
                    {document.meters.length === 0 ? (
                      <p class="dim">No cap is set for all loops together. limits.yaml in the home sets one.</p>
                    ) : null}
                    {document.meters.map((meter) => (
                      <Meter key={`${meter.scope} ${meter.measure}`} meter={meter} by="scope" />
                    ))}
                    {document.near.map(({ loop, meter }) => (
                      <div key={`${loop} ${meter.scope} ${meter.measure}`}>
                        <a class="link" href={loopPath(loop)}>
                          <Shown text={loop} />
                        </a>{" "}
                        is near
                        <Meter meter={meter} by="scope" />
                      </div>
                    ))}
                  </div>
                </Panel>
                <Panel title="By day" aside={<span>{plural(document.days.length, "day")}</span>}>
                  <div class="body">
                    <Bars
                      name={`Cost of the last ${document.days.length} days in dollars`}
                      points={document.days.map(({ day, microUsd }) => ({
                        label: dayOf(`${day}T12:00:00Z`, { zone: "UTC" }).replace(/^\w+ /, ""),
                        at: Date.parse(`${day}T12:00:00Z`) / 1000,
                        value: microUsd / 1_000_000,
                      }))}
                      unit="dollars"
                    />
                  </div>
                </Panel>
              </div>
              <Panel
                title="Where it went"
                aside={
                  <span class="seg small">
                    {BY.map((one) => (
                      <button key={one} type="button" aria-pressed={one === by} onClick={() => choose({ by: one })}>
                        {one}
                      </button>
                    ))}
                  </span>
                }
              >
                {document.lines.length === 0 ? (
                  <Empty says="Nothing was spent yet.">What makers and reviewing models cost is on record before anything goes on.</Empty>
                ) : (
                  <SpendTable document={document} by={by} />
                )}
              </Panel>
            </div>
          </>
        )}
      </Loaded>
    </div>
  );
}

function findingOf({ total, days, today }: SpendDocument): string {
  const todayMicroUsd = days.find(({ day }) => day === today)?.microUsd ?? 0;
  const all = total.amounts.microUsd ?? 0;
  if (all === 0) return "Nothing was spent yet";
  return `${microMoneyOf(todayMicroUsd)} today, ${microMoneyOf(all)} in all`;
}

const SpendTable = ({ document, by }: { readonly document: SpendDocument; readonly by: SpendBy }) => (
  <table class="list fix">
    <caption class="vh">Spending by {by}</caption>
    <thead>
      <tr>
        <th>{by.charAt(0).toUpperCase() + by.slice(1)}</th>
        <th class="num w-time">Cost</th>
        <th class="num w-num">Share</th>
        <th class="num w-num late">Tokens</th>
        <th class="w-name late">How it is known</th>
      </tr>
    </thead>
    <tbody>
      {[...document.lines, document.total].map((line, index) => (
        <SpendRow key={line.key} line={line} by={by} total={document.total} isTotal={index === document.lines.length} />
      ))}
    </tbody>
  </table>
);

function SpendRow({
  line,
  by,
  total,
  isTotal,
}: {
  readonly line: SpendLine;
  readonly by: SpendBy;
  readonly total: SpendLine;
  readonly isTotal: boolean;
}) {
  const micro = line.amounts.microUsd ?? 0;
  const all = total.amounts.microUsd ?? 0;
  const bases = Object.entries(line.microUsdBy).flatMap(([basis, amount]) => (amount > 0 ? [`${microMoneyOf(amount)} ${basis}`] : []));
  return (
    <tr class={isTotal ? "total spent" : "spent"}>
      <td class="wide name">
        {isTotal ? (
          "All"
        ) : by === "loop" ? (
          <a class="rowlink" href={loopPath(line.key)}>
            <ShownName text={line.key} />
          </a>
        ) : (
          <ShownName text={line.key} />
        )}
      </td>
      <td class="num o2">{microMoneyOf(micro)}</td>
      <td class="num hide">{all > 0 ? `${Math.round((100 * micro) / all)}%` : ""}</td>
      <td class="num hide late">{roughly(line.amounts.tokens ?? 0)}</td>
      <td class="hide late dim">{bases.join(", ") || "no money"}</td>
    </tr>
  );
}
