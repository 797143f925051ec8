import { expect, it } from "vitest";
import { fits } from "./lend-caches.ts";

const CARGO = { under: "work", paths: ["target"], unless: ["**/.cargo/**", "**/rust-toolchain"], unlessIn: ["third-party"] } as const;
const TSC = { under: "work", paths: ["out", "tsconfig.tsbuildinfo"], unlessGone: true, unless: ["**/tsconfig*.json"] } as const;
const GO = { under: "home", paths: [".cache/go-build"] } as const;

const touching = (...touched: readonly string[]) => ({ touched, isAnyGone: false });

it.each([
  ["a source", CARGO, touching("src/lib.rs", "Cargo.toml", "target.rs")],
  ["a source", TSC, touching("src/a.ts", "src/new.ts")],
  ["whatever there is, of a cache that is told by content alone", GO, { touched: ["vendor/x.go", ".cache/go-build"], isAnyGone: true }],
])("is lent to a change of %s", (_, entry, changes) => {
  expect(fits(entry, changes)).toBe(true);
});

it.each([
  ["lies where the cache is", CARGO, touching("target/debug/deps/libdep.rlib")],
  ["stands in its place", CARGO, touching("target")],
  ["stands where its folder would be", { ...CARGO, paths: ["rust/target"] }, touching("rust")],
  ["lies among vendored packages", CARGO, touching("third-party/dep/src/lib.rs")],
  ["sets how dependencies are built", CARGO, touching("sub/.cargo/config.toml")],
  ["sets another tool chain", CARGO, touching("rust-toolchain")],
  ["sets what is written where", TSC, touching("packages/a/tsconfig.build.json")],
  ["takes a file away, whose output would stay", TSC, { touched: ["src/b.ts"], isAnyGone: true }],
])("stays cold for a change that %s", (_, entry, changes) => {
  expect(fits(entry, changes)).toBe(false);
});
