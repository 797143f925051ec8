// The smaller worlds that parts are handed.
import type { ArtifactRef } from "./artifacts.ts";
import type { Clock, Environment } from "./clock.ts";
import type { Proc } from "./commands.ts";
import type { Finding, Proof } from "./evidence.ts";
import type { CopyFiles, FileList, Files, RoomFiles, WorkspaceFiles } from "./files.ts";
import type { GitReader } from "./git.ts";
import type { Meter } from "./ledger.ts";
import type { MakerEvent } from "./maker-events.ts";
import type { Models } from "./models.ts";
import type { Http, Mail } from "./net.ts";
import type { LoadSyntax } from "./syntax.ts";
import type { Admitted, Shown, Trust, Untrusted } from "./text.ts";
import type { Checkout, Rooms } from "./workshop.ts";

/** What a maker may reach: its own copy, bounded commands, a running meter, and no way to propose or merge. */
export interface MakerWorld {
  readonly proc: Proc;
  readonly files: WorkspaceFiles & Pick<RoomFiles, "read">;
  readonly env: Environment;
  readonly meter: Meter;
  /** What the maker wrote about its spending, if anything. */
  readonly readUsage: () => Promise<string | undefined>;
  readonly agent: AgentWorld;
  readonly desk: MakerDesk;
  readonly notebook: Notebook;
}

/** What a maker works with that is a model with tools of ours. */
export interface MakerDesk {
  /** What a call may cost is set aside before it is made, and what it cost is on record before its reply is seen. */
  readonly models: Models;
  readonly files: CopyFiles;
  /** The only way in which a text of others gets to a model: scanned, fenced and cut. */
  show(text: Untrusted, label: { readonly source: string; readonly trust: Trust; readonly mostChars: number }): Shown;
  /** Keeps what is too long to be shown at once. */
  keep(text: string): Promise<ArtifactRef>;
  readKept(ref: ArtifactRef): Promise<string>;
}

/** Notes that outlive rounds, runs and processes. What is in it was written by makers: it is shown only as it was admitted. */
export interface Notebook {
  /** Keeps a note at once, redacted. One that is too long, one too many, or that reads like an injection is refused; so is one under a name that is not the writer's. */
  add(note: Untrusted, under?: string): Promise<{ readonly kind: "kept" } | { readonly kind: "refused"; readonly why: string }>;
  /** All that this round may see, newest first, each with the round that wrote it. Also those of this very round. */
  read(): Promise<readonly NoteShown[]>;
}

export interface NoteShown {
  readonly roundId: string;
  readonly at: string;
  /** Fenced and labelled: fit for a brief or a prompt. */
  readonly text: Admitted;
}

/** What a maker needs that drives somebody else's agent. */
export interface AgentWorld {
  readonly clock: Clock;
  /** Puts on the screen and on record what is heard; kept within bounds. */
  tell(event: MakerEvent): Promise<void>;
  /** A line that said nothing we know is only counted. */
  missed(): void;
  /** The conversation of an earlier try at this round that did not come to its end. */
  readonly earlierSession: string | undefined;
  /** What the command guard says, with the bounds of this run, to an agent that asks us. */
  askGuard(command: string): { readonly decision: "allow" | "ask" | "deny"; readonly why: string };
  /** Settings of an agent, in its own format, with a hook in them by which it asks the same. */
  hookSettings(adapter: string): string;
  /** Lays a file beside the maker's copy, such as settings for the agent; gives back its path. */
  lay(name: string, text: string): Promise<string>;
}

/** What a verifier that asks for an opinion may use, and may show. */
export interface Desk {
  /** What an answer cost is on record before the answer is seen; when the run's budget is spent, nobody is asked any more. */
  readonly models: Models;
  readonly clock: Pick<Clock, "monotonicMs">;
  /** The only way in which a text of others gets to a model: scanned, fenced and cut. */
  show(text: Untrusted, label: { readonly source: string; readonly trust: Trust; readonly mostChars: number }): Shown;
  readonly matter: Matter;
  listFiles(room: Checkout): Promise<FileList>;
  keep(text: string): Promise<ArtifactRef>;
}

/** What a round is about and what was seen of its proposal so far. What the maker says of it is not here. */
export interface Matter {
  readonly intent: string;
  readonly task: string;
  readonly findings: readonly Finding[];
  readonly proofs: readonly Proof[];
}

/** What a check needs that only runs things. */
export type CheckWorld = Omit<VerifierWorld, "desk">;

export interface VerifierWorld {
  /** For checks that draw what they try: the same in one round, on record after it, and not to be foreseen. */
  readonly seed: number;
  readonly clock: Pick<Clock, "now">;
  readonly proc: Proc;
  readonly git: GitReader;
  readonly env: Environment;
  readonly rooms: Rooms;
  readonly roomFiles: (room: Checkout) => RoomFiles;
  /** All that a command printed and that was kept, as text. */
  readonly readOutput: (output: ArtifactRef) => Promise<string>;
  /** The way to the grammars, for checks that read code. */
  readonly loadSyntax: LoadSyntax;
  readonly desk: Desk;
}

export interface NotifierWorld {
  readonly proc: Proc;
  readonly files: Files;
  readonly env: Environment;
  readonly http: Http;
  readonly mail: Mail;
}
