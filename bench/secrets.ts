// The redactor: made-up secrets of every kind planted in many places, ordinary text that must stay, and speed.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Chance, createRedactor, redactText, type Sample, secretKinds, secretValuesOf } from "../src/guard.ts";
import { seededChance } from "../test/support/seeded-chance.ts";
import { median, timed } from "./measure.ts";

const SEED = Number(process.env.BENCH_SEED ?? 20_260_101);
const ROUNDS = 12;
const MOST_FALSE_PER_MB = 5;
const redactor = createRedactor("bench");

/** Places in which a text with a secret is met. */
const PLACES: readonly (readonly [name: string, put: (text: string) => string])[] = [
  ["alone", (text) => text],
  ["log", (text) => `2026-01-02T03:04:05.678Z INFO [worker-3] request done in 12 ms: ${text} status=200`],
  ["coloured log", (text) => `\u001b[32minfo\u001b[0m \u001b[1m${text}\u001b[0m`],
  ["diff added", (text) => `diff --git a/a.ts b/a.ts\n@@ -1,2 +1,2 @@\n context\n${prefixed("+", text)}\n-old line\n`],
  ["diff removed", (text) => `@@ -1,2 +1,2 @@\n${prefixed("-", text)}\n+const value = load();\n`],
  ["JSON", (text) => JSON.stringify({ level: "info", msg: text, n: 3 })],
  ["JSON in JSON", (text) => JSON.stringify({ body: JSON.stringify({ value: text, after: "x" }) })],
  ["JSON after a line break", (text) => JSON.stringify({ output: `first line\n${text}\nlast line` })],
  ["YAML", (text) => `steps:\n  - run: |\n${prefixed("      ", text)}\n`],
  ["Markdown", (text) => `Use \`${text}\` as it is.`],
  ["quoted", (text) => `const given = '${text}';`],
  ["in brackets", (text) => `value (${text}), then [${text}] and <${text}>.`],
  ["stack trace", (text) => `Error: refused: ${text}\n    at call (/srv/app/index.js:10:5)`],
];

/** Secrets with no looks of their own: only the name beside them tells. */
const NAMED: readonly (readonly [name: string, make: (chance: Chance) => string])[] = [
  ["AWS_SECRET_ACCESS_KEY", ({ text }) => text("A-Za-z0-9+/", 40)],
  ["AWS_SESSION_TOKEN", ({ text }) => text("A-Za-z0-9+/", 200)],
  ["DD_API_KEY", ({ text }) => text("0-9a-f", 32)],
  ["DATADOG_APP_KEY", ({ text }) => text("0-9a-f", 40)],
  ["TWILIO_AUTH_TOKEN", ({ text }) => text("0-9a-f", 32)],
  ["HEROKU_API_KEY", (chance) => uuid(chance)],
  ["CLOUDFLARE_API_TOKEN", ({ text }) => text("A-Za-z0-9_-", 40)],
  ["CF_API_KEY", ({ text }) => text("0-9a-f", 37)],
  ["VERCEL_TOKEN", ({ text }) => text("A-Za-z0-9", 24)],
  ["PAYPAL_CLIENT_SECRET", ({ text }) => text("A-Za-z0-9_-", 80)],
  ["ALGOLIA_ADMIN_KEY", ({ text }) => text("0-9a-f", 32)],
  ["WANDB_API_KEY", ({ text }) => text("0-9a-f", 40)],
  ["AZURE_OPENAI_API_KEY", ({ text }) => text("0-9a-f", 32)],
  ["MISTRAL_API_KEY", ({ text }) => text("A-Za-z0-9", 32)],
  ["CODECOV_TOKEN", (chance) => uuid(chance)],
  ["DB_PASSWORD", ({ text }) => text("A-Za-z0-9", 12)],
  ["REDIS_PASSWORD", ({ text }) => `${text("A-Za-z0-9", 14)}!${text("A-Za-z0-9", 3)}`],
  ["SECRET_KEY", ({ text }) => text("A-Za-z0-9!@#^*_-", 50)],
  ["JWT_SECRET", ({ text }) => text("0-9a-f", 64)],
  ["ENCRYPTION_KEY", ({ text }) => `${text("A-Za-z0-9+/", 43)}=`],
  ["SESSION_TOKEN", ({ text }) => text("A-Za-z0-9", 32)],
];

