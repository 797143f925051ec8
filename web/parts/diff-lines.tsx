// Rows of a diff: lines with their numbers and signs, folds, and findings under the lines that they are about.
import { useEffect, useState } from "preact/hooks";
import type { Finding } from "../../src/contract/evidence.ts";
import type { Token } from "../diff/colour.ts";
import { askColours, plainTokens } from "../diff/colour-client.ts";
import { emphasisOf } from "../diff/emphasis.ts";
import type { DiffLine, Note, Row } from "../diff/model.ts";
import { segmentsOf } from "../diff/segments.ts";
import { plural } from "../words/format.ts";
import { isGrave } from "../words/outcomes.ts";
import { LONGEST_LINE } from "../words/shown.ts";
import { Glyph } from "./bits.tsx";
import { Shown, ShownBlock, ShownCode } from "./shown.tsx";

export interface FoundNote extends Note {
  readonly finding: Finding;
}

type LineTokens = ReadonlyMap<DiffLine, readonly Token[]>;

const linesOf = (rows: readonly Row<FoundNote>[]): readonly DiffLine[] =>
  rows.flatMap((row) => {
    if (row.kind === "line") return [row.line];
    return row.kind === "pair" ? [...new Set([row.left, row.right].flatMap((line) => line ?? []))] : [];
  });

/** Plain first; coloured when the worker has answered. */
export function DiffRows({ path, rows }: { readonly path: string; readonly rows: readonly Row<FoundNote>[] }) {
  const [tokens, setTokens] = useState<LineTokens>(new Map());
  useEffect(() => {
    let isGone = false;
    const lines = linesOf(rows);
    void askColours(
      path,
      lines.map(({ text }) => text),
    ).then((found) => {
      if (!isGone && found.length > 0) setTokens(new Map(lines.map((line, index) => [line, found[index] ?? []])));
    });
    return () => {
      isGone = true;
    };
  }, [path, rows]);
  return (
    <>
      {rows.map((row, index) => (
        <DiffRow key={index} row={row} tokens={tokens} />
      ))}
    </>
  );
}

function DiffRow({ row, tokens }: { readonly row: Row<FoundNote>; readonly tokens: LineTokens }) {
  switch (row.kind) {
    case "fold":
      return <div class="fold">{plural(row.alike, "line")} alike</div>;
    case "note":
      return <FindingNote finding={row.note.finding} />;
    case "line":
      return (
        <div class={classOf(row.line)}>
          <span class="ln">{row.line.old}</span>
          <span class="ln">{row.line.now}</span>
          <Sign line={row.line} />
          <span>
            <Code line={row.line} partner={row.partner} tokens={tokens} />
          </span>
        </div>
      );
    case "pair":
      return (
        <div class="l pair">
          <Side line={row.left} partner={row.right} number={row.left?.old} tokens={tokens} />
          <Side line={row.right} partner={row.left} number={row.right?.now} tokens={tokens} />
        </div>
      );
  }
}

interface SideProps {
  readonly line: DiffLine | undefined;
  readonly partner: DiffLine | undefined;
  readonly number: number | undefined;
  readonly tokens: LineTokens;
}

const Side = ({ line, partner, number, tokens }: SideProps) => (
  <div class={line ? `side-of ${line.kind}` : "side-of none"}>
    <span class="ln">{number}</span>
    {line ? <Sign line={line} /> : <span class="sg" />}
    <span>{line ? <Code line={line} partner={partner} tokens={tokens} /> : null}</span>
  </div>
);

const classOf = ({ kind }: DiffLine): string => (kind === "same" ? "l" : `l ${kind}`);

/** Added and removed lines say so, besides their sign and their ground. */
function Sign({ line: { kind } }: { readonly line: DiffLine }) {
  if (kind === "same") return <span class="sg"> </span>;
  return (
    <span class="sg">
      <span class="vh">{kind === "add" ? "added: " : "removed: "}</span>
      <span aria-hidden="true">{kind === "add" ? "+" : "−"}</span>
    </span>
  );
}

function Code({ line, partner, tokens }: { readonly line: DiffLine; readonly partner: DiffLine | undefined; readonly tokens: LineTokens }) {
  if (line.text.length > LONGEST_LINE) return <ShownBlock text={line.text} />;
  const emphasis = partner && partner !== line ? emphasisOf(line.text, partner.text) : [];
  const segments = segmentsOf(line.text, tokens.get(line) ?? plainTokens(), emphasis);
  return (
    <>
      {segments.map(({ text, as, isEmphasised }, index) => {
        const code = <ShownCode text={text} />;
        const coloured = as && !isEmphasised ? <span class={as}>{code}</span> : code;
        return isEmphasised ? <em key={index}>{coloured}</em> : coloured;
      })}
    </>
  );
}

/** Sentence, meaning, severity and rule. What is told and harmless is not coloured. */
export function FindingNote({ finding }: { readonly finding: Finding }) {
  const mark = isGrave(finding.severity) ? "refused" : "unknown";
  return (
    <div class={`note ${mark}`} data-finding tabIndex={-1}>
      <Glyph mark={mark} />
      <div>
        <b>
          <Shown text={finding.why} />
        </b>
        <p>
          <Shown text={finding.where} />{" "}
          <span class="rule">
            {finding.severity} <Shown text={finding.rule} />
          </span>
        </p>
      </div>
    </div>
  );
}
