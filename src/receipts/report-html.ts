// A proof report as one page that stands alone.
import { type Html, html, pageOf } from "./html.ts";
import { type Block, layOutReport, type ReportMatter, type Section } from "./report-page.ts";
import type { Words } from "./words.ts";

export function reportHtml(matter: ReportMatter): string {
  const { title, banner, sections, scope } = layOutReport(matter);
  return pageOf(
    title.map(({ text }) => text).join(""),
    html`<h1>${inline(title)}</h1>
<p class="banner ${banner.result}">${inline(banner.words)}</p>
${sections.map(sectionHtml)}
<footer>
<h2>Scope</h2>
${scope.map((sentence) => html`<p>${sentence}</p>\n`)}
</footer>`,
  );
}

const sectionHtml = ({ heading, level, blocks }: Section): Html =>
  level === 2 ? html`<h2>${inline(heading)}</h2>\n${blocks.map(blockHtml)}` : html`<h3>${inline(heading)}</h3>\n${blocks.map(blockHtml)}`;

function blockHtml(block: Block): Html {
  switch (block.kind) {
    case "facts":
      return html`<dl>${block.facts.map(({ label, words }) => html`<dt>${label}</dt><dd>${inline(words)}</dd>\n`)}</dl>\n`;
    case "list":
      return html`<ul>${block.items.map((item) => html`<li>${inline(item)}</li>\n`)}</ul>\n`;
    case "says":
      return html`<p>${inline(block.words)}</p>\n`;
    case "lines":
      // The parser drops one line end at the start of a pre; this one is for it.
      return html`<pre tabindex="0">\n${block.text}</pre>\n`;
  }
}

/** Strangers' words keep their direction to themselves. */
const inline = (words: Words): readonly Html[] =>
  words.map(({ whose, text }) => (whose === "ours" ? html`${text}` : html`<bdi>${text}</bdi>`));
