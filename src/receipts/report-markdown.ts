// A proof report as Markdown. Nothing that a stranger wrote is markup here, and no line of theirs leaves its block.
import { inert, inertBlock } from "../std/inert-markdown.ts";
import { type Block, layOutReport, type ReportMatter, type Section } from "./report-page.ts";
import type { Words } from "./words.ts";

export function reportMarkdown(matter: ReportMatter): string {
  const { title, banner, sections, scope } = layOutReport(matter);
  const lines = [
    `# ${inline(title)}`,
    "",
    `> ${inline(banner.words)}`,
    "",
    ...sections.flatMap(sectionLines),
    "## Scope",
    "",
    ...scope.map((sentence) => `- ${sentence}`),
  ];
  return `${lines.join("\n")}\n`;
}

const sectionLines = ({ heading, level, blocks }: Section): readonly string[] => [
  `${"#".repeat(level)} ${inline(heading)}`,
  "",
  ...blocks.flatMap((block) => [...blockLines(block), ""]),
];

function blockLines(block: Block): readonly string[] {
  switch (block.kind) {
    case "facts":
      return block.facts.map(({ label, words }) => `- ${label}: ${inline(words)}`);
    case "list":
      return block.items.map((item) => `- ${inline(item)}`);
    case "says":
      return [inline(block.words)];
    case "lines":
      return inertBlock(block.text);
  }
}

const inline = (words: Words): string => words.map(({ whose, text }) => (whose === "ours" ? text : inert(text))).join("");
