// Sits the command guard into other agents: installs their hooks, and takes them out again.
import { join } from "node:path";
import { hookAdapters } from "../../adapters/index.ts";
import type { HookAdapter, HookEdit, SettingsFiles } from "../../contract/adapters.ts";
import { changeSettingsFile, type HookChange, refusedBy } from "./change-settings-file.ts";
import { adapterCalled, noSuchAdapter } from "./run-hook.ts";

export interface HookPlace {
  readonly adapter: string;
  /** `project` is shared with all who work on it, `local` is one's own there. */
  readonly scope: "project" | "local" | "user";
  /** What becomes of a command where `lw` is not installed; where nothing is said, it is denied. */
  readonly ifMissing?: "deny" | "allow";
  /** The absolute folder of the project, and the user's own. */
  readonly project: string;
  readonly home: string;
  /** Also let the referee judge what an agent did before it stops; flags for that call. Taking hooks out takes out both. */
  readonly referee?: { readonly flags: string };
}

/** `show` does everything but the writing. */
export function installHook(place: HookPlace, mode: "write" | "show", files: SettingsFiles): Promise<HookChange> {
  return changeSettings(place, mode, files, (adapter, text) => putHooks(adapter, text, place.referee, place.ifMissing));
}

/** The settings with the hook of the guard in them, and with that of the referee where it is wanted. */
export function putHooks(
  adapter: HookAdapter,
  text: string | undefined,
  referee: HookPlace["referee"],
  ifMissing: "deny" | "allow" = "deny",
): HookEdit {
  if (ifMissing === "allow" && !adapter.inShell)
    return {
      kind: "refused",
      why: `${adapter.name} may not run its hooks in a shell, so that they cannot let a command through without lw`,
    };
  const install = (before: string | undefined): HookEdit =>
    inTurn(before, [
      (old) => (old === undefined || !adapter.inShell ? UNCHANGED : adapter.uninstall(old, hookCommand(adapter, other(ifMissing)))),
      (old) => adapter.install(old, hookCommand(adapter, ifMissing)),
    ]);
  if (!referee) return install(text);
  const { stopping } = adapter;
  if (!stopping) return { kind: "refused", why: `no hook of ${adapter.name} that we know of can keep it from stopping` };
  return inTurn(text, [install, (before) => stopping.install(before, refereeCommand(adapter), referee.flags)]);
}

export function uninstallHook(place: HookPlace, mode: "write" | "show", files: SettingsFiles): Promise<HookChange> {
  return changeSettings(place, mode, files, takeHooks);
}

/** The settings without any of them, in whichever form they were put there. */
export function takeHooks(adapter: HookAdapter, text: string | undefined): HookEdit {
  if (text === undefined) return UNCHANGED;
  return inTurn(text, [
    (before) => (before === undefined ? UNCHANGED : (adapter.stopping?.uninstall(before, refereeCommand(adapter)) ?? UNCHANGED)),
    ...(["deny", "allow"] as const).map(
      (ifMissing) =>
        (before: string | undefined): HookEdit =>
          before === undefined || (ifMissing === "allow" && !adapter.inShell)
            ? UNCHANGED
            : adapter.uninstall(before, hookCommand(adapter, ifMissing)),
    ),
  ]);
}

const UNCHANGED: HookEdit = { kind: "unchanged" };

/** One edit after the other, as one. */
function inTurn(before: string | undefined, edits: readonly ((text: string | undefined) => HookEdit)[]): HookEdit {
  let text = before;
  for (const edit of edits) {
    const edited = edit(text);
    if (edited.kind === "refused") return edited;
    if (edited.kind !== "unchanged") text = edited.kind === "changed" ? edited.text : undefined;
  }
  if (text === before) return UNCHANGED;
  return text === undefined ? { kind: "removed" } : { kind: "changed", text };
}

const other = (ifMissing: "deny" | "allow"): "deny" | "allow" => (ifMissing === "deny" ? "allow" : "deny");

/** Where `lw` is not there, the shell says so to the person, and lets the command through. */
const MISSING = JSON.stringify({
  systemMessage: "lw is not installed here, so the command guard of this project did not look at this command",
});
const hookCommand = ({ name }: HookAdapter, ifMissing: "deny" | "allow"): string =>
  `${ifMissing === "deny" ? "" : `{ command -v lw >/dev/null 2>&1 || { echo '${MISSING}'; exit 0; }; } && `}lw hook run ${name}`;
const refereeCommand = ({ name }: HookAdapter): string => `lw hook run ${name} --referee`;

/** Settings of an agent that hold nothing but our hook, for an agent that a loop starts itself. */
export function settingsWithHook(adapterName: string, program: string, flags: string): string {
  const edit = adapterCalled(adapterName)?.install(undefined, `${program} hook run ${adapterName} ${flags}`);
  if (edit?.kind !== "changed") throw new TypeError(`no settings of ${adapterName} can hold a hook`);
  return edit.text;
}

async function changeSettings(
  place: HookPlace,
  mode: "write" | "show",
  files: SettingsFiles,
  edit: (adapter: HookAdapter, text: string | undefined) => HookEdit,
): Promise<HookChange> {
  const adapter = adapterCalled(place.adapter);
  if (!adapter) return { kind: "refused", why: `${noSuchAdapter(place.adapter)}.` };
  if (!adapter.settings) return refusedBy(place.adapter, edit(adapter, undefined));
  const { project, user, local } = adapter.settings;
  if (place.scope === "local" && local === undefined)
    return { kind: "refused", why: `${adapter.name} knows no settings that are only yours in one project: write --project or --user.` };
  const path =
    place.scope === "user" ? join(place.home, user) : join(place.project, place.scope === "local" ? (local ?? project) : project);
  return changeSettingsFile(path, mode, files, (text) => edit(adapter, text));
}

/** Every agent that can be asked to ask us, and what to know about each. */
export const describeHooks = (): readonly (Pick<HookAdapter, "name" | "summary" | "notes" | "settings"> & {
  readonly referee: boolean;
  readonly inShell: boolean;
})[] =>
  hookAdapters.map(({ name, summary, notes, settings, stopping, inShell = false }) => ({
    name,
    summary,
    notes,
    settings,
    referee: stopping !== undefined,
    inShell,
  }));
