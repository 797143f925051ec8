// Shows the first lines on this machine's desktop.
import * as z from "zod";
import { LoopError } from "../contract/errors.ts";
import { defineNotifier } from "../contract/notifier.ts";
import { chosenEnvironment } from "../std/environment.ts";
import { shellWord } from "../std/shell-word.ts";

const MOST_CHARS = 300;

export const desktop = defineNotifier({
  name: "desktop",
  summary: "Shows it on the desktop of this machine: notify-send on Linux, osascript on macOS.",
  options: z.strictObject({}),
  async tell({ loop, folder, report }, _, { proc, env }) {
    const text = report.replace(/[\0-\x1f\x7f]+/g, " ").slice(0, MOST_CHARS);
    const title = `loopwright: ${loop}`;
    // Handed over by the environment and not as a part of a script, so that nothing in it is obeyed.
    const script = 'display notification (system attribute "LOOPWRIGHT_TEXT") with title (system attribute "LOOPWRIGHT_TITLE")';
    const run = `if command -v notify-send >/dev/null; then notify-send -- "$LOOPWRIGHT_TITLE" "$LOOPWRIGHT_TEXT"; else osascript -e ${shellWord(script)}; fi`;
    const { end } = await proc.run({
      run,
      cwd: folder,
      env: {
        ...chosenEnvironment(["HOME", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"], env),
        LOOPWRIGHT_TITLE: title,
        LOOPWRIGHT_TEXT: text,
      },
      timeoutMs: 15_000,
    });
    if (end.kind === "exited" && end.code === 0) return;
    throw new LoopError("notify-failed", "nothing could be shown on the desktop", {
      retry: "never",
      hint: "It needs notify-send or osascript, and a desktop that somebody is logged in to.",
    });
  },
});
