// Sentences that are partly ours and partly strangers': each renderer knows which is which, so that no value can pass for a word of ours.

/** What stands in the template is ours; what is put into it is somebody's, whatever it is. */
export type Words = readonly Piece[];

export type Piece = { readonly whose: "ours"; readonly text: string } | { readonly whose: "theirs"; readonly text: string };

export const words = (strings: TemplateStringsArray, ...values: readonly (string | number)[]): Words =>
  strings
    .flatMap((text, index): Words => {
      const ours: Piece = { whose: "ours", text };
      return index < values.length ? [ours, { whose: "theirs", text: String(values[index]) }] : [ours];
    })
    .filter(({ whose, text }) => whose === "theirs" || text !== "");

export const joinWords = (...some: readonly Words[]): Words => some.flat();
