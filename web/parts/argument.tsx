// The argument for or against a change: an ordered list of claims, each with how it is known; what nobody looked at comes last, always.
import type { Claim } from "../../src/contract/api.ts";
import { boxSays } from "../words/box.ts";
import { durationOf, plural } from "../words/format.ts";
import { wordOfClaim } from "../words/outcomes.ts";
import { Glyph } from "./bits.tsx";
import { Output } from "./output.tsx";
import { Shown, ShownBlock } from "./shown.tsx";

const isAgainst = ({ mark }: Claim): boolean => mark === "refuted" || mark === "fabricated" || mark === "gap" || mark === "finding";

/** What speaks against it comes first. */
export const inOrder = (claims: readonly Claim[]): readonly Claim[] => [
  ...claims.filter(isAgainst),
  ...claims.filter((claim) => !isAgainst(claim)),
];

export function Argument({ claims, unseen }: { readonly claims: readonly Claim[]; readonly unseen: readonly string[] }) {
  return (
    <ol class="argue">
      {inOrder(claims).map((claim, index) => {
        const { mark, word } = wordOfClaim(claim.mark);
        const { part, kind, room, box, tookMs, output } = claim.how;
        return (
          <li class={mark} key={index}>
            <div class="rail">
              <Glyph mark={mark} size={16} />
            </div>
            <div>
              <h3>
                <span class="vh">{word}: </span>
                <Shown text={claim.says} />
              </h3>
              {claim.detail ? (
                <p class="prewrap">
                  <ShownBlock text={claim.detail.trimEnd()} />
                </p>
              ) : null}
              {kind === "opinion" ? <p class="dimmer s">An opinion can sink a proposal and never float one.</p> : null}
              <div class="how">
                <span>
                  <b>
                    <Shown text={part} />
                  </b>
                </span>
                <span>{kind}</span>
                {room === null ? null : <span>{room}</span>}
                {box === null ? null : <span title={box.kind === "none" ? box.why : undefined}>{boxSays(box)}</span>}
                {tookMs === null ? null : <span>{durationOf(tookMs)}</span>}
              </div>
              {output === null ? null : <Output name="What it printed" artifact={output} />}
            </div>
          </li>
        );
      })}
      <li class="unknown">
        <div class="rail">
          <Glyph mark="unknown" size={16} />
        </div>
        <div>
          <h3>What nobody looked at</h3>
          {unseen.length === 1 ? (
            <p>
              <Shown text={unseen[0] ?? ""} />
            </p>
          ) : (
            <ul class="dots">
              {unseen.map((sentence) => (
                <li key={sentence}>
                  <Shown text={sentence} />
                </li>
              ))}
            </ul>
          )}
        </div>
      </li>
    </ol>
  );
}

/** What a sentence has room for; the rest is where the whole of it is shown. */
export const firstLine = (text: string): string => {
  const [first = "", ...more] = text.trim().split("\n");
  return more.length > 0 ? `${first} …` : first;
};

/** Thirty seconds' worth: a line for each claim, and one for what nobody saw. */
export function Why({ claims, unseen }: { readonly claims: readonly Claim[]; readonly unseen: readonly string[] }) {
  return (
    <ul class="why" aria-label="Why it can be trusted, and why not">
      {inOrder(claims).map((claim, index) => {
        const { mark, word } = wordOfClaim(claim.mark);
        return (
          <li class={mark} key={index}>
            <Glyph mark={mark} />
            <span>
              <span class="vh">{word}: </span>
              <Shown text={claim.says} />
              {claim.detail && claim.detail !== claim.says ? (
                <span class="dim">
                  {" "}
                  <Shown text={firstLine(claim.detail)} />
                </span>
              ) : null}
            </span>
            <span class="by">
              <Shown text={claim.how.part} />
            </span>
          </li>
        );
      })}
      <li class="unknown">
        <Glyph mark="unknown" />
        <span>
          Nobody looked at this: <Shown text={unseen[0] ?? "nothing is said"} />
          {unseen.length > 1 ? <span class="dim"> And {plural(unseen.length - 1, "more thing")}, in the run.</span> : null}
        </span>
        <span class="by">not checked</span>
      </li>
    </ul>
  );
}
