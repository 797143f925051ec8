// What a person must know of the sandbox before something runs, in one line each: that there is none, and that root is at work.

export interface SandboxSight {
  readonly kind: "none" | "bubblewrap" | "namespaces" | "seatbelt";
  readonly why?: string;
  readonly hint?: string;
  /** Whether root can be made somebody else inside. */
  readonly changesRoot?: boolean;
}

/** Nothing where all is as it should be. */
export const tellSandbox = ({ kind, why = "", hint = "", changesRoot = false }: SandboxSight, isRoot: boolean): readonly string[] => [
  ...(kind === "none"
    ? [`no sandbox: ${why}; makers and verifiers run with all that ${isRoot ? "root" : "your user"} may do. ${hint}`.trim()]
    : []),
  ...(isRoot && kind !== "none" ? [`${rootInside(changesRoot)}; all else that loops do is done as root`] : []),
];

/** What root's commands are in a box, whichever way it can be had here. */
export const rootInside = (changesRoot: boolean): string =>
  changesRoot
    ? "you are root: commands in the box are run as somebody whom nothing belongs to, and those that need what is root's, such as an agent's login, as root without powers"
    : "you are root: commands in the box are root without powers, called otherwise";
