// Strangers' text on the page: text nodes only, kept in its own direction, with what hides made visible. Nothing of theirs goes elsewhere.
import { useState } from "preact/hooks";
import { sizeOf } from "../words/format.ts";
import { cutLongLine, LONGEST_LINE, NEXT_PART, type Piece, plainly, shown } from "../words/shown.ts";

const Pieces = ({ pieces }: { readonly pieces: readonly Piece[] }) => (
  <>
    {pieces.map((piece, index) =>
      piece.kind === "text" ? (
        piece.text
      ) : (
        <span key={index} class="esc" title={piece.name}>
          {piece.label}
        </span>
      ),
    )}
  </>
);

/** Within a sentence of ours: one line, in quotes where it is quoted. */
export function Shown({ text, quoted }: { readonly text: string; readonly quoted?: boolean }) {
  const { text: start, left } = cutLongLine(text, LONGEST_LINE);
  return (
    <bdi dir="auto">
      {quoted ? "“" : null}
      <Pieces pieces={shown(start, "line")} />
      {left > 0 ? <span class="dimmer"> … {sizeOf(left)} more</span> : null}
      {quoted ? "”" : null}
    </bdi>
  );
}

/** A name: two lines at most, and the whole of it, as shown, for who points at it. */
export const ShownName = ({ text }: { readonly text: string }) => (
  <span class="clamp" title={plainly(text)}>
    <Shown text={text} />
  </span>
);

/** A sentence of which two lines are enough until somebody comes to it. */
export const ShownSentence = ({ text }: { readonly text: string }) => (
  <span class="clamp" title={text.length > 120 ? plainly(text) : undefined}>
    <Shown text={text} />
  </span>
);

/** Text of its own, with its lines. One line without an end is cut, and shown further on request. */
export function ShownBlock({ text }: { readonly text: string }) {
  const [longest, setLongest] = useState(LONGEST_LINE);
  const { text: start, left } = cutLongLine(text, longest);
  return (
    <>
      <bdi dir="auto">
        <Pieces pieces={shown(start, "block")} />
      </bdi>
      {left > 0 ? (
        <button class="btn quiet more-text" type="button" onClick={() => setLongest(longest + NEXT_PART)}>
          Show {sizeOf(Math.min(left, NEXT_PART))} more of {sizeOf(left)}
        </button>
      ) : null}
    </>
  );
}

/** For code, whose lines are cut elsewhere: only the characters. */
export const ShownCode = ({ text }: { readonly text: string }) => <Pieces pieces={shown(text, "block")} />;
