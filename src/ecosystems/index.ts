// Every ecosystem that we can read.
import type { Ecosystem } from "../contract/scan.ts";
import { cmake } from "./cmake.ts";
import { deno } from "./deno.ts";
import { dotnet } from "./dotnet.ts";
import { elixir } from "./elixir.ts";
import { go } from "./go.ts";
import { gradle } from "./gradle.ts";
import { just } from "./just.ts";
import { make } from "./make.ts";
import { maven } from "./maven.ts";
import { meson } from "./meson.ts";
import { node } from "./node.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";
import { swift } from "./swift.ts";
import { taskfile } from "./taskfile.ts";

export const ecosystems: readonly Ecosystem[] = [
  node,
  deno,
  python,
  go,
  rust,
  maven,
  gradle,
  dotnet,
  ruby,
  php,
  swift,
  elixir,
  cmake,
  meson,
  make,
  just,
  taskfile,
];
