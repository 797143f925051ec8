// Where version managers and package managers keep what they installed, as data: found by their variable, else at their usual place.

/** One folder of a tool's. Only what is named of it is let in: what the tool was told, and by whom, lies there as well. */
export interface ToolHome {
  readonly variable?: string;
  /** Below the user's home, where the variable does not say otherwise. */
  readonly usually: string;
  /** What of it is the toolchain; all of it where nothing is named. */
  readonly shows?: readonly string[];
  /** What stays hidden within that; a star stands for one name. */
  readonly hides?: readonly string[];
  /** The same, where a secret stands in it: settings that builds go by where they hold none. */
  readonly hidesSecrets?: readonly string[];
}

/** Settings of package managers for everybody who uses an installation: what a registry is asked with is written there. */
const SETTINGS = ["etc/npmrc", "etc/pip.conf", "etc/gemrc", "pip.conf", ".condarc", "condarc", "conf/settings.xml"];
const settingsOf = (...installations: readonly string[]): readonly string[] =>
  installations.flatMap((installation) => SETTINGS.map((name) => `${installation}/${name}`));
/** What a clone was made from: with the password, where that stood in the address. */
const clonesIn = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) => ["config", "FETCH_HEAD", "packed-refs"].map((name) => `${folder}/${name}`));

export const TOOL_HOMES: readonly ToolHome[] = [
  {
    variable: "NVM_DIR",
    usually: ".nvm",
    shows: ["versions", "alias", "nvm.sh", "nvm-exec", "bash_completion"],
    hides: settingsOf("versions/*/*"),
  },
  {
    variable: "FNM_DIR",
    usually: ".local/share/fnm",
    shows: ["node-versions", "aliases"],
    hides: settingsOf("node-versions/*/installation"),
  },
  { variable: "VOLTA_HOME", usually: ".volta", shows: ["bin", "tools"], hides: settingsOf("tools/image/*/*") },
  {
    variable: "ASDF_DATA_DIR",
    usually: ".asdf",
    shows: ["asdf.sh", "bin", "lib", "libexec", "completions", "defaults", "shims", "installs", "plugins"],
    hides: [...settingsOf("installs/*/*"), "plugins/*/.git"],
  },
  {
    variable: "MISE_DATA_DIR",
    usually: ".local/share/mise",
    shows: ["installs", "shims", "plugins"],
    hides: [...settingsOf("installs/*/*"), "plugins/*/.git"],
  },
  {
    variable: "PYENV_ROOT",
    usually: ".pyenv",
    shows: ["bin", "libexec", "shims", "versions", "plugins", "pyenv.d", "completions", "version"],
    hides: [...settingsOf("versions/*", "versions/*/envs/*"), "plugins/*/.git"],
  },
  {
    variable: "RBENV_ROOT",
    usually: ".rbenv",
    shows: ["bin", "libexec", "shims", "versions", "plugins", "rbenv.d", "completions", "version"],
    hides: [...settingsOf("versions/*"), "plugins/*/.git"],
  },
  { variable: "RUSTUP_HOME", usually: ".rustup", shows: ["toolchains", "settings.toml", "update-hashes"] },
  {
    variable: "CARGO_HOME",
    usually: ".cargo",
    shows: ["bin", "env", "config", "config.toml", "registry", "git", ".crates.toml", ".crates2.json"],
    hidesSecrets: ["config", "config.toml", ...clonesIn("git/db/*", "git/checkouts/*/*/.git")],
  },
  {
    variable: "SDKMAN_DIR",
    usually: ".sdkman",
    shows: ["bin", "candidates", "contrib", "src"],
    hides: [...settingsOf("candidates/*/*"), "candidates/gradle/*/init.d"],
  },
  {
    variable: "DOTNET_ROOT",
    usually: ".dotnet",
    shows: ["dotnet", "host", "shared", "sdk", "packs", "templates", "sdk-manifests", "metadata", "tools"],
  },
  { variable: "PNPM_HOME", usually: ".local/share/pnpm" },
  { variable: "BUN_INSTALL", usually: ".bun", shows: ["bin", "install"] },
  { variable: "DENO_INSTALL", usually: ".deno", shows: ["bin", "lib"] },
  { variable: "GOROOT", usually: ".go" },
  { variable: "JAVA_HOME", usually: ".jdk" },
  { variable: "GEM_HOME", usually: ".gem", hides: ["credentials"] },
  { variable: "ANDROID_HOME", usually: "Android/Sdk" },
  { usually: ".ghcup", shows: ["bin", "ghc", "hls", "env"] },
  { variable: "ELAN_HOME", usually: ".elan", shows: ["bin", "toolchains", "settings.toml", "env"] },
  { variable: "OPAMROOT", usually: ".opam" },
  { usually: ".juliaup" },
  { usually: ".yarn" },
  { usually: ".config/yarn/global" },
  { usually: ".local/share/uv/python", hides: settingsOf("*") },
  { usually: ".local/share/uv/tools", hides: settingsOf("*") },
  { usually: ".local/share/pipx", hides: settingsOf("venvs/*") },
  { usually: ".local/lib" },
  { usually: ".nix-profile" },
  // The user's policy: hooks that agents run in the box go by it.
  { usually: ".config/loopwright" },
];

