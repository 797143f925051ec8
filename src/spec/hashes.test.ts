// The hash of a spec is on record and signed: every built-in part, named with as little as it takes, keeps the hash it had.
import { expect, it } from "vitest";
import { builtIn } from "../app/crew.ts";
import { formatProblem, readSpec } from "./read-spec.ts";
import { specSchema, specSchemaFor } from "./schema.ts";

const RUN = { run: "npm test" };
const MODEL = { model: "some-model" };
const LOOP = { name: "fix", intent: "Make it right.", level: "L2", verifiers: [{ use: "command", with: RUN }] };
const FIX = { ...LOOP, maker: { use: "shell", with: RUN } };
const REPORT = {
  name: "watch",
  intent: "Say what is new.",
  level: "L1",
  gather: [{ use: "commits" }],
  maker: { use: "triage" },
  verifiers: [{ use: "grounded" }],
};
const madeBy = (use: string, options?: object): object => ({ ...LOOP, maker: { use, ...(options ? { with: options } : {}) } });
const judged = (use: string, options?: object): object => ({
  ...FIX,
  verifiers: [...LOOP.verifiers, { use, ...(options ? { with: options } : {}) }],
});
const wokenBy = (use: string, options?: object): object => ({ ...FIX, trigger: { use, ...(options ? { with: options } : {}) } });
const passing = (use: string, options?: object): object => ({ ...FIX, gate: { all: [{ use, ...(options ? { with: options } : {}) }] } });
const doing = (use: string, options?: object): object => ({ ...FIX, act: [{ use, ...(options ? { with: options } : {}) }] });
const telling = (use: string, options?: object): object => ({ ...FIX, notify: [{ use, ...(options ? { with: options } : {}) }] });

const improving = (improve: object): object => ({
  ...FIX,
  verifiers: LOOP.verifiers.map((check) => ({ ...check, id: "tests" })),
  metrics: { passing: { from: "tests" } },
  improve,
});

