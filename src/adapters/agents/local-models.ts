// Models on this machine (Ollama, LM Studio, llama.cpp): the lines of a spec that let one of them work, with where each listens.
//
// Where they listen by themselves: github.com/ollama/ollama docs/api.md (11434), lmstudio.ai/docs/developer (1234), llama.cpp tools/server/README.md (8080); November 2026.
import { defineAgent } from "../../contract/agents.ts";
import { plainCode } from "./words.ts";

const GUIDE = ".loopwright/local-models.md";

const PRESETS = [
  { title: "Ollama", maker: "{ use: ollama, with: { model: MODEL } }" },
  { title: "LM Studio", maker: '{ use: openai-compatible, with: { model: MODEL, baseUrl: "http://127.0.0.1:1234/v1" } }' },
  { title: "llama.cpp", maker: '{ use: openai-compatible, with: { model: MODEL, baseUrl: "http://127.0.0.1:8080/v1" } }' },
];

export const localModels = defineAgent({
  name: "local-models",
  title: "Local models",
  summary: "A page in .loopwright with the makers that let a model of Ollama, LM Studio or llama.cpp work on the loops here.",
  notes: ["The ports are those that each program takes by itself (November 2026); no key is needed, and none is written."],
  signs: { paths: [GUIDE], programs: ["ollama", "lms", "llama-server"] },
  asks: [],
  needs: [],
  pieces: ({ loops }) => [
    {
      kind: "file",
      path: GUIDE,
      body: `# Models on this machine

Put one of these lines in the place of \`maker:\` in a spec, with the name of a model that is there for MODEL. The loop's checks stay the same, whoever makes the change.

${PRESETS.map(({ title, maker }) => `## ${title}\n\n\`\`\`yaml\nmaker: ${maker}\n\`\`\`\n\n`).join("")}## Loops here

${loops.length === 0 ? "None yet: `lw init` writes one.\n" : loops.map(({ name, spec }) => `- ${name}: ${plainCode(spec)}, then \`lw validate ${name}\` and \`lw run ${name}\`\n`).join("")}`,
      marks: "markdown",
    },
  ],
  own: [GUIDE],
});
