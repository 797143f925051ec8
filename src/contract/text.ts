// Strangers' text, and the same once the guard has seen it: two types that cannot be mixed up.
declare const untrusted: unique symbol;
declare const admitted: unique symbol;

/** Text written by strangers: commit messages, test output, file contents. It never goes into a brief as it is. */
export type Untrusted = string & { readonly [untrusted]: true };

/** Text that passed `admit` in the guard: scanned, cleaned, fenced and labelled as data. The only outside text a brief takes. */
export type Admitted = string & { readonly [admitted]: true };

/**
 * Who wrote a text. The owner wrote the spec; a member may write to the repository; `machine` is what our own checks printed;
 * everybody else is an outsider.
 */
export type Trust = "owner" | "member" | "outsider" | "machine";

/** Whether a run has read outsiders' text: from then on it is bounded, whatever the scanner thought of it. */
export type Taint = { readonly kind: "clean" } | { readonly kind: "tainted"; readonly by: readonly string[] };

/** What became of a text that was to be shown to a model. */
export type Shown = { readonly kind: "shown"; readonly text: Admitted } | { readonly kind: "withheld"; readonly why: string };

/** Marks text where it enters the house. */
export const untrustedText = (text: string): Untrusted => text as Untrusted;
