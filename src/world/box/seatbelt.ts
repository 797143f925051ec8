// A command in macOS's seatbelt. Written by Apple's profiles and the documentation of others; no test has run it on a Mac yet.
import type { BoxWish } from "../../contract/commands.ts";
import type { Place } from "./box-plan.ts";

/** Devices that every program may write to. */
const DEVICES = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/dtracehelper"];

/** There are no private temporary folders here: they are in the room, and programs are told so. */
const INSIDE = `if [ -n "$HOME" ] && [ -w "$HOME" ]; then TMPDIR="$HOME/tmp"; export TMPDIR; mkdir -p "$TMPDIR"; fi
exec /bin/sh -c -- "$1"`;

export const seatbelted = (
  path: string,
  places: readonly Place[],
  wish: Pick<BoxWish, "network">,
  { run, ports }: { readonly run: string; readonly ports: readonly number[] },
): readonly string[] => [path, "-p", profileText(places, wish, ports), "/bin/sh", "-c", INSIDE, "sh", run];

/** The last rule that fits decides, so that parents come first. */
export const profileText = (places: readonly Place[], { network }: Pick<BoxWish, "network">, ports: readonly number[] = []): string =>
  [
    "(version 1)",
    "(allow default)",
    ...(network === "open" ? [] : ["(deny network*)", ...ports.map((port) => `(allow network-outbound (remote ip "localhost:${port}"))`)]),
    "(deny file-write*)",
    `(allow file-write* ${DEVICES.map((device) => `(literal ${quoted(device)})`).join(" ")} (subpath "/dev/fd"))`,
    ...places.flatMap(rulesOf),
    "",
  ].join("\n");

function rulesOf({ path, access, isFolder }: Place): readonly string[] {
  const where = `(${isFolder ? "subpath" : "literal"} ${quoted(path)})`;
  switch (access) {
    case "read":
      return [`(allow file-read* ${where})`, `(deny file-write* ${where})`];
    case "write":
      return [`(allow file-read* file-write* ${where})`];
    case "scratch":
    case "hidden":
      // That a folder is there may be known: without it no program could find its way to a room below.
      return [`(deny file-read-data file-read-xattr file-write* ${where})`];
  }
}

const quoted = (path: string): string => `"${path.replace(/[\\"]/g, "\\$&")}"`;
