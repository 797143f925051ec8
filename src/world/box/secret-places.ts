// What a command in a box may see of the system, and what it may not see of what is let in, as data.

/** The system itself, to read: a box starts empty, and nothing else is in it but what a command needs, toolchains and its room. */
export const SYSTEM: readonly string[] = [
  "/usr",
  "/etc",
  "/opt",
  "/nix",
  "/gnu",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/var/lib/gems",
  "/var/lib/ca-certificates",
  "/var/lib/dpkg",
  "/var/lib/rpm",
  "/var/cache/fontconfig",
  "/sys/devices/system",
];

/** Below the user's home, which is hidden: keys, tokens, sessions, histories that stay so where what is around them is let in. */
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

/** In a folder that is let in for another reason, such as the spec's own: what belongs to whoever keeps the folder. */
export const SECRET_IN_FOLDER: readonly string[] = [
  ".env",
  ".env.local",
  ".env.development",
  ".env.production",
  ".envrc",
  ".npmrc",
  ".netrc",
  ".git/config",
  ".git-credentials",
];

/** Files that only root should read. */
export const SECRET_IN_SYSTEM: readonly string[] = [
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/shadow-",
  "/etc/gshadow-",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/ssl/private",
  "/etc/kubernetes",
  "/etc/NetworkManager/system-connections",
  "/etc/wireguard",
];

/** What of `/proc` the kernel offers to be written by who is root, whatever powers it has: shown, and not to be written. */
export const KERNEL_SETTINGS: readonly string[] = [
  "/proc/sys",
  "/proc/sysrq-trigger",
  "/proc/irq",
  "/proc/bus",
  "/proc/fs",
  "/proc/acpi",
  "/proc/scsi",
  "/proc/driver",
  "/proc/asound",
  "/proc/tty",
  "/proc/pressure",
  "/proc/mtrr",
  "/proc/latency_stats",
  "/proc/timer_stats",
];

/** What of `/proc` tells of the machine what no program needs. */
export const KERNEL_SECRETS: readonly string[] = ["/proc/kcore", "/proc/kmsg", "/proc/keys", "/proc/key-users", "/proc/kallsyms"];

/** What programs need besides: how names are looked up, and where NixOS has its programs. */
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
