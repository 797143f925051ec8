// A summary of ledgers as one page that stands alone.
import type { LedgerView } from "../../app/records/ledger-view.ts";
import { type Html, html, pageOf } from "../../receipts/html.ts";
import type { NamedTally, SourceSummary } from "../../scoring/ledger-summary.ts";
import { formatUsd } from "../../std/usd.ts";

export function ledgerPage(view: LedgerView): string {
  const title = "Ledger of loops";
  return pageOf(
    title,
    html`<h1>${title}</h1>
<p class="banner ${view.isWhole ? "passed" : "unknown"}">${tellWhole(view)}</p>
<dl>
<dt>Runs</dt><dd>${view.total}</dd>
<dt>Passed</dt><dd>${view.passed}</dd>
<dt>Refused</dt><dd>${view.refused}</dd>
<dt>Cannot tell</dt><dd>${view.unknown}</dd>
<dt>Nothing to do</dt><dd>${view.nothingToDo}</dd>
<dt>Rate</dt><dd>${tellRate(view.rate)}</dd>
<dt>Findings</dt><dd>${view.findings}</dd>
<dt>Cost</dt><dd>${tellLedgerCost(view)}</dd>
<dt>First</dt><dd>${view.first ?? "unknown"}</dd>
<dt>Last</dt><dd>${view.last ?? "unknown"}</dd>
<dt>Copies</dt><dd>${view.duplicates} run(s) were met again, and counted once</dd>
</dl>
<h2>Sources</h2>
${sourcesTable(view.sources)}
${listOf("Not looked at", view.unseen)}
${listOf(
  "At odds",
  view.conflicts.map(({ run, sources }) => `${run} says different things in ${sources.join(", ")}`),
)}
${listOf("Notes", view.notes)}
<h2>By loop</h2>
${tallyTable("Loop", view.byLoop)}
<h2>By maker</h2>
${tallyTable("Maker", view.byMaker)}
<h2>By day</h2>
${tallyTable("Day (UTC)", view.byDay)}
<footer>
<p>Counted from what the sources say. A chain that is whole shows that its entries follow one another; it does not show that each of them was true when it was written.</p>
<p>What is called unchained or unreadable could not be checked, and is counted as it stands.</p>
</footer>`,
  );
}

/** In one sentence, for whoever reads no further. */
export function tellWhole({ sources, isWhole, unseen, conflicts }: LedgerView): string {
  if (sources.length === 0) return "Nothing was found that could be read as a ledger, so nothing is shown.";
  if (isWhole) return `All ${sources.length} source(s) are whole.`;
  const bad = sources.filter(({ chain }) => chain.kind !== "whole").length;
  return [
    `${bad} of ${sources.length} source(s) cannot be believed as they are`,
    ...(unseen.length > 0 ? [`${unseen.length} place(s) were not looked at`] : []),
    ...(conflicts.length > 0 ? [`${conflicts.length} run(s) are at odds`] : []),
  ]
    .join(", ")
    .concat(".");
}

/** Rounded, but all is said of all alone, and none of none alone. */
export const tellRate = (rate: number | null): string =>
  rate === null ? "none" : `${rate === 0 || rate === 1 ? rate * 100 : Math.min(99.9, Math.max(0.1, Math.round(rate * 1000) / 10))}%`;

export const tellLedgerCost = ({ usd, costUnknown, total }: Pick<LedgerView, "usd" | "costUnknown" | "total">): string =>
  costUnknown === 0 ? formatUsd(usd) : `${formatUsd(usd)} known; unknown for ${costUnknown} of ${total} run(s)`;

/** What is said of a source's chain, in a word and in full. */
export function tellChain({ chain }: SourceSummary): { readonly word: string; readonly why: string } {
  switch (chain.kind) {
    case "whole":
      return { word: `whole, ${chain.entries} entries`, why: chain.note ?? "" };
    case "broken":
      return { word: `broken at ${chain.at}, ${chain.entries} entries`, why: chain.why };
    case "unchained":
    case "unreadable":
      return { word: chain.kind, why: chain.why };
  }
}

const sourcesTable = (sources: readonly SourceSummary[]): Html => html`<div class="wide" tabindex="0"><table>
<caption>Where the runs were read from</caption>
<thead><tr><th scope="col">Source</th><th scope="col">System</th><th scope="col" class="number">Runs</th><th scope="col">Chain</th><th scope="col">Why</th></tr></thead>
<tbody>
${sources.map((source) => {
  const { word, why } = tellChain(source);
  const tone = source.chain.kind === "whole" ? "passed" : source.chain.kind === "broken" ? "refused" : "unknown";
  return html`<tr><th scope="row">${source.label}</th><td>${source.system}</td><td class="number">${source.runs}</td><td class="${tone}">${word}</td><td>${why}</td></tr>\n`;
})}
</tbody>
</table></div>`;

const tallyTable = (what: string, tallies: readonly NamedTally[]): Html => html`<div class="wide" tabindex="0"><table>
<thead><tr><th scope="col">${what}</th>${["Runs", "Passed", "Refused", "Cannot tell", "Nothing to do", "Rate", "Findings", "Cost"].map((head) => html`<th scope="col" class="number">${head}</th>`)}</tr></thead>
<tbody>
${tallies.map(
  (one) => html`<tr><th scope="row">${one.name}</th>${cellsOf(one).map((cell) => html`<td class="number">${cell}</td>`)}</tr>\n`,
)}
</tbody>
</table></div>`;

const cellsOf = (one: NamedTally): readonly string[] => [
  String(one.total),
  String(one.passed),
  String(one.refused),
  String(one.unknown),
  String(one.nothingToDo),
  tellRate(one.rate),
  String(one.findings),
  one.costUnknown === 0 ? formatUsd(one.usd) : `${formatUsd(one.usd)} + ?`,
];

const listOf = (heading: string, items: readonly string[]): Html =>
  items.length === 0 ? html`` : html`<h2>${heading}</h2>\n<ul>${items.map((item) => html`<li>${item}</li>\n`)}</ul>`;
