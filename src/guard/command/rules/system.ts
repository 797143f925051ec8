// Rules about the machine itself: its power, services, kernel, users and processes.
import type { CommandRule } from "../rule.ts";

const family = "system";
const words = (args: readonly { readonly text: string }[]): readonly string[] =>
  args.map(({ text }) => text).filter((text) => !text.startsWith("-"));

export const systemRules: readonly CommandRule[] = [
  {
    id: "power",
    family,
    severity: "critical",
    why: "This shuts down or restarts the machine.",
    instead: "Leave that to a human.",
    programs: ["shutdown", "reboot", "halt", "poweroff", "init", "telinit", "systemctl", "stop-computer", "restart-computer"],
    find: ({ program, args, text }) => {
      if (/--help|--version/.test(text)) return false;
      if (program === "init" || program === "telinit") return /^[0-6sS]$/.test(args[0]?.text ?? "");
      if (program === "systemctl") return /\b(poweroff|reboot|halt|kexec|emergency|rescue|suspend|hibernate|isolate)\b/.test(text);
      return !/(^| )-c\b/.test(text) || program !== "shutdown";
    },
    examples: {
      flags: ["reboot", "sudo shutdown -h now", "init 6", "systemctl poweroff"],
      passes: ["systemctl status nginx", "git init", "shutdown -c"],
    },
  },
  {
    id: "service-change",
    family,
    severity: "medium",
    why: "This stops, disables or changes a service of the machine.",
    instead: "Start what you need for yourself, on another port.",
    programs: [
      "systemctl",
      "service",
      "launchctl",
      "rc-service",
      "sc",
      "update-rc.d",
      "chkconfig",
      "initctl",
      "supervisorctl",
      "pm2",
      "snap",
    ],
    find: ({ program, args }) => {
      const given = words(args);
      const verb = program === "service" || program === "rc-service" ? (given[1] ?? "") : (given[0] ?? "");
      return (
        /^(stop|disable|mask|kill|restart|unload|bootout|remove|delete|reset-failed|try-restart|reload|daemon-reexec|edit|set-default|isolate|revert|off|uninstall|refresh|purge|flush)$/.test(
          verb,
        ) && !(program === "snap" && verb === "refresh")
      );
    },
    examples: {
      flags: ["systemctl stop sshd", "service nginx stop", "systemctl disable firewalld", "launchctl unload x.plist"],
      passes: ["systemctl status sshd", "service nginx status", "systemctl list-units"],
    },
  },
  {
    id: "firewall-change",
    family,
    severity: "high",
    why: "This opens, flushes or changes the firewall or the network of the machine.",
    instead: "Leave the network as it is.",
    programs: [
      "iptables",
      "ip6tables",
      "nft",
      "ufw",
      "firewall-cmd",
      "pfctl",
      "ip",
      "ifconfig",
      "route",
      "netsh",
      "tc",
      "ebtables",
      "nmcli",
      "sysctl",
      "ethtool",
      "iw",
      "networksetup",
      "hostnamectl",
      "iptables-restore",
      "setenforce",
    ],
    find: ({ program, args, text }) => {
      const given = args.map((arg) => arg.text);
      switch (program) {
        case "iptables":
        case "ip6tables":
        case "ebtables":
          return given.some((word) =>
            /^(-F|-X|-D|-P|-A|-I|-R|-Z|-N|-E|--flush|--delete|--policy|--append|--insert|--delete-chain)/.test(word),
          );
        case "ip":
          return /\b(flush|delete|del|down)\b/.test(text) && !/\bshow\b|\blist\b/.test(text);
        case "ifconfig":
          return (
            given.length > 1 &&
            /\b(down|up|netmask|inet|hw|promisc|add|del|delete)\b|\d+\.\d+\.\d+\.\d+/.test(given.slice(1).join(" ")) &&
            /\bdown\b/.test(text)
          );
        case "route":
          return /\b(del|delete|flush)\b/.test(text);
        case "ufw":
          return /\b(disable|reset|delete|allow|deny|enable|default|reject)\b/.test(text);
        case "nft":
          return /\b(flush|delete|add|insert|destroy)\b/.test(text);
        case "firewall-cmd":
          return /--(remove|add|panic|reload|set)/.test(text);
        case "pfctl":
          return /-[dFf]/.test(text);
        case "sysctl":
          return given.some((word) => /^(-w|-p|--system|--load)/.test(word) || /^[\w.]+=/.test(word));
        case "setenforce":
          return true;
        case "netsh":
        case "networksetup":
        case "nmcli":
        case "tc":
          return /\b(set|delete|del|reset|down|off|remove|disable|add|flush)\b|-set/.test(text);
        default:
          return false;
      }
    },
    examples: {
      flags: ["iptables -F", "sudo ufw disable", "ip link set eth0 down", "sysctl -w kernel.panic=1", "ifconfig eth0 down"],
      passes: ["iptables -L", "ip addr show", "ifconfig", "ifconfig eth0", "ufw status", "sysctl -a", "ip a", "route -n"],
    },
  },
  {
    id: "kernel-module",
    family,
    severity: "critical",
    why: "This loads or removes code of the kernel, or writes to its memory.",
    instead: "Leave the kernel as it is.",
    programs: ["insmod", "rmmod", "modprobe", "kexec", "kextload", "kextunload", "dkms"],
    find: ({ args, text }) => args.length > 0 && !/--(help|version|show|dry-run|list)|-[nV]\b|\bstatus\b/.test(text),
    examples: { flags: ["insmod x.ko", "modprobe evil", "rmmod x"], passes: ["modprobe --show-depends x", "lsmod"] },
  },
  {
    id: "kernel-switch",
    family,
    severity: "high",
    why: "This turns a switch of the running kernel or of the machine's own protection.",
    instead: "Leave the machine's settings as they are.",
    programs: [">", "tee", "csrutil", "nvram", "spctl", "bless", "kmutil", "fdesetup", "efibootmgr", "update-grub", "grubby"],
    find: (call) => {
      if (/^(csrutil|nvram|spctl|bless|kmutil|fdesetup|efibootmgr|update-grub|grubby)$/.test(call.program))
        return call.args.length > 0 && !/\b(status|list|--help|-p)\b/.test(call.text);
      const isSwitch = (text: string): boolean =>
        /^\/proc\/(sys\/|sysrq-trigger|acpi)|^\/sys\/(kernel|power|firmware|class|block)\//.test(text);
      const to = call.redirects.find(({ operator, target }) => operator.includes(">") && isSwitch(target.text));
      if (to) return `${call.text} ${to.operator} ${to.target.text}`;
      return call.program === "tee" && call.args.some(({ text }) => isSwitch(text));
    },
    examples: {
      flags: ["echo c > /proc/sysrq-trigger", "echo 1 | tee /proc/sys/kernel/sysrq", "csrutil disable", "nvram -c"],
      passes: ["cat /proc/cpuinfo", "echo x > /proc/self/fd/3", "csrutil status", "cat /sys/class/net/eth0/address"],
    },
  },
  {
    id: "loader-hijack",
    family,
    severity: "medium",
    why: "This makes programs load or run other code before their own.",
    instead: "Start the program without it.",
    programs: ["*"],
    find: ({ assigned, program, args, text }) => {
      const isHijack = (name: string): boolean =>
        /^(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|PROMPT_COMMAND|PYTHONSTARTUP|PERL5OPT|RUBYOPT|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND)$/.test(
          name,
        );
      if (assigned.some(({ name }) => isHijack(name))) return `${assigned[0]!.name}=… ${text}`;
      return (
        (program === "export" || program === "env" || program === "declare") &&
        args.some((arg) => isHijack(arg.text.split("=")[0]!) && arg.text.includes("="))
      );
    },
    examples: {
      flags: ["LD_PRELOAD=/tmp/x.so ls", "export LD_PRELOAD=/tmp/x.so", "BASH_ENV=x bash y"],
      passes: ["NODE_OPTIONS=--max-old-space-size=4096 npm test", "LD_LIBRARY_PATH=./lib ./app", "export PATH=$PATH:./bin"],
    },
  },
  {
    id: "privilege",
    family,
    severity: "medium",
    why: "This takes on the rights of another user, or opens a shell with them.",
    instead: "Work as the user you are.",
    programs: ["su", "sudo", "doas", "pkexec", "runas", "login", "newgrp", "sg", "visudo", "sudoedit", "machinectl"],
    find: ({ program, args, text }) => {
      if (/--help|--version| -[VlkK]\b/.test(text)) return false;
      if (program === "sudo" || program === "doas") {
        const inner = args.filter((arg) => !arg.text.startsWith("-"));
        return args.some(({ text: word }) => /^(-s|-i|--shell|--login|-e|--edit|-[a-z]*[si])$/.test(word)) || inner.length === 0
          ? args.length > 0 && !/^-[vknlKV]$/.test(args[0]?.text ?? "")
          : /^(su|sh|bash|zsh|visudo|passwd)$/.test(inner[0]!.text) && inner.length === 1;
      }
      return program === "visudo" || program === "sudoedit" || args.length > 0 || program === "su";
    },
    examples: {
      flags: ["su - root", "sudo -i", "sudo su", "runas /user:Administrator cmd"],
      passes: ["sudo ls", "sudo apt-get install x", "sudo --version"],
    },
  },
  {
    id: "users-changed",
    family,
    severity: "high",
    why: "This changes users, groups or passwords of the machine.",
    instead: "Leave that to a human.",
    programs: [
      "useradd",
      "userdel",
      "usermod",
      "groupadd",
      "groupdel",
      "groupmod",
      "adduser",
      "deluser",
      "delgroup",
      "passwd",
      "chpasswd",
      "chage",
      "gpasswd",
      "dscl",
      "vipw",
      "net",
    ],
    find: ({ program, args, text }) =>
      program === "net"
        ? /^(user|localgroup|group|stop|share)$/i.test(args[0]?.text ?? "") && args.length > 1
        : program === "dscl"
          ? /-(delete|create|passwd|append)/.test(text)
          : program === "passwd"
            ? !/-S|--status/.test(text)
            : !/--help/.test(text),
    examples: {
      flags: ["userdel -r bob", "usermod -aG sudo me", "passwd root", "net user hacker pw /add"],
      passes: ["id", "groups", "passwd -S me"],
    },
  },
  {
    id: "kill-others",
    family,
    severity: "high",
    why: "This ends processes that are not yours to end, or all of them.",
    instead: "End the process you started, by its id.",
    programs: ["kill", "killall", "pkill", "skill", "taskkill", "xkill", "fuser", "killall5"],
    find: ({ program, args, text }) => {
      const given = args.map((arg) => arg.text);
      if (program === "kill")
        return given.some((word) => /^-1$/.test(word)) && given.at(-1) === "-1" && given.length > 1
          ? true
          : given.slice(1).some((word) => word === "-1" || word === "1") || (given.length === 1 && given[0] === "1");
      if (program === "fuser") return given.some((word) => /^-[a-z]*k/.test(word));
      if (program === "taskkill") return /\/f/i.test(text);
      if (program === "killall5" || program === "xkill") return true;
      if (program === "pkill")
        return /(^| )-(u|U|9|KILL|SIGKILL|G|t)\b/.test(text) && !/-f /.test(text) ? true : given.some((word) => /^(\.|\.\*|)$/.test(word));
      return (
        program === "killall" &&
        (given.some((word) => /^(-u|-9|-KILL|-r|-SIGKILL)$/.test(word)) ||
          given.some((word) => /^(sshd|systemd|init|dockerd|launchd|Finder)$/.test(word)))
      );
    },
    examples: {
      flags: ["kill -9 -1", "killall -9 node", "pkill -u root", "kill -9 1", "fuser -k 80/tcp"],
      passes: ["kill 12345", "kill -9 $PID", "pkill -f my-server", "kill %1", "killall my-server"],
    },
  },
  {
    id: "schedule-change",
    family,
    severity: "high",
    why: "This changes what the machine runs by itself later on.",
    instead: "Say what should run, and let a human schedule it.",
    programs: ["crontab", "at", "batch", "schtasks", "systemd-run", "atrm", "incrontab"],
    find: ({ program, args, text, stdin }) => {
      const given = args.map((arg) => arg.text);
      if (program === "crontab")
        return (
          given.some((word) => /^-[a-z]*[re]/.test(word)) ||
          given.some((word) => !word.startsWith("-") && !given.includes("-u") && !given.includes("-l")) ||
          given.includes("-")
        );
      if (program === "schtasks") return /\/(create|delete|change|run)/i.test(text);
      if (program === "systemd-run") return true;
      if (program === "atrm") return given.length > 0;
      return program === "incrontab" ? /-[er]/.test(text) : stdin.kind !== "none" || given.includes("-f");
    },
    examples: {
      flags: ["crontab -r", "echo '* * * * * x' | crontab -", "crontab evil.txt", "schtasks /create /tn x"],
      passes: ["crontab -l", "crontab -u me -l", "atq"],
    },
  },
  {
    id: "start-up-files",
    family,
    severity: "high",
    why: "This changes what every new shell or login of the user runs.",
    instead: "Set what you need for one command only.",
    programs: [">", "tee", "cp", "mv", "ln", "install", "sed"],
    find: (call) => {
      const isStartUp = (text: string): boolean =>
        /(^|\/)(\.bashrc|\.bash_profile|\.profile|\.zshrc|\.zshenv|\.zprofile|\.bash_aliases|\.config\/fish\/config\.fish|authorized_keys|\.xinitrc|\.config\/autostart\/.*|LaunchAgents\/.*|ld\.so\.preload|rc\.local)$/.test(
          text,
        ) && /^[~/]/.test(text);
      const to = call.redirects.find(({ operator, target }) => operator.includes(">") && isStartUp(target.text));
      if (to) return `${call.text} ${to.operator} ${to.target.text}`;
      if (call.program === "sed")
        return call.args.some(({ text }) => /^-[a-zA-Z]*i/.test(text)) && call.args.some(({ text }) => isStartUp(text));
      return ["tee", "cp", "mv", "ln", "install"].includes(call.program) && isStartUp(call.args.at(-1)?.text ?? "");
    },
    examples: {
      flags: ["echo 'x' >> ~/.bashrc", "cat key >> ~/.ssh/authorized_keys", "tee -a /root/.profile"],
      passes: ["cat ~/.bashrc", "source ~/.bashrc"],
    },
  },
  {
    id: "history-erased",
    family,
    severity: "medium",
    why: "This hides what was done.",
    instead: "Leave logs and history as they are.",
    programs: ["history", "journalctl", "auditctl", "wevtutil", "logrotate", "dmesg", "unset", "rm", "ln", "shred", "truncate", "cp", "mv"],
    find: ({ program, text }) =>
      /^(rm|ln|shred|truncate|cp|mv)$/.test(program)
        ? /(_history|\.(z|ba|fi)?sh_?history|\.lesshst|\.python_history|wtmp|btmp|lastlog|auth\.log)(\s|$)/.test(text)
        : program === "history"
          ? /-c|-d/.test(text)
          : program === "journalctl"
            ? /--vacuum|--rotate/.test(text)
            : program === "auditctl"
              ? /-(D|e 0)/.test(text)
              : program === "wevtutil"
                ? /\bcl\b/.test(text)
                : program === "dmesg"
                  ? / -[cC]\b|--clear/.test(text)
                  : program === "unset" && /HISTFILE/.test(text),
    examples: {
      flags: [
        "rm ~/.bash_history",
        "ln -sf /dev/null ~/.bash_history",
        "history -c",
        "journalctl --vacuum-time=1s",
        "unset HISTFILE",
        "dmesg -C",
      ],
      passes: ["history", "history 20", "journalctl -u x", "dmesg"],
    },
  },
];
