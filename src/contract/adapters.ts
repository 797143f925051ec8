// What a hook adapter is: how another coding agent asks about a command, hears the answer, and is told to ask.

export type HookDecision = "allow" | "ask" | "deny";

/** What the agent is about to do. Only shell commands concern the guard. */
export type HookCall =
  | {
      readonly kind: "command";
      readonly command: string;
      readonly cwd: string | undefined;
      /** The agent says that nobody answers its questions: what would be asked is denied. */
      readonly unattended?: true;
    }
  | { readonly kind: "other" }
  | { readonly kind: "unreadable"; readonly why: string };

/** What the hook process says, in the agent's own protocol. */
export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export type HookEdit =
  | { readonly kind: "changed"; readonly text: string }
  /** Nothing but ours was in the file: it goes away. */
  | { readonly kind: "removed" }
  | { readonly kind: "unchanged" }
  | { readonly kind: "refused"; readonly why: string };

/** One agent's hook protocol, as data and pure functions. */
export interface HookAdapter {
  readonly name: string;
  readonly summary: string;
  /** What a user has to know: what the agent's own hooks cannot do, and what is not known for sure. */
  readonly notes: readonly string[];
  /** The file that starts the hook, relative to the project and to the home folder; undefined where nothing is installed. */
  readonly settings:
    | {
        readonly project: string;
        readonly user: string;
        /** In the project, and nobody's but one's own: not there where the agent has no such file. */
        readonly local?: string;
      }
    | undefined;
  /** The installed command is run by a shell such as sh, and a JSON object on its output can tell the person something (`systemMessage`). */
  readonly inShell?: true;
  readonly readCall: (input: string) => HookCall;
  readonly answer: (decision: HookDecision, reason: string) => HookAnswer;
  /** The settings with our hook in them; undefined settings are a file that is not there. */
  readonly install: (settings: string | undefined, command: string) => HookEdit;
  /** Takes out what `install` put in, and nothing else. */
  readonly uninstall: (settings: string, command: string) => HookEdit;
  /** Not there for an agent whose hooks cannot keep it from stopping, or do not say how. */
  readonly stopping?: StopHook;
}

/** What an agent tells about its own session. */
export type SessionCall =
  | { readonly kind: "begin" | "stop"; readonly session: string; readonly cwd: string | undefined }
  | { readonly kind: "other" }
  | { readonly kind: "unreadable"; readonly why: string };

/** How an agent tells that its session starts and that it is about to stop, and is told to go on instead. */
export interface StopHook {
  readonly readCall: (input: string) => SessionCall;
  /** Lets it stop, with words for the user where there are any. */
  readonly pass: (says: string) => HookAnswer;
  /** Makes it go on, with the reason as what it has to do. */
  readonly block: (reason: string) => HookAnswer;
  /** The settings with our hooks in them. Flags belong to the command; those of an earlier installation go. */
  readonly install: (settings: string | undefined, command: string, flags: string) => HookEdit;
  readonly uninstall: (settings: string, command: string) => HookEdit;
}

export const defineHookAdapter = (adapter: HookAdapter): HookAdapter => adapter;

/** The settings files of other programs: what cannot be read for certain is never taken for absent. */
export interface SettingsFiles {
  read(path: string): Promise<SettingsFile>;
  /** Whole or not at all; a link keeps pointing, and the permissions stay. */
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
}

export type SettingsFile =
  | { readonly kind: "absent" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unusable"; readonly why: string };
