// Rules about files that are deleted, overwritten or opened to others.
import type { Call, CommandLine } from "../call.ts";
import { flagsOf } from "../flags.ts";
import type { CommandRule, Surroundings } from "../rule.ts";
import { type Target, targetOf } from "../targets.ts";
import { isHidden, type Value } from "../value.ts";

const family = "files";

/** The worst place any of these words leads to. */
const ORDER: readonly Target[] = ["inside", "temporary", "outside", "unknown", "whole", "vital"];
export function worstTarget(words: readonly Value[], { folder }: Call, { workspace }: Surroundings): Target {
  return words
    .map((word) => targetOf(word, folder, workspace))
    .reduce<Target>((worst, target) => (ORDER.indexOf(target) > ORDER.indexOf(worst) ? target : worst), "inside");
}

/** Words that come from other programs, by xargs or find: their places are where those look. */
const isFed = ({ wrappers }: Call): boolean => wrappers.includes("xargs") || wrappers.includes("parallel");
const isFound = ({ wrappers }: Call): boolean => wrappers.includes("find") || wrappers.includes("fd");

const removal = (call: Call) => {
  const flags = flagsOf(call);
  return { recursive: flags.has("r", "recursive") || flags.has("R"), words: flags.words };
};

/** Caches and build results that can be made again. */
const REMAKEABLE =
  /(^|\/)(node_modules|dist|build|out|target|coverage|\.next|\.nuxt|\.cache|\.turbo|\.parcel-cache|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|venv|\.venv|tmp|temp|\.gradle|Pods|DerivedData|\.svelte-kit|\.vite|logs?)(\/|$)/;

/** Logs, locks and markers are emptied on purpose, every day. */
const MADE_TO_BE_EMPTIED =
  /(^|[./_-])(log|logs|out|err|lock|pid|tmp|temp|stamp|marker|touch|done|txt|cache|history|list)$|(^|\/)\.(nojekyll|gitkeep|keep)$/i;

/** `: > file`: a redirection that nothing is written through leaves the file there, and empty. */
function emptied({ program, args, redirects, text }: Call, line: CommandLine): string | undefined {
  if (!writesNothing(program, args, line)) return undefined;
  const to = redirects.find(
    ({ operator, target }) =>
      /^(>|>\||&>|1>)$/.test(operator) && !/^\/(dev|tmp|proc)\//.test(target.text) && !MADE_TO_BE_EMPTIED.test(target.text),
  );
  return to && `${text} ${to.operator} ${to.target.text}`.trim();
}

