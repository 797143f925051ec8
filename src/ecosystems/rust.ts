// Rust, by cargo.
import type { Ecosystem } from "../contract/scan.ts";
import { readToml } from "./reading/toml.ts";
import { at, certain, check, command, folderOf, has, isUnder, likely, named, PRINTED } from "./sights.ts";

const ECOSYSTEM = "rust";
const CACHE = 'CARGO_HOME="$PWD/.lw-cargo"';
/** A toolchain of rustup lies in the user's home. */
const INHERIT = ["HOME"];

export const rust: Ecosystem = {
  name: ECOSYSTEM,
  reads: (name) => name === "Cargo.toml",
  look: (tree) => {
    const crates = named(tree, (name) => name === "Cargo.toml").map((file) => ({
      file,
      folder: folderOf(file),
      toml: readToml(tree.texts.get(file) ?? ""),
    }));
    const roots = crates.filter(({ folder }) => !crates.some((other) => other.folder !== folder && isUnder(folder, other.folder)));
    const needing = (folder: string) =>
      crates.find(
        ({ folder: own, toml }) =>
          (own === folder || isUnder(own, folder)) &&
          ["dependencies", "dev-dependencies", "build-dependencies", "workspace.dependencies"].some(
            (table) => toml.keysOf(table).length > 0 || toml.tablesIn(`${table}.`).length > 0,
          ),
      );
    return {
      packages: crates.flatMap(({ file, folder, toml }) => {
        const name = toml.text("package", "name");
        return name === undefined
          ? []
          : [{ folder, name, ecosystem: ECOSYSTEM, ...certain("it is a crate", at(file, toml.lineOf("package", "name"))) }];
      }),
      workspaces: crates.flatMap(({ file, folder, toml }) => {
        const line = toml.lineOfTable("workspace");
        const members = toml.list("workspace", "members") ?? [];
        return line === undefined ? [] : [{ tool: "cargo", folder, members, ...certain("the manifest names them", at(file, line)) }];
      }),
      managers: roots.map(({ file, folder }) => ({ manager: "cargo", folder, ...certain("its manifest is here", at(file)) })),
      commands: roots.flatMap(({ file, folder, toml }) => {
        const where = { folder, ecosystem: ECOSYSTEM };
        const all = toml.lineOfTable("workspace") === undefined ? "" : " --workspace";
        const fact = likely("it is what cargo does", at(file));
        return [
          command("test", `cargo test${all}`, where, fact),
          command("lint", `cargo clippy${all} --all-targets -- -D warnings`, where, fact),
          command("typecheck", `cargo check${all} --all-targets`, where, fact),
          command("build", `cargo build${all}`, where, fact),
          command("format", "cargo fmt --all", where, fact),
        ];
      }),
      checks: roots.map(({ file, folder, toml }) => {
        const all = toml.lineOfTable("workspace") === undefined ? "" : " --workspace";
        const start = needing(folder) ? `${CACHE} ` : "";
        const run = `${start}cargo test${all} --offline --no-fail-fast`;
        return check("cargo", run, { folder, ecosystem: ECOSYSTEM }, likely("it is what cargo does", at(file)), {
          results: { format: "cargo" },
          inherit: INHERIT,
          notes: [PRINTED],
        });
      }),
      prepares: roots.flatMap(({ folder }) => {
        const needs = needing(folder);
        if (!needs) return [];
        const lock = has(tree, folder, "Cargo.lock");
        const seen = [at(needs.file), ...(lock === undefined ? [] : [at(lock)])];
        const run = `${CACHE} cargo fetch${lock === undefined ? "" : " --locked"}`;
        const fact =
          lock === undefined
            ? likely("it has dependencies; no lock file pins them", ...seen)
            : certain("it has dependencies, and a lock file pins them", ...seen);
        return [{ run, folder, keep: [".lw-cargo"], ecosystem: ECOSYSTEM, inherit: INHERIT, ...fact }];
      }),
    };
  },
};
