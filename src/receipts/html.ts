// Pages that stand alone: text is escaped wherever it is put in, nothing is loaded from anywhere, and nothing runs.
import { sha256Base64 } from "../std/hash.ts";
import { shownText } from "../std/shown-text.ts";

declare const made: unique symbol;

/** Markup that this file made. A plain text is never taken for it. */
export interface Html {
  readonly [made]: true;
  readonly markup: string;
}

type Part = string | number | Html | readonly Html[];

/** Markup from a template: what is written in it stays, what is put into it is text, unless it is markup itself. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  asHtml(strings.map((text, index) => text + (index < parts.length ? markupOf(parts[index]!) : "")).join(""));

// The one place where a text becomes markup.
const asHtml = (markup: string): Html => ({ markup }) as Html;

function markupOf(part: Part): string {
  if (typeof part === "number") return String(part);
  if (typeof part === "string") return escaped(part);
  return "markup" in part ? part.markup : part.map(({ markup }) => markup).join("");
}

/** Also in attributes, which are always written with double quotes. What cannot be seen is made visible. */
const escaped = (text: string): string => shownText(text).replace(/[&<>"'`]/g, (char) => `&#${char.charCodeAt(0)};`);

/** A whole page. Its policy lets it load nothing and run nothing; its one style is known by its hash. */
export function pageOf(title: string, body: Html): string {
  const policy = `default-src 'none'; style-src 'sha256-${sha256Base64(STYLE)}'; base-uri 'none'; form-action 'none'`;
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${asHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${asHtml(STYLE)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  return markup;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --soft: #57606a; --line: #d0d7de; --well: #f6f8fa; --good: #116329; --bad: #a40e26; --open: #7a4d00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --soft: #9aa4af; --line: #30363d; --well: #161b22; --good: #56d364; --bad: #ff8d85; --open: #e3b341; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.6rem; margin: 0 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .35rem; overflow-wrap: anywhere; }
p { margin: .4rem 0; }
.banner { border: 2px solid; border-radius: .4rem; padding: .6rem .9rem; font-weight: 600; }
.passed { color: var(--good); } .refused { color: var(--bad); } .unknown, .nothing-to-do { color: var(--open); }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .2rem 1rem; margin: .5rem 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
caption { text-align: left; color: var(--soft); padding: .2rem 0; }
th, td { border: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
td.number, th.number { text-align: right; white-space: nowrap; }
thead th { background: var(--well); }
pre { background: var(--well); border: 1px solid var(--line); border-radius: .3rem; padding: .6rem; overflow: auto; max-height: 30rem; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.45 ui-monospace, monospace; unicode-bidi: plaintext; }
.note { color: var(--soft); font-size: .9rem; }
footer { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: .5rem; color: var(--soft); font-size: .9rem; }
@media print { :root { --ink: #000; --paper: #fff; --soft: #444; --line: #999; --well: #fff; --good: #0a4a1c; --bad: #7c0a1c; --open: #5c3a00; } main { max-width: none; padding: 0; } pre { max-height: none; overflow: visible; } h2, h3 { break-after: avoid; } tr, dl { break-inside: avoid; } thead { display: table-header-group; } }
`;
