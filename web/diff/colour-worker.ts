// The worker that colours code, so that a long diff never holds up the page.
import { colourLines, type Token } from "./colour.ts";

export interface ColourAsk {
  readonly id: number;
  readonly path: string;
  readonly lines: readonly string[];
}

export interface ColourAnswer {
  readonly id: number;
  readonly tokens: readonly (readonly Token[])[];
}

self.onmessage = ({ data }: MessageEvent<ColourAsk>) => {
  const answer: ColourAnswer = { id: data.id, tokens: colourLines(data.path, data.lines) };
  self.postMessage(answer);
};
