// Secrets of those who sell or host language models.
import { ALNUM, fresh, HEX, type SecretKind, token, WORD } from "../kind.ts";
import { hasLetterAndDigit, isMixed, isRandom } from "../shape.ts";

/** Keys of those who sell or host language models, and of what belongs to them. */
export const modelKinds: readonly SecretKind[] = [
  token(
    "anthropic-key",
    "Anthropic key",
    ["sk-ant-"],
    /sk-ant-[A-Za-z0-9_-]{16,300}/y,
    (chance) => `sk${"-ant-api03-"}${chance.text(WORD, 93)}AA`,
    { accepts: hasLetterAndDigit },
  ),
  token(
    "openrouter-key",
    "OpenRouter key",
    ["sk-or-"],
    /sk-or-(?:v\d-)?[A-Za-z0-9]{32,100}/y,
    (chance) => `sk${"-or-v1-"}${chance.text(HEX, 64)}`,
  ),
  token(
    "langfuse-key",
    "Langfuse key",
    ["sk-lf-"],
    /sk-lf-[A-Za-z0-9-]{20,64}/y,
    (chance) =>
      `sk${"-lf-"}${chance.text(HEX, 8)}-${chance.text(HEX, 4)}-${chance.text(HEX, 4)}-${chance.text(HEX, 4)}-${chance.text(HEX, 12)}`,
  ),
  token(
    "openai-key",
    "OpenAI key",
    ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-", "sess-"],
    fresh(/(?:sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,300}|sess-[A-Za-z0-9]{40})/),
    (chance) => `sk${"-proj-"}${chance.text(WORD, 74)}T3Blbk${"FJ"}${chance.text(WORD, 74)}`,
    { accepts: hasLetterAndDigit },
  ),
  token(
    "openai-key",
    "OpenAI key, and those who write theirs alike",
    ["sk-"],
    fresh(/sk-[A-Za-z0-9_-]{20,200}/),
    (chance) => `sk${"-"}${chance.text(ALNUM, 20)}T3Blbk${"FJ"}${chance.text(ALNUM, 20)}`,
    {
      accepts: (text) => isMixed(text.slice(3)) || isRandom(text.slice(3).replaceAll("-", ""), 24),
      passes: ["sk-fading-circle sk-loading-indicator-small", "task-manager-for-all-the-things-2"],
    },
  ),
  token(
    "hugging-face-token",
    "Hugging Face token",
    ["hf_", "api_org_"],
    fresh(/(?:hf_|api_org_)[A-Za-z0-9]{30,60}/),
    (chance) => `hf${"_"}${chance.text("A-Za-z", 34)}`,
  ),
  token("replicate-token", "Replicate token", ["r8_"], fresh(/r8_[A-Za-z0-9]{36,60}/), (chance) => `r8${"_"}${chance.text(ALNUM, 37)}`),
  token("groq-key", "Groq key", ["gsk_"], fresh(/gsk_[A-Za-z0-9]{40,80}/), (chance) => `gs${"k_"}${chance.text(ALNUM, 52)}`),
  token("nvidia-key", "NVIDIA key", ["nvapi-"], /nvapi-[A-Za-z0-9_-]{40,120}/y, (chance) => `nv${"api-"}${chance.text(WORD, 64)}`),
  token("xai-key", "xAI key", ["xai-"], fresh(/xai-[A-Za-z0-9]{40,120}/), (chance) => `xa${"i-"}${chance.text(ALNUM, 80)}`),
  token("perplexity-key", "Perplexity key", ["pplx-"], /pplx-[A-Za-z0-9]{32,80}/y, (chance) => `pp${"lx-"}${chance.text(ALNUM, 48)}`),
  token("cerebras-key", "Cerebras key", ["csk-"], fresh(/csk-[a-z0-9]{40,64}/), (chance) => `cs${"k-"}${chance.text("a-z0-9", 48)}`),
  token("together-key", "Together key", ["tgp_v1_"], /tgp_v1_[A-Za-z0-9_-]{36,64}/y, (chance) => `tg${"p_v1_"}${chance.text(WORD, 43)}`),
  token(
    "fireworks-key",
    "Fireworks key",
    ["fw_"],
    fresh(/fw_[A-Za-z0-9]{20,40}(?![A-Za-z0-9_])/),
    (chance) => `fw${"_"}${chance.text(ALNUM, 22)}a9`,
    { accepts: hasLetterAndDigit },
  ),
  token(
    "langsmith-key",
    "LangSmith key",
    ["lsv2_"],
    /lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}/y,
    (chance) => `ls${"v2_pt_"}${chance.text(HEX, 32)}_${chance.text(HEX, 10)}`,
  ),
  token(
    "pinecone-key",
    "Pinecone key",
    ["pcsk_"],
    /pcsk_[A-Za-z0-9_]{40,90}/y,
    (chance) => `pc${"sk_"}${chance.text(ALNUM, 6)}_${chance.text(ALNUM, 63)}`,
  ),
  token("elevenlabs-key", "ElevenLabs key", ["sk_"], fresh(/sk_[a-f0-9]{48}/), (chance) => `sk${"_"}${chance.text(HEX, 48)}`),
  token(
    "search-key",
    "Key of a search service for agents",
    ["tvly-", "fc-", "jina_"],
    fresh(/(?:tvly-(?:dev-|prod-)?[A-Za-z0-9]{24,64}|fc-[a-f0-9]{32}|jina_[A-Za-z0-9_-]{50,80})/),
    (chance) => `tv${"ly-dev-"}${chance.text(ALNUM, 32)}`,
  ),
];
