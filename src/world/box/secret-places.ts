// What no command in a box may see, as data. Places, not all of the home: toolchains live there too.

/** Below the user's home: keys, tokens, sessions, histories. */
export const SECRET_IN_HOME: readonly string[] = [
  // keys and passwords
  ".ssh",
  ".gnupg",
  ".netrc",
  "_netrc",
  ".git-credentials",
  ".config/git/credentials",
  ".password-store",
  ".local/share/keyrings",
  ".keychain",
  ".vault-token",
  ".config/op",
  ".op",
  ".pgpass",
  ".my.cnf",
  ".mylogin.cnf",
  "Library/Keychains",
  // clouds and clusters
  ".aws",
  ".azure",
  ".config/gcloud",
  ".boto",
  ".s3cfg",
  ".oci",
  ".kube",
  ".docker",
  ".colima",
  ".orbstack",
  ".config/containers/auth.json",
  ".config/doctl",
  ".config/rclone",
  ".fly",
  ".terraformrc",
  ".terraform.d/credentials.tfrc.json",
  ".config/gh",
  ".config/hub",
  ".config/glab-cli",
  // package registries
  ".npmrc",
  ".pypirc",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".m2/settings.xml",
  ".m2/settings-security.xml",
  ".gradle/gradle.properties",
  ".composer/auth.json",
  ".config/composer/auth.json",
  ".nuget/NuGet/NuGet.Config",
  // coding agents
  ".claude",
  ".claude.json",
  ".config/claude",
  ".codex",
  ".gemini",
  ".config/opencode",
  ".local/share/opencode",
  ".pi",
  ".aider.conf.yml",
  ".cursor",
  ".config/cursor",
  ".copilot",
  ".config/github-copilot",
  ".config/goose",
  // browsers and mail
  ".mozilla",
  ".thunderbird",
  ".config/google-chrome",
  ".config/chromium",
  ".config/BraveSoftware",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Firefox",
  "Library/Cookies",
  // what was typed
  ".bash_history",
  ".zsh_history",
  ".local/share/fish/fish_history",
  ".python_history",
  ".node_repl_history",
  ".psql_history",
  ".mysql_history",
  ".sqlite_history",
  ".rediscli_history",
  ".viminfo",
  ".lesshst",
];

/** Sockets of the machine's services (docker, D-Bus, the user's session …) and files that only root should read. */
export const SECRET_IN_SYSTEM: readonly string[] = [
  "/run",
  "/var/run",
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/ssl/private",
  "/etc/kubernetes",
];

/** What programs need of those: how names are looked up, and where NixOS has its programs. */
export const NEEDED_IN_SYSTEM: readonly string[] = [
  "/run/systemd/resolve/stub-resolv.conf",
  "/run/systemd/resolve/resolv.conf",
  "/run/NetworkManager/resolv.conf",
  "/run/resolvconf",
  "/run/current-system",
  "/run/opengl-driver",
];

/** Where programs put temporary files: each box has its own. */
export const TEMPORARY: readonly string[] = ["/tmp", "/var/tmp", "/dev/shm"];