/** Ways to write a name and its value. */
const WRITINGS: readonly (readonly [name: string, write: (name: string, secret: string) => string])[] = [
  [".env", (name, secret) => `${name}=${secret}`],
  [".env quoted", (name, secret) => `${name}="${secret}"`],
  ["export", (name, secret) => `export ${name}='${secret}'`],
  ["JSON", (name, secret) => JSON.stringify({ [camel(name)]: secret })],
  ["JSON snake", (name, secret) => JSON.stringify({ [name.toLowerCase()]: secret, next: 1 }, null, 2)],
  ["YAML", (name, secret) => `  ${name.toLowerCase()}: ${secret}`],
  ["YAML kebab", (name, secret) => `  ${name.toLowerCase().replaceAll("_", "-")}: "${secret}"`],
  ["source", (name, secret) => `const ${camel(name)} = "${secret}";`],
  ["typed source", (name, secret) => `  private ${camel(name)}: string = '${secret}'`],
  ["Python", (name, secret) => `client = Client(${name.toLowerCase()}="${secret}")`],
  ["flag", (name, secret) => `deploy --${name.toLowerCase().replaceAll("_", "-")} ${secret} --verbose`],
  ["flag with =", (name, secret) => `deploy --${name.toLowerCase().replaceAll("_", "-")}=${secret}`],
  ["docker", (name, secret) => `docker run -e ${name}=${secret} image`],
  ["TOML", (name, secret) => `${name.toLowerCase()} = "${secret}"`],
  ["XML", (name, secret) => `<${camel(name)}>${secret}</${camel(name)}>`],
  ["escaped JSON", (name, secret) => JSON.stringify(JSON.stringify({ [name]: secret }))],
  ["log", (name, secret) => `DEBUG loaded ${name}: ${secret}`],
  ["header", (name, secret) => `X-${name.toLowerCase().replaceAll("_", "-")}: ${secret}`],
];

/** Ways in which a value of the environment shows up. */
const DRESSES: readonly (readonly [name: string, dress: (secret: string) => string])[] = [
  ["plain", (secret) => `it is ${secret}, you see`],
  ["JSON", (secret) => JSON.stringify({ a: secret })],
  ["JSON twice", (secret) => JSON.stringify(JSON.stringify({ a: secret }))],
  ["URL", (secret) => `https://x.example/?q=${encodeURIComponent(secret)}&b=1`],
  ["base64", (secret) => Buffer.from(secret).toString("base64")],
  ["base64 after others", (secret) => Buffer.from(`user:${secret}`).toString("base64")],
  ["base64 among others", (secret) => Buffer.from(`{"a":"${secret}","b":2}`).toString("base64url")],
  [
    "base64 in lines",
    (secret) =>
      Buffer.from(`${"x".repeat(50)}${secret}${"y".repeat(50)}`)
        .toString("base64")
        .replace(/.{76}/g, "$&\n"),
  ],
  ["hex", (secret) => Buffer.from(secret).toString("hex")],
  ["wrapped", (secret) => `some words before it ${secret.slice(0, 9)}\n    ${secret.slice(9)} and after`],
];

console.log("secrets");
const survivors = [...plantedKinds(), ...plantedNames(), ...plantedValues()];
const falsePerMb = falseRedactions();
await speed();
if (survivors.length > 0 || falsePerMb >= MOST_FALSE_PER_MB) process.exitCode = 1;

interface Survivor {
  readonly kind: string;
  readonly place: string;
  readonly text: string;
}

function plantedKinds(): readonly Survivor[] {
  const chance = seededChance(SEED);
  const ids = new Set(secretKinds.map(({ id }) => id));
  const tried: Survivor[] = [];
  let planted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const { id, name, sample } of secretKinds) {
      for (const [place, put] of PLACES) {
        const made = sample(chance);
        planted++;
        if (survives(made, put(made.text))) tried.push({ kind: `${id} (${name})`, place, text: put(made.text) });
      }
    }
  }
  tell(`kinds with looks of their own: ${ids.size} kinds, ${planted} planted`, tried);
  return tried;
}