/** Caches of downloaded packages, which builds without a network go by. */
export const CACHES: readonly ToolHome[] = [
  { usually: ".npm/_cacache" },
  { variable: "YARN_CACHE_FOLDER", usually: ".cache/yarn" },
  { variable: "GOMODCACHE", usually: "go/pkg/mod", hides: ["cache/vcs"] },
  { usually: ".m2/repository" },
  { usually: ".m2/wrapper" },
  { usually: ".gradle/caches" },
  { usually: ".gradle/wrapper" },
  { variable: "PIP_CACHE_DIR", usually: ".cache/pip" },
  { variable: "UV_CACHE_DIR", usually: ".cache/uv", hidesSecrets: clonesIn("git-v0/db/*", "git-v0/checkouts/*/*/.git") },
  { variable: "NUGET_PACKAGES", usually: ".nuget/packages" },
  { variable: "COMPOSER_CACHE_DIR", usually: ".cache/composer", hidesSecrets: clonesIn("vcs/*") },
  { variable: "PLAYWRIGHT_BROWSERS_PATH", usually: ".cache/ms-playwright" },
  { variable: "PUPPETEER_CACHE_DIR", usually: ".cache/puppeteer" },
  { variable: "DENO_DIR", usually: ".cache/deno" },
  { usually: ".cache/node/corepack" },
];

/** Folders whose content are programs, with what they need beside them. */
export const PROGRAM_FOLDERS: ReadonlySet<string> = new Set(["bin", "sbin", "shims", "Scripts"]);

/** What lies beside the programs of an installation, whoever made it. Whatever else does is somebody's. */
const PARTS_OF_INSTALLATION: ReadonlySet<string> = new Set(
  [
    ..."bin sbin shims Scripts condabin lib lib32 lib64 libs libx32 libexec share include Frameworks".split(" "),
    ...["jre", "jmods", "boot", "conda-meta", "compiler_compat", "releases", "resources", "node_modules"],
    ...["pyvenv.cfg", "VERSION", "version", "release", "go.env", "package.json"],
  ].filter(Boolean),
);
export const isPartOfInstallation = (name: string): boolean => PARTS_OF_INSTALLATION.has(name) || OF_PROGRAMS.test(name);
/** What programs are made of, and what they load. */
const OF_PROGRAMS = /^erts-[\d.]+$|\.(?:so(?:\.\d+)*|dylib|node|jar|asar|pak|wasm|[cm]?js|pyc)$/;

/** Installations that are nothing else: all of these are there. */
export const WHOLE_INSTALLATIONS: readonly (readonly string[])[] = [["VERSION", "src/runtime"], ["release", "lib/modules"], ["Cellar"]];
