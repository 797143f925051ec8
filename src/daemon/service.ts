// The daemon as a service of the user's own: what a unit of systemd or an agent of launchd says, and how it is put in, looked at and taken out.
import { join } from "node:path";
import { sha256 } from "../std/hash.ts";

/** What a service is made of. */
export interface ServiceWish {
  readonly platform: string;
  /** The user's own home folder. */
  readonly userFolder: string;
  readonly userId: number;
  /** Where the records are, and whether that is where they are for whoever says nothing. */
  readonly home: string;
  readonly isUsualHome: boolean;
  readonly program: readonly string[];
  /** Where programs are found: a service has no shell that would say so. */
  readonly path: string;
  /** How long runs may take to finish when it is stopped. */
  readonly drainMs: number;
}

type Words = readonly [program: string, ...args: string[]];

export interface Service {
  readonly kind: "systemd" | "launchd";
  readonly name: string;
  readonly file: string;
  readonly text: string;
  /** One after the other, after the file is written. */
  readonly start: readonly Words[];
  /** Before the file is removed. It may have been stopped already: how they end says nothing. */
  readonly stop: readonly Words[];
  /** After the file is removed. */
  readonly forget: readonly Words[];
  readonly look: Words;
  readonly hints: readonly string[];
}

/** Undefined where the system has neither. */
export function describeService(wish: ServiceWish): Service | undefined {
  if (wish.platform === "linux") return systemdUnit(wish);
  return wish.platform === "darwin" ? launchdAgent(wish) : undefined;
}

const suffix = ({ home, isUsualHome }: ServiceWish): string => (isUsualHome ? "" : `-${sha256(home).slice(0, 8)}`);
const serveWords = ({ program, home }: ServiceWish): readonly string[] => [...program, "serve", "--home", home];
/** More than the drain, so that it ends by itself. */
const stopSeconds = ({ drainMs }: ServiceWish): number => Math.ceil(drainMs / 1000) + 30;

function systemdUnit(wish: ServiceWish): Service {
  const name = `loopwright${suffix(wish)}.service`;
  return {
    kind: "systemd",
    name,
    file: join(wish.userFolder, ".config", "systemd", "user", name),
    text: `# Written by \`lw service install\`; \`lw service remove\` takes it away again.
[Unit]
Description=Loopwright, which wakes the loops of ${unitText(wish.home)}
StartLimitIntervalSec=0

[Service]
ExecStart=${serveWords(wish).map(unitWord).join(" ")}
ExecReload=/bin/kill -HUP $MAINPID
Environment=${unitWord(`PATH=${wish.path}`)}
EnvironmentFile=-${unitText(join(wish.home, "serve.env"))}
Restart=always
RestartSec=5
RestartPreventExitStatus=64
KillMode=mixed
TimeoutStopSec=${stopSeconds(wish)}

[Install]
WantedBy=default.target
`,
    start: [
      ["systemctl", "--user", "daemon-reload"],
      ["systemctl", "--user", "enable", name],
      ["systemctl", "--user", "restart", name],
    ],
    stop: [["systemctl", "--user", "disable", "--now", name]],
    forget: [["systemctl", "--user", "daemon-reload"]],
    look: ["systemctl", "--user", "is-active", name],
    hints: [
      "It ends when you log out, unless you once say: loginctl enable-linger",
      `Variables that loops need, such as the secrets of webhooks, go into ${join(wish.home, "serve.env")}, one NAME=value a line.`,
      `What it says: journalctl --user -u ${name} -f`,
    ],
  };
}

/** As systemd reads a line: `%` and `$` begin something, and a line ends at its end. */
const unitText = (text: string): string => text.replaceAll("%", "%%").replace(/[\r\n]/g, " ");
const unitWord = (word: string): string => `"${unitText(word).replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("$", "$$$$")}"`;