function plantedNames(): readonly Survivor[] {
  const chance = seededChance(SEED + 1);
  const tried: Survivor[] = [];
  let planted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, make] of NAMED) {
      for (const [writing, write] of WRITINGS) {
        for (const [place, put] of PLACES) {
          const secret = make(chance);
          const text = put(write(name, secret));
          planted++;
          if (survives({ text, secret }, text)) tried.push({ kind: name, place: `${writing}, ${place}`, text });
        }
      }
    }
  }
  tell(`kinds told by the name beside them: ${NAMED.length} kinds, ${planted} planted`, tried);
  return tried;
}

function plantedValues(): readonly Survivor[] {
  const chance = seededChance(SEED + 2);
  const env: { readonly [name: string]: string } = Object.fromEntries(
    NAMED.map(([name, make]) => [name, make(chance)]).concat([
      ["APP_TOKEN", `${chance.text("A-Za-z0-9", 10)}"\\ /&ü${chance.text("A-Za-z0-9", 10)}`],
    ]),
  );
  const knowing = createRedactor("bench", secretValuesOf(env));
  const tried: Survivor[] = [];
  let planted = 0;
  for (const [name, secret] of Object.entries(env)) {
    for (const [dress, wear] of DRESSES) {
      planted++;
      const { text, found } = redactText(knowing, wear(secret));
      if (found.length === 0 || isReadable(text, secret)) tried.push({ kind: name, place: dress, text: wear(secret) });
    }
  }
  tell(`values of the environment: ${Object.keys(env).length} values, ${planted} planted`, tried);
  return tried;
}

/** A secret survives when half of it can still be read somewhere. */
function survives({ secret }: Sample, text: string): boolean {
  return isReadable(redactText(redactor, text).text, secret);
}

