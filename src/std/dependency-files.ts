// Which files decide what a package manager installs, in every ecosystem that we know.

/** Globs of manifests, lock files and settings of package managers, and of files that name the version of a language. */
export const DEPENDENCY_FILES: readonly string[] = [
  "**/{package.json,package-lock.json,npm-shrinkwrap.json,yarn.lock,pnpm-lock.yaml,pnpm-workspace.yaml,bun.lock,bun.lockb,bunfig.toml}",
  "**/{.npmrc,.yarnrc,.yarnrc.yml,.pnpmfile.cjs,.nvmrc,.node-version,deno.json,deno.jsonc,deno.lock,lerna.json}",
  "**/{pyproject.toml,setup.py,setup.cfg,poetry.lock,uv.lock,pdm.lock,pylock.toml,Pipfile,Pipfile.lock,pixi.toml,pixi.lock,.python-version}",
  "**/{*requirements*.txt,*requirements*.in,constraints*.txt,environment.yml,conda-lock.yml,pip.conf}",
  "**/{Cargo.toml,Cargo.lock,rust-toolchain,rust-toolchain.toml,go.mod,go.sum,go.work,go.work.sum}",
  "**/{Gemfile,Gemfile.lock,*.gemspec,.ruby-version,composer.json,composer.lock,mix.exs,mix.lock,rebar.config,rebar.lock}",
  "**/{pom.xml,build.gradle,build.gradle.kts,settings.gradle,settings.gradle.kts,gradle.properties,gradle.lockfile,libs.versions.toml}",
  "**/{*.csproj,*.fsproj,packages.lock.json,Directory.Packages.props,nuget.config,Package.swift,Package.resolved,pubspec.yaml,pubspec.lock}",
  "**/{.tool-versions,flake.nix,flake.lock,stack.yaml,stack.yaml.lock,*.cabal}",
];

/** Files that pin what is installed: where one of them lies, something is to be installed. */
export const LOCK_FILES: readonly string[] = [
  "**/{package-lock.json,npm-shrinkwrap.json,yarn.lock,pnpm-lock.yaml,bun.lock,bun.lockb,deno.lock}",
  "**/{poetry.lock,uv.lock,pdm.lock,pylock.toml,Pipfile.lock,*requirements*.txt,Gemfile.lock,composer.lock,mix.lock,pubspec.lock}",
];
