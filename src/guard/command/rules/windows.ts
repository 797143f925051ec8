// Rules about programs of Windows.
import type { CommandRule } from "../rule.ts";

const family = "windows";

export const windowsRules: readonly CommandRule[] = [
  {
    id: "windows-delete",
    family,
    severity: "high",
    why: "This deletes folders with all that is in them, without asking.",
    instead: "Delete the one file you made, by its name.",
    programs: [
      "remove-item",
      "ri",
      "rd",
      "rmdir",
      "del",
      "erase",
      "clear-content",
      "clear-disk",
      "format-volume",
      "remove-partition",
      "Remove-Item",
      "Clear-Disk",
      "Format-Volume",
      "initialize-disk",
    ],
    find: ({ program, text }) => {
      const name = program.toLowerCase();
      if (/^(clear-disk|format-volume|remove-partition|initialize-disk)$/.test(name)) return true;
      if (name === "rmdir") return /\s\/s\b/i.test(text);
      return (
        (/-rec/i.test(text) && /-fo/i.test(text)) || /\s\/[sqf]\b/i.test(text) || (/^(remove-item|ri)$/.test(name) && /-rec/i.test(text))
      );
    },
    examples: {
      flags: [
        "remove-item C:\\\\ -recurse -force",
        "Remove-Item -Recurse -Force x",
        "ri -r x -rec -fo",
        "rd /s /q C:\\\\x",
        "del /f /s /q *",
      ],
      passes: ["Remove-Item a.txt", "rmdir empty"],
    },
  },
  {
    id: "windows-registry",
    family,
    severity: "high",
    why: "This changes the registry, the boot set-up, shadow copies or the security of Windows.",
    instead: "Leave that to a human.",
    programs: [
      "reg",
      "bcdedit",
      "vssadmin",
      "wmic",
      "cipher",
      "set-executionpolicy",
      "set-mppreference",
      "disable-windowsoptionalfeature",
      "wbadmin",
      "fsutil",
      "regedit",
      "takeown",
      "attrib",
      "stop-service",
      "stop-process",
      "Set-ExecutionPolicy",
    ],
    find: ({ program, text }) => {
      switch (program.toLowerCase()) {
        case "reg":
          return /\b(delete|add|import|restore|load|unload)\b/i.test(text);
        case "vssadmin":
          return /\bdelete\b|\bresize\b/i.test(text);
        case "wmic":
          return /\bdelete\b|\bcall\b/i.test(text);
        case "cipher":
          return /\/w/i.test(text);
        case "fsutil":
          return /\b(deletejournal|setzerodata|dirty set)\b/i.test(text);
        case "wbadmin":
          return /\bdelete\b/i.test(text);
        case "attrib":
          return /\+[hs]/i.test(text);
        case "stop-process":
        case "stop-service":
          return true;
        default:
          return true;
      }
    },
    examples: {
      flags: ["reg delete HKLM\\\\x /f", "bcdedit /set x", "vssadmin delete shadows /all", "Set-ExecutionPolicy Unrestricted"],
      passes: ["reg query HKLM", "vssadmin list shadows"],
    },
  },
];
