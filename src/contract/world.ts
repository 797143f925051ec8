// The world: everything outside the program that a run may reach.
import type { Artifacts } from "./artifacts.ts";
import type { CacheStore } from "./caches.ts";
import type { Census, Clock, Environment, Ids, KillSwitch } from "./clock.ts";
import type { MarkedCommand, Proc } from "./commands.ts";
import type { CopyFiles, FileList, Files, HandedFiles, MayChange, RoomFiles, WorkspaceFiles } from "./files.ts";
import type { Forges } from "./forge.ts";
import type { ChangeReader, Checkouts, GitReader, GitScout, Mover } from "./git.ts";
import type { McpServers } from "./mcp.ts";
import type { Models } from "./models.ts";
import type { Http, Mail } from "./net.ts";
import type { Outfitter, PreparedStore } from "./prepared.ts";
import type { LoadSyntax } from "./syntax.ts";
import type { Workshop } from "./workshop.ts";

/** What of this machine checks go by. */
export interface Surroundings {
  /** Kernel, who we are and in which version, how commands are boxed and with which toolchains, and the variables that they are given, with these. Undefined where they are not boxed. */
  word(inherit: readonly string[]): Promise<string | undefined>;
  /** The programs that compile, by what lies where PATH leads, as one word. */
  toolchain(): Promise<string>;
  /** When a program, a package, a toolchain, or anything in these folders (without those, and our home) was last changed, added or taken away. Undefined where that cannot be told. */
  newestChange(also: { readonly in: readonly string[]; readonly without: readonly string[] }): Promise<Date | undefined>;
}

/** Everything outside the program, behind the smallest doors that serve. */
export interface World {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly git: GitReader;
  readonly scout: GitScout;
  readonly workshop: Workshop;
  readonly prepared: PreparedStore;
  readonly caches: CacheStore;
  readonly outfitter: Outfitter;
  readonly proc: Proc<MarkedCommand>;
  readonly files: Files;
  readonly artifacts: Artifacts;
  readonly env: Environment;
  readonly census: Census;
  readonly loadSyntax: LoadSyntax;
  readonly surroundings: Surroundings;
  readonly servers: McpServers;
  readonly models: Models;
  readonly mover: Mover;
  readonly comparing: Pick<ChangeReader, "betweenCommits">;
  readonly checkouts: Checkouts;
  readonly killSwitch: KillSwitch;
  readonly http: Http;
  readonly forges: Forges;
  readonly mail: Mail;
  /** The plain files under a folder, in order, without following links and without `.git`. */
  listFiles(folder: string, most: number): Promise<FileList>;
  /** Settings of an agent, in its own format, with our hook in them; the flags tell the hook about this run. */
  hookSettings(adapter: string, flags: string): string;
  workspaceFiles(work: string): WorkspaceFiles & RoomFiles & HandedFiles;
  copyFiles(work: string, mayChange: MayChange): CopyFiles;
}
