// Commands: what one may see and use, what it is kept to, how it ended.
import type { ArtifactRef } from "./artifacts.ts";
import type { Untrusted } from "./text.ts";

/** A shell command, with everything it may see and use. */
export interface Command {
  readonly run: string;
  readonly cwd: string;
  /** The whole environment. Nothing of ours is added but a mark that lets us find the process again. */
  readonly env: { readonly [name: string]: string };
  readonly timeoutMs: number;
  readonly input?: string;
  /** Called about twice a second while it runs; on `stop` the whole group is ended, and the end is told as a time-out. */
  readonly meanwhile?: (used: Used) => Promise<"go-on" | "stop">;
}

/** What a command has used so far, with all its processes. What the system does not tell is not there. */
export interface Used {
  readonly cpuMs?: number;
  /** As many as were seen: one that came and went between two looks was not. */
  readonly processes?: number;
  readonly diskBytes?: number;
}

/** What the operating system should keep a command to. The engine decides this: a part cannot. */
export interface BoxWish {
  /** Required: without a box the command does not run. */
  readonly when: "available" | "required";
  readonly network: "closed" | "open" | EgressWish;
  /** Its own places, to read and write. */
  readonly rooms: readonly string[];
  /** Folders that lie under its rooms, the first on top: what is written there stays in the room. */
  readonly layered?: readonly LayeredRoom[];
  /** What it cannot do without, wherever that lies: to read only. */
  readonly needs: readonly string[];
  /** What the spec opens for it: absolute, from `~`, or from the folder below. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Folders among these that are made where they are missing: in the box nobody could make them. */
  readonly makes?: readonly string[];
  /** What it may not see unless the spec opens it. */
  readonly covers?: readonly string[];
  /** What it may not see, besides what no command sees; written in the same ways. */
  readonly hidden: readonly string[];
  readonly folder: string;
  /** Whose part of `box` in the spec opens more for it. */
  readonly part?: "maker" | "verifiers";
}

export interface LayeredRoom {
  readonly room: string;
  readonly below: readonly string[];
}

/** Which hosts a command reaches, by way of a proxy of ours and in no other way. Hosts are written as in a spec. */
export interface EgressWish {
  readonly allow: readonly string[];
  readonly credentials: readonly CredentialWish[];
}

/** A secret by the name of its variable: it is put into requests outside the box. */
export interface CredentialWish {
  readonly to: string;
  readonly header: string;
  readonly scheme?: string | undefined;
  readonly variable: string;
  readonly baseUrls: { readonly [variable: string]: string };
}

/** A command with the mark by which its processes are found again, even those that left their group. */
export interface MarkedCommand extends Command {
  readonly mark: string;
  readonly box?: BoxWish | undefined;
}

export interface Finished {
  readonly end:
    | { readonly kind: "exited"; readonly code: number }
    /** With a reason where it was us, because it used more than it may. */
    | { readonly kind: "killed"; readonly signal: string; readonly why?: string }
    | { readonly kind: "timed-out"; readonly afterMs: number };
  readonly tookMs: number;
  readonly used?: Used;
  /** Everything it printed, up to a cap. */
  readonly output: ArtifactRef;
  /** The last of it, and what it missed. */
  readonly tail: Untrusted;
  /** Which path a failed command missed only because its box hides it, and what to write so that it is shown. */
  readonly missed?: string;
  /** What it was truly kept to, whatever was wished for. */
  readonly box: BoxFact;
  /** What it asked our proxy for; not there where there was none. */
  readonly egress?: readonly EgressConnection[];
}

export interface Proc<C extends Command = Command> {
  /** Runs a command in a process group of its own and ends the whole group with it, also when we are killed. */
  run(command: C, dialogue?: Dialogue): Promise<Finished>;
}

/** How it ended and what it said last, for a message about one that did not do what was wanted. */
export const tellFinished = ({ end, tail }: Pick<Finished, "end" | "tail">): string =>
  `${tellEnd(end)}${tail.trim() === "" ? "" : `, and last said: ${tail.trim().slice(-500)}`}`;

function tellEnd(end: Finished["end"]): string {
  switch (end.kind) {
    case "exited":
      return `exited with ${end.code}`;
    case "killed":
      return `was killed by ${end.signal}${end.why === undefined ? "" : `, because ${end.why}`}`;
    case "timed-out":
      return `took longer than ${end.afterMs} ms`;
  }
}

/** For a part that listens to its command while it runs. Standard error is kept like all output, and not heard. */
export interface Dialogue {
  /** Each line of standard output once it is whole. Of a line longer than a mebibyte, and of bytes that are no text, the rest is lost. Printing waits for it. */
  heard(line: Untrusted): Promise<void>;
  /** Called once, when it runs. A command without `input` can be spoken to. */
  begun?(speaker: Speaker): void;
}

export interface Speaker {
  say(text: string): void;
  /** Lets it read the end of its input. */
  hangUp(): void;
  /** Ends the command and all it started, gently first. */
  end(): void;
}

/** What the operating system truly kept the commands of a part to. */
export type BoxFact =
  /** It ran no command, so there was nothing to keep. */
  | { readonly kind: "unused" }
  | { readonly kind: "none"; readonly why: string; readonly bounds?: Bounds }
  | {
      readonly kind: "bubblewrap" | "namespaces" | "seatbelt";
      /** `listed`: only the hosts below, by way of our proxy. */
      readonly network: "closed" | "open" | "listed";
      readonly reaches?: readonly string[];
      /** Where it could write besides its own room. */
      readonly writes: readonly string[];
      /** What it could not see, of what is worth telling: a box shows the system, toolchains, and what is opened for it. */
      readonly hides: readonly string[];
      /** Calls that reach the login's keys, other machines beside the network, or into the kernel were refused. Not there: they were not. */
      readonly calls?: "filtered";
      /** Where we are root. `changed`: to the kernel too it was somebody whom nothing belongs to. `shown`: only called so, because it needs what is root's. */
      readonly user?: "changed" | "shown";
      /** What was prepared lay under its rooms, and was not copied into them. */
      readonly rooms?: "layered";
      readonly bounds?: Bounds;
    };

/** What of the machine a command could take at most with all its processes, and who kept it to that. What is not there was not bounded. */
export interface Bounds {
  /** `group`: the kernel, all together. `process`: the kernel each of them, and we the sum, a few times a second. */
  readonly memory?: { readonly bytes: number; readonly by: "group" | "process" };
  /** `user`: the kernel, all boxes of this user together. `look`: we, by the tasks of the whole machine. */
  readonly processes?: { readonly most: number; readonly by: "group" | "user" | "look" };
}

/** One connection that a command asked our proxy for. */
export interface EgressConnection {
  readonly host: string;
  readonly port: number;
  /** Why it was refused, or came to nothing; not there for one that was made. */
  readonly refused?: string;
  /** The header that a credential was put into. */
  readonly credential?: string;
  readonly sent: number;
  readonly received: number;
}

/** Where the commands of a maker went, host by host. */
export interface EgressFact {
  readonly hosts: readonly {
    readonly host: string;
    readonly port: number;
    readonly allowed: number;
    readonly refused: number;
    readonly sent: number;
    readonly received: number;
  }[];
  /** Connections all together, also to hosts that did not fit into the list; those after the first 20,000 are not told. */
  readonly connections: number;
  /** Each of them, one JSON a line. */
  readonly log: ArtifactRef;
}