function writesNothing(program: string, args: readonly Value[], line: CommandLine): boolean {
  if (program === "true") return true;
  // The same sign stands for what is redirected as a whole, such as `(make; make test) > log`: it must be in the line, or nothing before the arrow.
  if (program === ":") return /(?:^|[;&|({\n]|\b(?:then|do|else))\s*(?::\s*)?>/.test(line.text);
  if (program === "cat") return args.length === 1 && args[0]!.text === "/dev/null";
  return (program === "echo" || program === "printf") && args.length > 0 && args.every((arg) => arg.text === "-n" || arg.text === "");
}

export const fileRules: readonly CommandRule[] = [
  {
    id: "remove-vital",
    family,
    severity: "critical",
    why: "This removes the root, a system folder, the home folder or the whole work folder.",
    instead: "Remove only what you made, by its name inside the work folder.",
    programs: ["rm", "unlink", "rmdir", "trash", "srm", "wipe"],
    find: (call, _, at) => {
      const { recursive, words } = removal(call);
      if (isFed(call) || isFound(call)) return false;
      const target = worstTarget(words, call, at);
      if (target === "vital") return true;
      if (recursive && target === "whole") return true;
      return recursive && words.some(({ text }) => /^[\u{f8ff}]+\/?(\*|$)/u.test(text) && text.includes("/"));
    },
    examples: {
      flags: [
        "rm -rf /",
        "rm -r -f /",
        "rm --recursive --force /etc",
        "rm -rf ~",
        "rm -rf ~/",
        "rm -rf ..",
        "rm -rf ./*",
        "rm -rf .",
        'rm -rf "$DIR/"',
        "rm -rf $X/*",
        "rm /etc/passwd",
        'r""m -rf /',
        "\\rm -rf /",
        "X=rm; $X -rf /",
        "sh -c 'rm -rf /'",
        "rm${IFS}-rf${IFS}/",
        "sudo rm -rfv /usr",
        "cd / && rm -rf *",
        "echo cm0gLXJmIC8= | base64 -d | sh",
        "eval \"$(printf '\\162\\155 -rf /')\"",
        "$(echo rm) -rf /",
        "{rm,-rf,/}",
      ],
      passes: [
        "rm -rf node_modules",
        "rm -rf ./build dist",
        "rm -f /tmp/lw-x/y",
        "rm file.txt",
        "echo 'rm -rf /'",
        "git commit -m 'rm -rf /'",
      ],
    },
  },
  {
    id: "remove-outside",
    family,
    severity: "high",
    why: "This removes folders outside the work folder.",
    instead: "Work inside the work folder, or ask a human to remove it.",
    programs: ["rm", "rmdir", "srm", "wipe", "rd", "del", "erase"],
    find: (call, _, at) => {
      const { recursive, words } = removal(call);
      return recursive && !isFed(call) && !isFound(call) && worstTarget(words, call, at) === "outside";
    },
    examples: {
      flags: ["rm -rf /home/me/project", "rm -r ../other", "rm -rf ~/.ssh", "rm -rf /opt/app/data"],
      passes: ["rm -rf dist", "rm -rf /tmp/build-1", "rm ../notes.txt"],
    },
  },
  {
    id: "remove-unknown",
    family,
    severity: "medium",
    why: "What is removed here cannot be known before it runs, and it is removed with all that is in it.",
    instead: "Name what is to be removed, or check it first and use ${NAME:?} so that an empty name stops the command.",
    programs: ["rm", "rmdir", "srm", "wipe", "shred"],
    find: (call, _, at) => {
      const { recursive, words } = removal(call);
      if (isFed(call)) return true;
      if (isFound(call)) return recursive;
      return recursive && worstTarget(words, call, at) === "unknown";
    },
    examples: {
      flags: [
        "rm -rf $DIR",
        "find . -print0 | xargs -0 rm -f",
        "ls | xargs rm -rf",
        "rm -rf $(cat list)",
        "find . -name x -exec rm -rf {} +",
      ],
      passes: ["rm -f $FILE.tmp", "rm -rf ./build/$NAME"],
    },
  },
  {
    id: "find-delete",
    family,
    severity: "high",
    why: "find -delete removes everything it finds, and here it starts at the root, a system folder or the home folder.",
    instead: "Start in a folder of the work folder, and look at what -print says first.",
    programs: ["find", "fd"],
    find: (call, _, at) => deletes(call) && ["vital", "unknown"].includes(worstTarget(roots(call), call, at)),
    examples: {
      flags: ["find / -delete", "find /var -name '*.log' -delete", "find ~ -delete", "find $X -delete"],
      passes: ["find . -name '*.pyc' -print", "find /var -name x"],
    },
  },
  {
    id: "find-delete-here",
    family,
    severity: "medium",
    why: "find removes everything it finds, without asking again.",
    instead: "Look at what -print says first, and remove those files by name.",
    programs: ["find", "fd"],
    find: (call, _, at) =>
      deletes(call) &&
      !["vital", "unknown"].includes(worstTarget(roots(call), call, at)) &&
      !roots(call).every(({ text }) => REMAKEABLE.test(text)),
    examples: {
      flags: ["find . -delete", "find . -mtime +7 -delete", "find src -name '*.bak' -exec rm {} ;"],
      passes: ["find . -type f", "find build -delete"],
    },
  },
  {
    id: "wipe-disk",
    family,
    severity: "critical",
    why: "This writes to a disk, partition or volume itself and destroys what is on it.",
    instead: "Work with files; a human must do this.",
    programs: [
      "mkfs",
      "mke2fs",
      "mkswap",
      "mkdosfs",
      "newfs",
      "fdisk",
      "sfdisk",
      "cfdisk",
      "gdisk",
      "sgdisk",
      "parted",
      "partprobe",
      "wipefs",
      "blkdiscard",
      "hdparm",
      "nvme",
      "lvremove",
      "vgremove",
      "pvremove",
      "lvreduce",
      "lvresize",
      "lvcreate",
      "vgcreate",
      "pvcreate",
      "lvextend",
      "vgreduce",
      "vgextend",
      "pvresize",
      "lvconvert",
      "lvrename",
      "vgrename",
      "lvchange",
      "vgchange",
      "pvmove",
      "dmsetup",
      "mdadm",
      "zpool",
      "zfs",
      "cryptsetup",
      "badblocks",
      "diskpart",
      "diskutil",
      "format",
      "tune2fs",
      "resize2fs",
      "e2fsck",
      "fsck",
      "xfs_repair",
      "xfs_growfs",
      "btrfs",
      "blockdev",
      "losetup",
      "dump",
      "restore",
      "swapoff",
      "swapon",
      "mount",
      "umount",
      "fstrim",
      "growpart",
      "efibootmgr",
      "grub-install",
      "sg_format",
    ],
    find: (call) => touchesDisk(call),
    examples: {
      flags: [
        "mkfs.ext4 /dev/sda1",
        "fdisk /dev/sda",
        "wipefs -a /dev/sdb",
        "lvremove -y /dev/vg0/lv1",
        "cryptsetup luksFormat /dev/sda1",
        "parted /dev/sda mklabel gpt",
      ],
      passes: ["fdisk -l", "parted -l", "lsblk", "mount", "mount | grep sda", "cryptsetup --help"],
    },
  },
  {
    id: "write-device",
    family,
    severity: "critical",
    why: "This writes straight to a device and destroys what is on it.",
    instead: "Write to a file inside the work folder.",
    programs: [">", "dd", "cp", "tee", "cat", "mv", "pv", "install", "shred", "dcfldd", "ddrescue"],
    find: (call) => {
      const to = call.redirects.find(({ operator, target }) => operator.includes(">") && isDisk(target.text));
      if (to) return `${call.text} ${to.operator} ${to.target.text}`;
      if (call.program === "dd") return call.args.some(({ text }) => text.startsWith("of=") && isDevice(text.slice(3)));
      return (
        ["cp", "tee", "cat", "mv", "pv", "install", "shred", "dcfldd", "ddrescue"].includes(call.program) &&
        call.args.some(
          ({ text }, index) => isDisk(text) && (index === call.args.length - 1 || call.program === "tee" || call.program === "shred"),
        )
      );
    },
    examples: {
      flags: ["dd if=/dev/zero of=/dev/sda", "cat x > /dev/sda", "cp image.iso /dev/sdb", "tee /dev/nvme0n1", "shred /dev/sda"],
      passes: ["dd if=/dev/sda of=backup.img", "echo x > /dev/null", "dd if=/dev/zero of=file bs=1M count=1", "cat a > /dev/stderr"],
    },
  },
  {
    id: "lose-in-null",
    family,
    severity: "high",
    why: "What is moved to /dev/null is gone.",
    instead: "Keep the file, or remove it by name.",
    programs: ["mv"],
    find: ({ args }) => args.some(({ text }) => text === "/dev/null"),
    examples: { flags: ["mv file /dev/null", "mv a b /dev/null"], passes: ["mv a b", "cat a > /dev/null"] },
  },
  {
    id: "shred-file",
    family,
    severity: "high",
    why: "Shredding destroys a file so that nothing can bring it back.",
    instead: "Remove it by name if you made it.",
    programs: ["shred", "srm", "wipe", "sdelete"],
    find: ({ args }) => args.some(({ text }) => !text.startsWith("-") && !isDisk(text)),
    examples: { flags: ["shred -u secret.txt", "shred x"], passes: ["shred --help"] },
  },
  {
    id: "empty-file",
    family,
    severity: "medium",
    why: "This cuts a file to nothing.",
    instead: "Keep a copy first, or remove the file by name if you made it.",
    programs: [">", "truncate", "cp"],
    find: (call, line) => {
      const { program, args } = call;
      if (program === "cp") return args.find(({ text }) => !text.startsWith("-"))?.text === "/dev/null";
      if (program === "truncate")
        return args.some(
          ({ text }, index) => /^(-s|--size)(=)?0$/.test(text) || (/^(-s|--size)$/.test(text) && args[index + 1]?.text === "0"),
        );
      return emptied(call, line);
    },
    examples: {
      flags: [
        "cp /dev/null important.log",
        "truncate -s 0 file.txt",
        "truncate --size=0 a",
        "truncate -s0 x",
        ": > src/index.js",
        "> src/index.js",
        "true >| a.py",
        "cat /dev/null > server.go",
        "echo -n > a.ts",
      ],
      passes: [
        "truncate -s 10M disk.img",
        "echo x > a.ts",
        ": > /tmp/x",
        ": > build.log",
        "touch a.js",
        "cat a > b",
        ": > /dev/null",
        ": >> a.js",
        "$CMD > out.json",
        "(time ls) > found",
      ],
    },
  },
  {
    id: "open-permissions",
    family,
    severity: "high",
    why: "This changes who may read, write or run system files or everything below a folder.",
    instead: "Change the one file in the work folder that needs it.",
    programs: ["chmod", "chown", "chgrp", "chattr", "setfacl", "icacls", "takeown", "cacls"],
    find: (call, _, at) => {
      const flags = flagsOf(call, "", ["reference", "from"]);
      const recursive = flags.has("R", "recursive");
      const [mode, ...words] = flags.words;
      const target = worstTarget(words, call, at);
      if (call.program === "icacls" || call.program === "takeown") return /everyone|\/grant|\/f/i.test(call.text);
      if (target === "vital" && (recursive || call.program === "chmod")) return true;
      if (
        call.program === "chmod" &&
        (/^[ugoa,]*[+=][rwxXt]*s/.test(mode?.text ?? "") || /^0?[4567]\d{3}$/.test(mode?.text ?? "")) &&
        !/^g[+=]/.test(mode?.text ?? "")
      )
        return true;
      if (
        recursive &&
        (target === "whole" || target === "unknown") &&
        (call.program !== "chmod" || /777|666|000|a[+=]|o[+=]w/.test(mode?.text ?? ""))
      )
        return true;
      return recursive && words.some(({ text }) => /^(\.\.|\/|~)/.test(text)) && target === "outside";
    },
    examples: {
      flags: [
        "chmod -R 000 /",
        "chown -R user:group /",
        "chmod +s /bin/bash",
        "chmod u+s exploit",
        "chmod 777 /etc/passwd",
        "chmod -R 777 .",
        "chown -R user:group ..",
        "chmod 4755 x",
      ],
      passes: ["chmod +x run.sh", "chmod 644 README.md", "chmod -R u+w build", "chown me file.txt"],
    },
  },
  {
    id: "overwrite-system",
    family,
    severity: "high",
    why: "This writes into a system folder.",
    instead: "Write inside the work folder.",
    programs: [">", "tee", "sed", "perl", "cp", "mv", "install"],
    find: (call, _, at) => {
      const isSystem = ({ text }: Value): boolean =>
        /^\/(etc|usr|bin|sbin|lib|lib64|boot|System|Library)\//.test(text) &&
        !isHidden(text.slice(0, 5)) &&
        !(at.workspace && text.startsWith(`${at.workspace}/`));
      const to = call.redirects.find(({ operator, target }) => operator.includes(">") && isSystem(target));
      if (to) return `${call.text} ${to.operator} ${to.target.text}`;
      if (call.program === "tee") return call.args.some((arg) => isSystem(arg));
      if (call.program === "sed" || call.program === "perl")
        return call.args.some(({ text }) => /^-[a-zA-Z]*i/.test(text)) && call.args.some((arg) => isSystem(arg));
      if (!["cp", "mv", "install"].includes(call.program)) return false;
      const last = flagsOf(call, "tSmog").words.at(-1);
      return last !== undefined && isSystem(last) && !/^\/(usr\/local|etc\/nginx\/sites)/.test(last.text);
    },
    examples: {
      flags: ["echo x > /etc/hosts", "echo x | sudo tee /etc/sudoers.d/me", "sed -i s/a/b/ /etc/ssh/sshd_config", "cp evil /usr/bin/ls"],
      passes: ["cat /etc/hosts", "sed -n 1p /etc/fstab", "cp /etc/hosts ."],
    },
  },
  {
    id: "sync-deletes",
    family,
    severity: "medium",
    why: "This makes one side like the other by deleting what is not there.",
    instead: "Try it with --dry-run first, and let a human run it.",
    programs: ["rsync", "rclone", "lftp", "robocopy", "unison"],
    find: (call) => {
      if (call.program === "robocopy") return /\/(mir|purge|move)/i.test(call.text);
      const [verb = ""] = flagsOf(call).words.map(({ text }) => text);
      if (call.program === "rclone")
        return /^(sync|delete|deletefile|purge|rmdir|rmdirs|cleanup|dedupe|move|moveto)$/.test(verb) || /--(delete|remove)/.test(call.text);
      return call.args.some(({ text }) => /^--(del|delete|remove-source-files|delete-\w+)/.test(text));
    },
    examples: {
      flags: ["rsync -a --delete src/ dst/", "rclone sync a remote:b", "rclone purge remote:b"],
      passes: ["rsync -a src/ dst/", "rclone copy a remote:b", "rclone ls remote:"],
    },
  },
];

const deletes = ({ program, args, wrappers }: Call): boolean =>
  !wrappers.includes("find") &&
  ((program === "find" &&
    args.some(
      ({ text }, index) =>
        text === "-delete" ||
        (/^-(exec|execdir|ok|okdir)$/.test(text) && /(^|\/)(rm|unlink|shred|srm|rmdir)$/.test(args[index + 1]?.text ?? "")),
    )) ||
    (program === "fd" &&
      args.some(({ text }, index) => /^(-x|-X|--exec|--exec-batch)$/.test(text) && /(^|\/)rm$/.test(args[index + 1]?.text ?? ""))));

/** The folders find starts in: the words before the first expression; none means here. */
function roots({ args }: Call): readonly Value[] {
  const start = args.findIndex(({ text }) => !/^-([HLPD]|O\d?)$/.test(text));
  const rest = args.slice(Math.max(0, start));
  const end = rest.findIndex(({ text }) => /^[-(!]/.test(text));
  const words = rest.slice(0, end < 0 ? undefined : end);
  return words.length > 0 ? words : [{ text: ".", known: true, glob: false }];
}

const isDisk = (text: string): boolean =>
  /^\/dev\/(r?disk\d|sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|loop\d|md\d|dm-\d|mapper\/|mem|kmem|port|ram\d|nbd\d|[a-z]+\/lv)/.test(
    text,
  ) || /^\\\\\.\\PhysicalDrive/i.test(text);
const isDevice = (text: string): boolean =>
  text.startsWith("/dev/") && !/^\/dev\/(null|zero|full|stdout|stderr|tty|fd|shm\/|random|urandom|pts)/.test(text);

/** Programs for disks only look when they are told to list or to help. */
function touchesDisk({ program, args, text }: Call): boolean {
  const words = args.map((arg) => arg.text);
  if (program === "mount" || program === "umount")
    return (
      words.some((word) => word.startsWith("/dev/") && isDisk(word)) ||
      words.some((word) => /remount/.test(word)) ||
      (program === "umount" && words.some((word) => !/^(--help|-h|--version|-V)$/.test(word)))
    );
  if (words.some((word) => /^(--help|-h|--version|-V|-l|--list|help|list|status|info|show|print|get|--dry-run|-n|--query)$/.test(word)))
    return /^(mkfs|wipefs|shred)/.test(program) && !words.some((word) => /^(--help|-h|--version|-V|-n|--no-act)$/.test(word));
  if (["zpool", "zfs", "btrfs"].includes(program))
    return /\b(destroy|labelclear|rollback|remove|delete|offline|detach|create|device|subvolume|balance)\b/.test(text);
  if (program === "diskutil") return /erase|partition|zero|secure|delete|reformat/i.test(text);
  if (program === "mdadm") return /--(zero-superblock|stop|create|remove|fail)|-[SCrf]\b/.test(text);
  if (program === "format") return words.some((word) => /^[A-Za-z]:/.test(word));
  if (program === "restore" || program === "dump") return words.some((word) => isDisk(word));
  if (program === "swapoff" || program === "swapon") return words.length > 0;
  const removes =
    /^(lv|vg|pv)(remove|reduce|resize|convert|change|rename|move)/.test(program) ||
    program === "dmsetup" ||
    program === "diskpart" ||
    program === "cryptsetup";
  return removes
    ? words.length > 0
    : words.some((word) => isDisk(word) || isHidden(word)) || (/^mkfs|^(wipefs|mkswap|mke2fs)/.test(program) && words.length > 0);
}
