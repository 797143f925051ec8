// Folders that lie under a room: what the kernel is told to mount, in a mount namespace that is gone with the command.
import type { Environment } from "../../contract/clock.ts";
import { shellWord } from "../../std/shell-word.ts";
import { findProgram } from "../machine/survey.ts";

/** Programs of util-linux, by their paths. */
export interface LayerTools {
  readonly unshare: string;
  readonly mount: string;
}

/** Systems keep some of these where only root's PATH leads. */
const TOOL_FOLDERS = "/usr/sbin:/usr/bin:/sbin:/bin";

export async function findLayerTools(env: Environment): Promise<LayerTools | undefined> {
  const paths: Environment = { get: (name) => (name === "PATH" ? `${env.get("PATH") ?? ""}:${TOOL_FOLDERS}` : env.get(name)) };
  const [unshare, mount] = await Promise.all([findProgram("unshare", paths), findProgram("mount", paths)]);
  return unshare === undefined || mount === undefined ? undefined : { unshare, mount };
}

/** By names relative to the place: absolute ones would tell every command in the room where the home is. */
export interface Layered {
  /** The folder that the room lies in. */
  readonly place: string;
  readonly room: string;
  /** The first on top. */
  readonly below: readonly string[];
  /** An empty folder of the kernel's own, new for each mount. */
  readonly scratch: string;
}

/**
 * What is written in the room goes into its own folder, so that whoever looks from outside sees there what the room has of its own.
 * Nothing is flushed to the disk for it: after a crash of the machine no room is gone on with. Only root can note that a folder of a layer
 * was renamed; for others such a renaming fails, and programs that can copy instead do.
 */
export const mountLines = ({ mount }: Pick<LayerTools, "mount">, { place, room, below, scratch }: Layered, isRoot: boolean): string => {
  const options = [
    `lowerdir=${below.join(":")}`,
    `upperdir=${room}`,
    `workdir=${scratch}`,
    isRoot ? "redirect_dir=on" : "userxattr",
    // Said, since a kernel may be built otherwise: files in the room would be without content for who looks from outside, or refuse another scratch.
    "metacopy=off",
    "index=off",
    "volatile",
  ];
  return [
    `cd ${shellWord(place)}`,
    `${shellWord(mount)} -n -t overlay -o ${shellWord(options.join(","))} loopwright ${shellWord(room)}`,
  ].join("\n");
};

/** Stands before a command that makes its box itself. */
export const inLayers = ({ unshare }: Pick<LayerTools, "unshare">, lines: string, isRoot: boolean): readonly string[] => [
  unshare,
  ...(isRoot ? [] : ["--user", "--map-root-user"]),
  "--mount",
  "--",
  "/bin/sh",
  "-c",
  `set -e\n${lines}\nunset OLDPWD\nexec "$@"`,
  "sh",
];
