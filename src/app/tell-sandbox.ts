// What a person must know of the sandbox before something runs, in one line each: that there is none, and that root is at work.

export interface SandboxSight {
  readonly kind: "none" | "bubblewrap" | "namespaces" | "seatbelt";
  readonly why?: string;
  readonly hint?: string;
}

/** Nothing where all is as it should be. */
export const tellSandbox = ({ kind, why = "", hint = "" }: SandboxSight, isRoot: boolean): readonly string[] => [
  ...(kind === "none"
    ? [`no sandbox: ${why}; makers and verifiers run with all that ${isRoot ? "root" : "your user"} may do. ${hint}`.trim()]
    : []),
  ...(isRoot && kind !== "none"
    ? ["you are root: commands in the box are somebody without powers; all else that loops do is done as root"]
    : []),
];
