import { expect, it } from "vitest";
import { DAILY, GROUPS } from "./groups.ts";
import { tellAll, tellGroup, tellHelp } from "./help.ts";
import { COMMANDS } from "./table.ts";

const names = COMMANDS.map(({ name }) => name);
const groups = Object.keys(GROUPS) as readonly (keyof typeof GROUPS)[];

it("shows a dozen commands at most for the day, each of which there is", () => {
  const shown = [...tellHelp(COMMANDS).matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name).filter((name) => name !== "lw");

  expect(shown).toEqual([...DAILY]);
  expect(shown.length).toBeLessThanOrEqual(12);
  expect(DAILY.filter((name) => !names.includes(name))).toEqual([]);
});

it("leads to every command by its group, and to all at once", () => {
  for (const { name, group } of COMMANDS) {
    expect(tellGroup(COMMANDS, group)).toMatch(new RegExp(`^  ${name}\\b`, "m"));
    expect(tellAll(COMMANDS)).toMatch(new RegExp(`^  ${name}\\b`, "m"));
  }
  expect(groups.filter((group) => !COMMANDS.some((row) => row.group === group))).toEqual([]);
  expect(tellHelp(COMMANDS)).toContain(`lw help ${groups.join(" | ")}`);
});

it("fits a terminal of 80 columns", () => {
  const texts = [tellHelp(COMMANDS), ...groups.map((group) => tellGroup(COMMANDS, group))];

  expect(texts.flatMap((text) => text.split("\n")).filter((line) => line.length > 80)).toEqual([]);
});
