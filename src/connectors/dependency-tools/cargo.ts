// Rust: `cargo outdated` and `cargo audit`, which are installed beside cargo.
import { type Fields, fieldsOf, textIn } from "../../std/json-record.ts";
import { type DependencyTool, entriesOf, listIn, part, readFields, readObjects, textsIn } from "./tool.ts";

export const cargo: DependencyTool = {
  outdated: {
    run: "cargo outdated --root-deps-only --format json",
    answers: [0],
    read(printed) {
      // One object for each crate of the workspace.
      const crates = readObjects(printed);
      if (!crates?.every((crate) => listIn(crate, "dependencies") !== undefined)) return undefined;
      const found = crates.flatMap((crate) =>
        (listIn(crate, "dependencies") ?? []).flatMap((one) => {
          const fields = fieldsOf(one);
          const [name, latest, kind] = [textIn(fields, "name"), textIn(fields, "latest"), textIn(fields, "kind")];
          // What it would remove has no version, only a word or dashes.
          if (name === undefined || latest === undefined || !/^\d/.test(latest)) return [];
          const of = textIn(crate, "crate_name");
          const more = [
            ...(kind === undefined || kind === "Normal" ? [] : [kind.toLowerCase()]),
            ...(of === undefined ? [] : [`for ${of}`]),
          ];
          return [{ name, version: textIn(fields, "project"), latest, more }];
        }),
      );
      return { found };
    },
  },
  vulnerable: {
    run: "cargo audit --json",
    answers: [0, 1],
    read(printed) {
      const whole = readFields(printed);
      const list = listIn(fieldsOf(whole?.get("vulnerabilities")), "list");
      if (!list) return undefined;
      const warnings = entriesOf(whole?.get("warnings") ?? {}) ?? [];
      return {
        found: [
          ...list.flatMap((one) => vulnerableIn(fieldsOf(one), undefined)),
          ...warnings.flatMap(([kind, one]) => vulnerableIn(one, kind)),
        ],
      };
    },
  },
  address: (name, version) => `https://crates.io/crates/${part(name)}/${part(version)}`,
};

/** Of a warning its kind is known: unmaintained, unsound or yanked. One that was yanked has no advisory. */
function vulnerableIn(fields: Fields | undefined, kind: string | undefined) {
  const [advisory, crate] = [fieldsOf(fields?.get("advisory")), fieldsOf(fields?.get("package"))];
  const name = textIn(crate, "name");
  if (name === undefined) return [];
  const id = textIn(advisory, "id");
  const patched = textsIn(fieldsOf(fields?.get("versions")), "patched");
  return [
    {
      name,
      version: textIn(crate, "version"),
      advisory: id ?? kind ?? "an advisory",
      title: textIn(advisory, "title") ?? `this version is ${kind ?? "bad"}`,
      severity: undefined,
      mendedIn: patched.length === 0 ? undefined : patched.join(" or "),
      address: id === undefined ? undefined : `https://rustsec.org/advisories/${part(id)}.html`,
      more: [...(kind === undefined ? [] : [kind]), ...textsIn(advisory, "aliases").slice(0, 3)],
    },
  ];
}