function launchdAgent(wish: ServiceWish): Service {
  const name = `dev.loopwright${suffix(wish)}`;
  const file = join(wish.userFolder, "Library", "LaunchAgents", `${name}.plist`);
  const domain = `gui/${wish.userId}`;
  const log = join(wish.home, "serve.log");
  return {
    kind: "launchd",
    name,
    file,
    text: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by \`lw service install\`; \`lw service remove\` takes it away again. -->
<plist version="1.0">
<dict>
  <key>Label</key><string>${name}</string>
  <key>ProgramArguments</key>
  <array>
${serveWords(wish)
  .map((word) => `    <string>${xmlText(word)}</string>`)
  .join("\n")}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>PATH</key><string>${xmlText(wish.path)}</string>
  </dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
  <key>ThrottleInterval</key><integer>10</integer>
  <key>ExitTimeOut</key><integer>${stopSeconds(wish)}</integer>
  <key>ProcessType</key><string>Background</string>
  <key>StandardOutPath</key><string>${xmlText(log)}</string>
  <key>StandardErrorPath</key><string>${xmlText(log)}</string>
</dict>
</plist>
`,
    start: [["launchctl", "bootstrap", domain, file]],
    stop: [["launchctl", "bootout", `${domain}/${name}`]],
    forget: [],
    look: ["launchctl", "print", `${domain}/${name}`],
    hints: [`What it says: ${log}`, `Variables that loops need are set for all with: launchctl setenv NAME value`],
  };
}

const xmlText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** What putting a service in and out needs of the machine. */
export interface ServiceWorld {
  readonly hasProgram: (name: string) => Promise<boolean>;
  readonly ask: (program: string, args: readonly string[]) => Promise<{ readonly code: number; readonly text: string } | undefined>;
  readonly read: (path: string) => Promise<string | undefined>;
  readonly write: (path: string, text: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
}

export type ServiceAnswer =
  | { readonly kind: "done" | "unchanged"; readonly says: string; readonly hints: readonly string[] }
  | { readonly kind: "failed"; readonly says: string; readonly hint: string };

export async function installService(world: ServiceWorld, service: Service): Promise<ServiceAnswer> {
  const manager = service.look[0];
  const before = await world.read(service.file);
  if (before !== service.text) await world.write(service.file, service.text);
  if (!(await world.hasProgram(manager)))
    return {
      kind: "failed",
      says: `${service.file} is written, and nothing was started: ${manager} is not on this machine`,
      hint: "Start the daemon by what this machine has for it, with: lw serve",
    };
  // One of launchd's that is there already cannot be put in again.
  if (before !== undefined && service.kind === "launchd") await runAll(world, service.stop);
  const failed = await runAll(world, service.start);
  if (failed !== undefined)
    return {
      kind: "failed",
      says: `${service.file} is written, and could not be started: ${failed}`,
      hint: `Where there is no session for your user, as in containers, ${manager} cannot be used: start it with lw serve.`,
    };
  return { kind: "done", says: `${service.name} is installed and started (${service.file})`, hints: service.hints };
}

/** What a removal would do, for whoever wants to see it first. */
export function tellRemoval({ file, stop, forget }: Service, isThere: boolean): readonly string[] {
  if (!isThere) return [`there is no ${file}: nothing would be removed`];
  return [
    ...stop.map((words) => `would ask: ${words.join(" ")}`),
    `would remove: ${file}`,
    ...forget.map((words) => `would ask: ${words.join(" ")}`),
  ];
}

export async function removeService(world: ServiceWorld, service: Service): Promise<ServiceAnswer> {
  const before = await world.read(service.file);
  if (before === undefined) return { kind: "unchanged", says: `there is no ${service.file}`, hints: [] };
  const canAsk = await world.hasProgram(service.look[0]);
  if (canAsk) await runAll(world, service.stop);
  await world.remove(service.file);
  if (canAsk) await runAll(world, service.forget);
  return { kind: "done", says: `${service.name} is stopped and removed`, hints: [] };
}

export async function lookAtService(
  world: ServiceWorld,
  service: Service,
): Promise<{ readonly isInstalled: boolean; readonly isCurrent: boolean; readonly says: string }> {
  const text = await world.read(service.file);
  const [program, ...args] = service.look;
  const answer = (await world.hasProgram(program)) ? await world.ask(program, args) : undefined;
  const says =
    answer === undefined
      ? `${program} cannot be asked`
      : answer.code === 0
        ? "it runs"
        : `it does not run (${answer.text.split("\n")[0] ?? ""})`;
  return { isInstalled: text !== undefined, isCurrent: text === service.text, says };
}

/** Stops at the first that fails, and gives back what it said. */
async function runAll(world: ServiceWorld, all: readonly Words[]): Promise<string | undefined> {
  for (const [program, ...args] of all) {
    const answer = await world.ask(program, args);
    if (!answer) return `${program} did not answer`;
    if (answer.code !== 0) return `${[program, ...args].join(" ")}: ${answer.text}`;
  }
  return undefined;
}