function isReadable(text: string, secret: string): boolean {
  const bare = (some: string): string => some.replace(/\\+[nrt]|[\s\\"'+-]/g, "");
  const [all, sought] = [bare(text), bare(secret)];
  const length = Math.max(6, Math.floor(sought.length / 2));
  for (let at = 0; at + length <= sought.length; at++)
    if (all.includes(sought.slice(at, at + length)) && !isArmour(sought.slice(at, at + length))) return true;
  return false;
}
function isArmour(text: string): boolean {
  return /PRIVATEKEY|BEGIN|END/.test(text) && text.length < 30;
}

function tell(title: string, tried: readonly Survivor[]): void {
  console.log(`\n  ${title}, ${tried.length} survived`);
  const byKind = new Map<string, Survivor[]>();
  for (const one of tried) byKind.set(one.kind, [...(byKind.get(one.kind) ?? []), one]);
  for (const [kind, some] of [...byKind].sort((a, b) => b[1].length - a[1].length)) {
    const places = [...new Set(some.map(({ place }) => place))];
    console.log(`    ${String(some.length).padStart(4)}  ${kind}: ${places.slice(0, 6).join(" · ")}${places.length > 6 ? " …" : ""}`);
    if (process.env.BENCH_SHOW) console.log(`          ${JSON.stringify(some[0]!.text).slice(0, 300)}`);
  }
}

function falseRedactions(): number {
  const sources = ordinary();
  const bytes = sources.reduce((sum, { text }) => sum + text.length, 0);
  const hits = sources.flatMap(({ name, text }) => redactText(redactor, text).found.map((one) => ({ name, text, ...one })));
  const megabytes = bytes / 1e6;
  console.log(
    `\n  ordinary text: ${megabytes.toFixed(1)} MB in ${sources.length} files, ${hits.length} redactions, ${(hits.length / megabytes).toFixed(2)} a MB`,
  );
  for (const group of ["source", "documents and data", "logs and diffs"]) {
    const mine = sources.filter((source) => source.group === group);
    const size = mine.reduce((sum, { text }) => sum + text.length, 0) / 1e6;
    const count = hits.filter(({ name }) => mine.some((source) => source.name === name)).length;
    console.log(
      `    ${group.padEnd(20)} ${size.toFixed(1).padStart(6)} MB  ${String(count).padStart(4)} redactions  ${(count / Math.max(size, 0.001)).toFixed(2)} a MB`,
    );
  }
  const kinds = new Map<string, number>();
  for (const { kind } of hits) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  for (const [kind, count] of [...kinds].sort((a, b) => b[1] - a[1])) console.log(`    ${String(count).padStart(4)}  ${kind}`);
  console.log("  a sample of them, some of which are secrets of tests and documents");
  const step = process.env.BENCH_ALL ? 1 : Math.max(1, Math.floor(hits.length / 25));
  for (const { name, text, kind, line } of hits.filter((_, index) => index % step === 0)) {
    console.log(`    ${kind.padEnd(16)} ${name}:${line}  ${(text.split("\n", line)[line - 1] ?? "").trim().slice(0, 140)}`);
  }
  return hits.length / megabytes;
}

interface Source {
  readonly group: string;
  readonly name: string;
  readonly text: string;
}

/** What is on this machine anyway: packages as their authors wrote them, histories, and recorded work of agents where there is some. */
function ordinary(): readonly Source[] {
  const packages = filesUnder("node_modules", /\.(?:[cm]?[jt]s|md|json)$/, 24e6).filter(
    ({ name }) => !/\.min\.|\/dist\/.*bundle/.test(name),
  );
  const log = spawnSync("git", ["log", "-p", "--no-color", "-n", "400"], { encoding: "utf8", maxBuffer: 256e6 }).stdout ?? "";
  return [
    ...packages.filter(({ text }) => !isMinified(text)),
    ...(log ? [{ group: "logs and diffs", name: "git log -p", text: log.slice(0, 12e6) }] : []),
    ...["../shared/data/trajectories/dev", "../shared/data/integrity/dev"].flatMap((folder) =>
      filesUnder(folder, /./, 8e6).map((one) => ({ ...one, group: "logs and diffs" })),
    ),
  ];
}

function isMinified(text: string): boolean {
  return text.length > 5_000 && text.length / (text.split("\n").length + 1) > 400;
}

function filesUnder(folder: string, wanted: RegExp, mostBytes: number): readonly Source[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => wanted.test(name) && statSync(join(folder, name)).isFile(),
  );
  let bytes = 0;
  const sources: Source[] = [];
  // Every so many of them, so that all packages have their share.
  const step = Math.max(1, Math.floor(names.length / 4_000));
  for (const name of names.filter((_, index) => index % step === 0)) {
    if (bytes > mostBytes) break;
    const text = readFileSync(resolve(folder, name), "utf8").slice(0, 2e6);
    bytes += text.length;
    sources.push({ group: /\.(?:md|json)$/.test(name) ? "documents and data" : "source", name: join(folder, name), text });
  }
  return sources;
}

async function speed(): Promise<void> {
  const text = ordinary()
    .map((source) => source.text)
    .join("\n")
    .slice(0, 8e6);
  const knowing = createRedactor("bench", secretValuesOf(Object.fromEntries(NAMED.map(([name, make]) => [name, make(seededChance(7))]))));
  const passes = { plain: [] as number[], ours: [] as number[], knowing: [] as number[] };
  for (let turn = 0; turn < 3; turn++) {
    passes.plain.push(await timed(() => void text.indexOf(`no such text ${turn}`)));
    passes.ours.push(await timed(() => void redactText(redactor, text)));
    passes.knowing.push(await timed(() => void redactText(knowing, text)));
  }
  const rate = (ms: number): string => `${(text.length / 1e6 / (ms / 1000)).toFixed(1)} MB/s`;
  console.log(`\n  speed over ${(text.length / 1e6).toFixed(1)} MB`);
  console.log(
    `    redact                        ${rate(median(passes.ours))}   1 MB in ${((median(passes.ours) / text.length) * 1e6).toFixed(0)} ms`,
  );
  console.log(
    `    redact, ${NAMED.length} values known       ${rate(median(passes.knowing))}   1 MB in ${((median(passes.knowing) / text.length) * 1e6).toFixed(0)} ms`,
  );
  console.log(
    `    one indexOf over it           ${rate(median(passes.plain))}   ratio ${(median(passes.ours) / median(passes.plain)).toFixed(0)}`,
  );
}

function prefixed(prefix: string, text: string): string {
  return text
    .split("\n")
    .map((line) => prefix + line)
    .join("\n");
}

function camel(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function uuid({ text }: Chance): string {
  return [8, 4, 4, 4, 12].map((length) => text("0-9a-f", length)).join("-");
}