const SPECS: { readonly [name: string]: readonly [spec: object, hash: string] } = {
  shell: [FIX, "ac73ad8b61d6bafcee3696fc2c43019e91face7a6981ae466f2c4de423922ad0"],
  scripted: [
    madeBy("scripted", { scenes: [{ write: { "a.txt": "a" } }] }),
    "405c8a8b30e228f9a34a830b44291daefd7bc7b49f09ea05b178cbad79c8199e",
  ],
  "triage of commits": [REPORT, "0128153e5729076b450f86654de905a7d1f22d2d49395bf7fdfd675fc715bc20"],
  "triage of what lies in a repository": [
    {
      ...REPORT,
      gather: [
        { use: "todos" },
        { use: "branches" },
        { use: "files", with: { paths: ["docs/**"] } },
        { use: "sarif", with: { file: "scan.sarif" } },
        { use: "junit", with: { file: "junit.xml" } },
        { use: "command", with: RUN },
      ],
    },
    "3179c3d72e8319c735a912a13c70ca1b44f115fa9ac06298686355966b24aef6",
  ],
  "triage of what a server answers": [
    {
      ...REPORT,
      gather: [{ use: "mcp", with: { server: { name: "tracker", run: "./tracker-mcp" }, calls: [{ tool: "list_issues" }] } }],
    },
    "d923884efa2a132204e1da1efb82b5d7618e60c042424a27307267d954600198",
  ],
  "triage of a forge": [
    {
      ...REPORT,
      gather: [
        { use: "issues", with: { repo: "octo/app" } },
        { use: "pull-requests", with: { repo: "octo/app" } },
        { use: "ci", with: { repo: "octo/app" } },
      ],
    },
    "3ed144320f1dc649ef51e7bebf6f39faaef838a2f8238db3b276e16ca6be5667",
  ],
  acp: [madeBy("acp", { run: "gemini --acp" }), "190b81a9610c86f1882b1893bf023fed6dcd689bef07447b083de19d7fc3d4c5"],
  "claude-code": [madeBy("claude-code"), "6704d08050f5df95de68fb053eaa07659f36b62548d97ca67e32f5a6d952cdc9"],
  codex: [madeBy("codex"), "6ceabf22b1351c123395d8c286d4c728e7aec364b1f963fc05a88e50891e82a8"],
  "gemini-cli": [madeBy("gemini-cli"), "c754dfeed24a6a8f4bc65ead3f7952abe065e584f8f58773948d2ed871de343c"],
  opencode: [madeBy("opencode"), "c53de326b9a2893a885729806fdd3b277120bc77e2f361862ffc829d7a08013d"],
  pi: [madeBy("pi"), "1b1b6ee67e56b4a4ffce977b5b15d812e050c7ffbd2670f5649b5da280ec9022"],
  aider: [madeBy("aider"), "1f1c9990eb109ad9180d7c9241fd306571634a3c3406dc03adf1153e529fdd73"],
  "cursor-agent": [madeBy("cursor-agent"), "6d5e44be9c6e8bc1d068d20901bdb7082fa4b70c4528491337050119c28d3649"],
  "copilot-cli": [madeBy("copilot-cli"), "1f228702b05b7e4fb74a9defe166653bc559a5063897891ee9304dc323e28897"],
  anthropic: [madeBy("anthropic", MODEL), "0d67e20ff06b6eae7ada4d5d843f3a9ec6f779df3cf4b4f021cd6513f930246f"],
  "openai-compatible": [
    madeBy("openai-compatible", { ...MODEL, baseUrl: "https://openrouter.ai/api/v1" }),
    "6b9ea8845d30bb2d2c9313f63fbde50a10a66a15df7ae467de9fbc19216e1105",
  ],
  ollama: [madeBy("ollama", MODEL), "02a8a4ecbe4c720cdb9f23198351d471cebc88671d6bd4760d8d9c06a4286450"],
  nvidia: [madeBy("nvidia", MODEL), "d1c45dd88ac47e768be1355fd8b56c5eed7838e1d30c520b8f17dd4fc6c4799e"],
  witness: [judged("witness", RUN), "1afdeab6811ecad577652b5e8d4aaf1d594148c8f53a814c19ae31c30b2a6fa1"],
  isomorphic: [judged("isomorphic", RUN), "381dff02b4603c192eb6c49064973cb1420c12e1948c4de2f7b98fe22e80a4f7"],
  holdout: [judged("holdout", RUN), "d0917e7d018f140cf120c6ac3fdc5a10e26407fbfb7ec212c3d4c7c9d21a1066"],
  mutation: [judged("mutation", RUN), "d6aaf6a51d2f4d344473ff4d2072b3b39ae64c56831ec64bc951ed4122d2e1af"],
  twins: [
    judged("twins", { ...RUN, results: { format: "junit", file: "out.xml" } }),
    "1eca02e03da3b41f274415243e724caa0d2b0cff7eb926660e0e10e4e9925112",
  ],
  replay: [judged("replay", RUN), "0a009af13b8ddb6728d15f79d941cd6fc20c57cc8567f2b6b30de04df53004d4"],
  scope: [judged("scope"), "c2ca9c69590d1d597ed48ae9c52929a3a256b612f2c08134a2237c7b437b4621"],
  check: [judged("check", RUN), "f072e4898ab5dee88b6df928dcdf546ac46da494562a0af1055f0e2dc2c4b1ce"],
  measure: [judged("measure", { words: { most: 100 } }), "0deb79278d6bdb5452750b389008825b24de6de800a4679af046ffedf7bb4ac6"],
  human: [judged("human", { ask: "Is it sound?" }), "42db061979ab8332e2547dfa22fabb00ba121f6fe48926f277a566f55aa8a7c2"],
  rubric: [
    judged("rubric", {
      judges: [{ provider: "anthropic", ...MODEL }],
      dimensions: { clear: { criteria: "It is clear." } },
      threshold: 0.5,
    }),
    "5610525dcf2ab66c27c7fe9ff6815501e9959c67f3c180ad69e5e898c8e0fa43",
  ],
  judge: [judged("judge", { provider: "anthropic", ...MODEL }), "bec8c42566dc133ad9d78a996a9d783375bc5360e1589135350097b9277e623a"],
  quorum: [
    judged("quorum", {
      judges: [
        { provider: "anthropic", ...MODEL },
        { provider: "anthropic", model: "other-model" },
      ],
      agree: 2,
    }),
    "642bfb78503602dad3229404969b91a74da4bd880edd7fd674a062bc19f57827",
  ],
  every: [
    { ...FIX, trigger: { use: "every", with: { interval: "1h" } } },
    "70c05dac0647520872345ef24f01251fe2d3bbbc1b4fc657b6abba7176c49a5d",
  ],
  manual: [{ ...FIX, trigger: { use: "manual" } }, "ac73ad8b61d6bafcee3696fc2c43019e91face7a6981ae466f2c4de423922ad0"],
  cron: [wokenBy("cron", { schedule: "0 9 * * mon-fri" }), "791371be92366e7525f70d30eb36c4197d3e727c6fd1b3b7af73004c684c9cec"],
  daily: [wokenBy("daily", { at: "09:00" }), "f1bcedd42836de68e9ba36959b3f05da0b395c99d11b9ecb21050027aca6afe9"],
  weekly: [wokenBy("weekly", { on: "mon", at: ["09:00"] }), "02fcfe545953e51d2d715e6afcb67e639f145823dc6d97ffaea9baaf37ae2acd"],
  git: [wokenBy("git", { ref: "main" }), "10581fb8d5362277ab6a504d6f97e475cd4ecfe7e19f9c269d1a72c730690569"],
  files: [wokenBy("files", { paths: ["docs/**"] }), "1b3f827c026796e18337882ea305e81697e5343fcc75d9a8fd6786dd05b9d447"],
  "trigger webhook": [
    wokenBy("webhook", { address: "fix", secret: "HOOK_SECRET" }),
    "27471c7c1222ebb262dda9b9b91b91c3eee97e61935bbf4ef3db78faac52f18c",
  ],
  loop: [wokenBy("loop", { name: "other" }), "3431f527ded8913040b03a530a9099c5dfbeccb1be443b73866e462350b76533"],
  inbox: [wokenBy("inbox"), "0ce6e3e90d82f0723ba1caa16963e35a311d47c45591c7ee40b1ef39a2ea4613"],
  any: [
    wokenBy("any", { of: [{ use: "daily", with: { at: "09:00" } }, { use: "inbox" }] }),
    "47d967f169b464ffbaec45c6693f535c9359e833e5fd773c0e240de24ee7755a",
  ],
  "gate ask": [passing("ask"), "ac73ad8b61d6bafcee3696fc2c43019e91face7a6981ae466f2c4de423922ad0"],
  "gate allowlist": [passing("allowlist", { allow: ["docs/**"] }), "3132730097055f3c82f0f5b8ee33f3f7727c6f862c36578292de00071619d444"],
  "gate quorum": [passing("quorum", { people: ["ada", "grace"] }), "786558305e8493c94e937f33885afec9c30993a82f4d3a178c5cab7507a67fab"],
  "gate window": [passing("window"), "07927aad5be51b494a0a7ad616cd829de65a2fc9859b8438ad5fb10397ea0682"],
  "gate command": [passing("command", { run: "./may-merge" }), "f79d9e9e8aac7d327139b1b82e7f133027667dd33302347427d7b96063aeaaf7"],
  "gate webhook": [
    passing("webhook", { url: "https://gate.example.com/loops", secret: "GATE_SECRET" }),
    "51a9a3f38a1637d0725ccd1c52ade2ff5bfbca90ab3bd1475fcc5f3074b22cd9",
  ],
  merge: [doing("merge"), "fcde90a0e4ce97110a6e8dba02791f6bd9055bd5332c0b2455d283cf3dbf7cf3"],
  push: [doing("push"), "424def49e0490e2409fbdcc60d6e81aa632f5a295316bc25a4c6ba8d5798813e"],
  github: [doing("github", { repo: "octo/app" }), "a518654d3603bac4652b3b1ce8c021be10bcc1c6e7c30d36adc40dea684de00d"],
  gitlab: [doing("gitlab", { project: "group/app" }), "d7f57a891519a35d4158682f6d89d200e59a7e2427aec0b04f06971109717f83"],
  "act file": [doing("file", { path: "../reports/decided.md" }), "2f1dfab9d159bdabbcf640cfeaa1650d473fd5611e8da9ffde1c99d494dbfd9c"],
  "act command": [doing("command", { run: "./deploy" }), "edc65b729d600b8277499afd185eb832df90b3e234d41313375ceeebf8ec15aa"],
  "act webhook": [
    doing("webhook", { url: "https://hooks.example.com/loops" }),
    "84218fda0122df4d0321deacb1d0a5e661693b4daefc1bdaf1750f30b29b5a86",
  ],
  "notify file": [telling("file", { path: "../reports/triage.md" }), "3fda3fcc24269b118a2637f5213ff084b2c0de010f15f77ef6ab463b1cd68309"],
  "notify command": [
    telling("command", { run: "mail -s triage team@example.com" }),
    "eebed6d79d6e03c99f4278f3183bb058f63ab69af27fefae28a9e80303cd4e99",
  ],
  "notify webhook": [
    telling("webhook", { url: "https://hooks.example.com/loops" }),
    "bfd0461a33306065d7cf54df88c6df324e2889980317e3b369236453a5624725",
  ],
  slack: [telling("slack", { url: "SLACK_WEBHOOK_URL" }), "71fb65f9bfed878837df5082a2007cb0912b8dcf92670d77edd5ba8aa32b4cfe"],
  desktop: [telling("desktop"), "245fdf604e8e28152e037d07c14ec65eea44c41d7830332749d399cf7d26328c"],
  smtp: [
    telling("smtp", { host: "smtp.example.com", from: "loops@example.com", to: ["team@example.com"] }),
    "9bab276f13915a49254a4f76b1e8476a03709342a4c954250dfba3031d823eaa",
  ],
  "an alert": [{ ...FIX, alert: { to: [{ use: "desktop" }] } }, "f9432e8ab8f86cc3af3b22345f6adfca810205c8b01567d2f746579cbb3fd263"],
  "a team": [
    {
      name: "fix",
      intent: "Make it right.",
      level: "L2",
      maker: { use: "team" },
      document: {},
      team: { workers: { one: { role: "Write.", use: "shell", with: RUN, gives: { as: "text" } } }, proposes: ["one"] },
      verifiers: LOOP.verifiers,
    },
    "ebc5578795c1b9f752f0e90d7442becc127bd83a6fe08ee9f58d91a4b5b3ef1a",
  ],
  "a loop that refines itself": [
    improving({ use: "refine", of: ["maker"], steps: 3, keep: ["format"], undo: { drop: 0.05, safety: true } }),
    "e6cfb306bb6da8c87981e113cbebc33ff278e49cabb28eae920ff7caa3aa29b1",
  ],
  "a loop that searches": [
    improving({ use: "search", space: { run: ["./a", "./b"] }, gain: 0.1, lasts: "loop" }),
    "18e6aa168a7186e8e1f2bef817dcbdc32a1820db5920e83caae6f1e67684dbda",
  ],
  "a loop that keeps a notebook": [improving({ use: "notebook" }), "197364ca01cdecdf0dfdd3d2521f3471b9367a960006f95b9eef3f7a7fbd31d7"],
  "a loop that proposes to change": [improving({ use: "propose" }), "fb07f825767b9e6fef13d712a4419719e3f201e70fad9740a50b7f67a319e6f5"],
  "a document with what it goes on to": [
    {
      ...FIX,
      document: {},
      inputs: { topic: { type: "text", about: "What it is about" } },
      act: [{ use: "write-document", with: { folder: "../out" } }, { use: "commit-document" }],
    },
    "775b7bbc78b20a70d3302444f7b9a8c34e82f61a010f8264afab6577d1ac8e51",
  ],
};

it.each(Object.entries(SPECS))("gives %s the hash that it always had", (_name, [spec, hash]) => {
  const reading = readSpec("fix.loop.json", JSON.stringify(spec), builtIn);

  expect(reading.kind === "read" ? reading.hash : reading.problems.map(formatProblem)).toBe(hash);
});

it.each(Object.entries(SPECS))("reads %s by the parts it names as it does by all of them", (_name, [spec]) => {
  expect(specSchemaFor(spec, builtIn).safeParse(spec)).toEqual(specSchema(builtIn).safeParse(spec));
});

it("names every part that is built in", () => {
  const named = JSON.stringify(Object.values(SPECS).map(([spec]) => spec));
  const parts = Object.values(builtIn).flat();

  expect(parts.filter(({ name }) => !named.includes(`"use":"${name}"`)).map(({ name }) => name)).toEqual([]);
});
