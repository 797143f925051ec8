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
  shell: [FIX, "9e34cf40bbde94dbbde4cee6d7fa0a3b702bda3782d00fd73ab3ebed587b823d"],
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
  "triage of what a project stands on": [
    {
      ...REPORT,
      gather: [
        { use: "dependencies", with: { ecosystem: "npm" } },
        { use: "releases", with: { repo: "octo/app" } },
        { use: "security", with: { repo: "octo/app" } },
      ],
    },
    "49c5a7f8e1fbd9b6a50ad928cd980090fd3e471badbde7c7fbea3000aee43775",
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
  witness: [judged("witness", RUN), "28af237a7cf5b5e2abcc88cfa7b1c0b191dafb8804207646b7a781c709bbde0c"],
  isomorphic: [judged("isomorphic", RUN), "c0828266ca6db63d9c216e3f02585170a8ac5bd283e262cb24c46031b247f581"],
  holdout: [judged("holdout", RUN), "6c83d741e5b99afb64a3d757db2a87be4e1f39ce82747f61089b9fa6bf194236"],
  mutation: [judged("mutation", RUN), "7f0a62e27d8db37d5deb9c6a2b36fbd04abc949113b23ffd3a9e558c53fc42a9"],
  twins: [
    judged("twins", { ...RUN, results: { format: "junit", file: "out.xml" } }),
    "4eca83fdc986e8bc923814085766310072d2516e5e3ee7fab20f442f95110de5",
  ],
  replay: [judged("replay", RUN), "fb63742d5e07ec351e9628eded0fa9bc48a24b23cd51852cc14ad41e963ff50f"],
  scope: [judged("scope"), "9dbbb163ef161edc556296bd695bdce0e92ed0cb692fbb09fe584d7d2ef53987"],
  check: [judged("check", RUN), "5ac1aee9533cf72bb7cef54c96ce13ea59c6345ac3bd2191919cd7a6ac7e05a6"],
  measure: [judged("measure", { words: { most: 100 } }), "aa7f52f7e0926ae2175c8a341d0cdfd90c2552fe067303b08aaf919c2220f158"],
  human: [judged("human", { ask: "Is it sound?" }), "64652160250a5d8bf7c51817133cffa34ad80a785a60b4168c354e6946dc978c"],
  rubric: [
    judged("rubric", {
      judges: [{ provider: "anthropic", ...MODEL }],
      dimensions: { clear: { criteria: "It is clear." } },
      threshold: 0.5,
    }),
    "361717a50de9db2b21a9aec878ed0c51e194ef65a0f351d439d5aa1d0f1c3e51",
  ],
  judge: [judged("judge", { provider: "anthropic", ...MODEL }), "2ce4bda164faf3cbdf8f4c6066b900278341c59402a36182d109af2876c4438a"],
  quorum: [
    judged("quorum", {
      judges: [
        { provider: "anthropic", ...MODEL },
        { provider: "anthropic", model: "other-model" },
      ],
      agree: 2,
    }),
    "0d0c905d42f85bc80d4839f15187673b5de7d2653c26c4581389609bde8d0962",
  ],
  every: [
    { ...FIX, trigger: { use: "every", with: { interval: "1h" } } },
    "7858ce7d803679178900e746dee856b4dcd9fb415f2a4137748320a9db96fa73",
  ],
  manual: [{ ...FIX, trigger: { use: "manual" } }, "9e34cf40bbde94dbbde4cee6d7fa0a3b702bda3782d00fd73ab3ebed587b823d"],
  cron: [wokenBy("cron", { schedule: "0 9 * * mon-fri" }), "9212dc30e190deb8187bdf5e87a266a99dd7c80d42eba9a317f790d7f7bf184c"],
  daily: [wokenBy("daily", { at: "09:00" }), "28a7b63725bdb9a4387eb964d42bb2fa66b47c4b0fadab12cb226a01cbc4d041"],
  weekly: [wokenBy("weekly", { on: "mon", at: ["09:00"] }), "3e64bf8ac05d83797cbabf23cd8848ce01bc652f7d92497a9787ae22452c1c1c"],
  git: [wokenBy("git", { ref: "main" }), "39b8db4231fe92fe0c72c59a568ad6227568c565e726cafc4863fb01f29ce17e"],
  files: [wokenBy("files", { paths: ["docs/**"] }), "787af7025ecc7833c0a4a5977cd45f9bcef496da3b01130b905d3ef3edaf2d9b"],
  "trigger webhook": [
    wokenBy("webhook", { address: "fix", secret: "HOOK_SECRET" }),
    "4500a2cb32e3dcff600268898331e05f90e0b26722923ac116c13ec1920518de",
  ],
  loop: [wokenBy("loop", { name: "other" }), "933e3f8315589fa79b8e0c576ed784f054122bc33f8533d85e4ed416f56029e4"],
  inbox: [wokenBy("inbox"), "d3cf0d3213b8c5234188d09697d76dbcd11fadbce689c6ffca6382f701a3a73c"],
  any: [
    wokenBy("any", { of: [{ use: "daily", with: { at: "09:00" } }, { use: "inbox" }] }),
    "1323eaf14d4ba4b00743bb75e26fd701c875072fd56d1085662a823e384f1371",
  ],
  "gate ask": [passing("ask"), "9e34cf40bbde94dbbde4cee6d7fa0a3b702bda3782d00fd73ab3ebed587b823d"],
  "gate allowlist": [passing("allowlist", { allow: ["docs/**"] }), "bb6cc23b81121e247c19262aba846fe57466e6612cc21e81972a711bee523f2c"],
  "gate quorum": [passing("quorum", { people: ["ada", "grace"] }), "b1b0e87f9bb54932c1cf519018a3fe49b96569a2075ce63a5a0518180742bbcc"],
  "gate window": [passing("window"), "8ea9046c5152affb75fc382483e1d45ac9529e7a31bdb741cb68377826b9f03f"],
  "gate command": [passing("command", { run: "./may-merge" }), "6face4d1d6b2a59198aba3c351675f612fdb36d46386aad87b6df694f196c046"],
  "gate webhook": [
    passing("webhook", { url: "https://gate.example.com/loops", secret: "GATE_SECRET" }),
    "2295c9fd5962ebcb594cd9d54ad0b51653275fd9cabde55a69611aac67cd992b",
  ],
  merge: [doing("merge"), "6396c62760be8d25a86b4201c4d79294aaeda422daba4c126ab25eb28d8bffe4"],
  push: [doing("push"), "5ad3dd00876b5ec6dce5eb031a0571b0e334e6b4561cc932c2578a86a4ab2735"],
  github: [doing("github", { repo: "octo/app" }), "cd229b023e7e412b0c2ebeaf3202c8bf14d5833772ed3000207f24cdc2581311"],
  gitlab: [doing("gitlab", { project: "group/app" }), "10033b2c80f15e1999605fdc4fa52bc189d1afec7d6df2efa7daec9b92c14ced"],
  "act file": [doing("file", { path: "../reports/decided.md" }), "f8827139a3b698ef3533d4e455ef89a643e9015e29a55739924072a9e2a066f5"],
  "act command": [doing("command", { run: "./deploy" }), "64bc7bdeded526083967eda519de77d161d698fc0ba0a8e7bd1fa38859cdf42e"],
  "act webhook": [
    doing("webhook", { url: "https://hooks.example.com/loops" }),
    "987e487898738ced731b6c5b9fb671fe3e65e189bfd0f1fd74f8491485a25830",
  ],
  "notify file": [telling("file", { path: "../reports/triage.md" }), "1b27eb76e1cd1cb96ba1bf8395ecd8ed9a0884dbe60a4289545656bbca906ee8"],
  "notify command": [
    telling("command", { run: "mail -s triage team@example.com" }),
    "7f5a82ead81507799947608804ffa6dd82b3927d2e5aca0ddc486a99a8244857",
  ],
  "notify webhook": [
    telling("webhook", { url: "https://hooks.example.com/loops" }),
    "fe2de743fb31f677b45b12f71585c09dc74385c69a421c5448415b64248ac556",
  ],
  slack: [telling("slack", { url: "SLACK_WEBHOOK_URL" }), "bb3f4af10a4325df2f192d6de3101023e7bf9e3ad098b6c75a80f27fe73843ee"],
  desktop: [telling("desktop"), "4533047bccd3d1ed74bb2c89cf124abb72f9cd5535bbf6ea82e72e60ebd43dcb"],
  smtp: [
    telling("smtp", { host: "smtp.example.com", from: "loops@example.com", to: ["team@example.com"] }),
    "f9db150252bb9cece01108343344f712770dbb78c06b786ef2004d9854a2c15e",
  ],
  "an alert": [{ ...FIX, alert: { to: [{ use: "desktop" }] } }, "c870762e4caa156fdade2bc7c10454a34866dc24b36a5ad575c8a4e552b5725d"],
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
    "7df1fe4923b0cf277e4acc2b4dcc9f47e42d7d48c7ea4621f5870fadceb0dd03",
  ],
  "a loop that searches": [
    improving({ use: "search", space: { run: ["./a", "./b"] }, gain: 0.1, lasts: "loop" }),
    "cc28f55bb3d41cb587d6ef1df3dbe1effbb88390aab40ecbe4f485ccae29b8b0",
  ],
  "a loop that keeps a notebook": [improving({ use: "notebook" }), "194946809ff37317e1eaa4dc04178cbddf0c9b8f46f9052d88797dcca498c30d"],
  "a loop that proposes to change": [improving({ use: "propose" }), "44c7343b71b15dd9d02a7fdcd284e32c57c9d6d597a18996f1edbfef13bf9def"],
  "a document with what it goes on to": [
    {
      ...FIX,
      document: {},
      inputs: { topic: { type: "text", about: "What it is about" } },
      act: [{ use: "write-document", with: { folder: "../out" } }, { use: "commit-document" }],
    },
    "507162e23380a41c372efb0a2f74fdd57ea7d8400c2c227824843a0063e72cb6",
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
