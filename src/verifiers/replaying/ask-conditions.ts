// Changed code with its questions noted: what they were answered while the tests ran, and a world in which one of them is answered as it always was. Text only, and pure.
import type { Syntax } from "../../contract/syntax.ts";
import { type Turn, turned } from "../../std/twins/twin.ts";
import { changedLines } from "../reading/changed-lines.ts";
import { bare, type Condition, conditionsIn, turnsOfConditions } from "./find-conditions.ts";
import { grammarOf, type Played } from "./note-calls.ts";

export interface ChangedSource {
  readonly path: string;
  readonly text: string;
  /** Empty for a new file. */
  readonly before: string;
}

/** Every question that only the changed files ask. */
export function conditionsOf(language: Played, changed: readonly ChangedSource[], syntax: Syntax): readonly Condition[] {
  const before = changed.map((source) => bare(source.before)).join("\n");
  return changed.flatMap(({ path, text, ...source }) => {
    const tree = syntax.parse(grammarOf(language, path), text);
    if (!tree?.isComplete || tree.errors > 0) return [];
    const lines = new Set(changedLines(source.before, text).added);
    return conditionsIn(language, { path, text, root: tree.root, lines, before });
  });
}

/** How code of a language asks whoever notes its questions. */
export interface Asker {
  readonly language: Played;
  /** A word that nobody else uses. */
  readonly word: string;
  /** Of JavaScript and Python, an expression that is the recorder. */
  readonly recorder: string;
  /** Of Go, the module. */
  readonly module: string | undefined;
}

export const goTookFolder = (word: string): string => `testdata/${word}took`;

export function askTurns({ language, word, recorder, module }: Asker, source: ChangedSource, all: readonly Condition[]): readonly Turn[] {
  const mine = all.filter(({ path }) => path === source.path);
  if (mine.length === 0) return [];
  const call = { javascript: `${recorder}.took`, python: `${recorder}.took`, go: `${word}took.Took` }[language];
  const turns = turnsOfConditions(mine, (condition) => `${call}(${all.indexOf(condition)}, `);
  if (language !== "go") return turns;
  const clause = /^[ \t]*package[ \t]+\w+/m.exec(source.text);
  if (!clause || module === undefined) return [];
  const end = clause.index + clause[0].length;
  return [{ start: end, end, text: `; import ${word}took ${JSON.stringify(`${module}/${goTookFolder(word)}`)}` }, ...turns];
}

export const withQuestions = (asker: Asker, source: ChangedSource, all: readonly Condition[]): string =>
  turned(source.text, askTurns(asker, source, all)).text;

// ── what is asked, while calls are made again ───────────────────────────────────────────────────────────────────

/** Notes which questions are answered otherwise than ever under test, and can answer one of them as it was. */
export const nodeTook = (usual: Usual): string =>
  [
    "'use strict';",
    `const usual = new Map(${JSON.stringify([...usual])});`,
    "let forced = -1;",
    "const strayed = new Set();",
    "module.exports = {",
    "  took(at, value) {",
    "    if (!usual.has(at)) return value;",
    "    const was = usual.get(at);",
    "    if (at === forced) return was ? value || true : value && false;",
    "    if (Boolean(value) !== was) strayed.add(at);",
    "    return value;",
    "  },",
    "  begin() { strayed.clear(); },",
    "  strayed() { return [...strayed].slice(0, 4); },",
    "  force(at) { forced = at; },",
    "};",
    "",
  ].join("\n");

export const pythonTook = (
  usual: Usual,
): string => `_usual = {${[...usual].map(([at, was]) => `${at}: ${was ? "True" : "False"}`).join(", ")}}
_forced = -1
_strayed = []


def took(at, value):
    was = _usual.get(at)
    if was is None:
        return value
    truth = bool(value)
    if at == _forced:
        return value if truth == was else was
    if truth != was and at not in _strayed:
        _strayed.append(at)
    return value


def begin():
    _strayed.clear()


def strayed():
    return _strayed[:4]


def force(at):
    global _forced
    _forced = at
`;

/** Under test it notes into a report; else it knows what was usual. */
export const goTook = (word: string, report: string, usual: Usual): string => `package ${word}took

import (
	"os"
	"strconv"
	"sync"
)

var usual = map[int]bool{${[...usual].map(([at, was]) => `${at}: ${was}`).join(", ")}}
var forced = -1
var strayed = []int{}
var seen = map[string]bool{}
var lock sync.Mutex

func Took(at int, value bool) bool {
	lock.Lock()
	defer lock.Unlock()
	report := ${JSON.stringify(report)}
	if report != "" {
		line := "{\\"condition\\":" + strconv.Itoa(at) + ",\\"side\\":" + strconv.FormatBool(value) + "}\\n"
		if !seen[line] {
			seen[line] = true
			file, err := os.OpenFile(report, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
			if err == nil {
				file.WriteString(line)
				file.Close()
			}
		}
		return value
	}
	was, is := usual[at]
	if !is || was == value {
		return value
	}
	if at == forced {
		return was
	}
	for _, one := range strayed {
		if one == at {
			return value
		}
	}
	strayed = append(strayed, at)
	return value
}

func Begin() { strayed = []int{} }
func Strayed() []int {
	if len(strayed) > 4 {
		return strayed[:4]
	}
	return strayed
}
func Force(at int) { forced = at }
`;

/** By number: what a question was answered every time that a test came to it. */
export type Usual = ReadonlyMap<number, boolean>;
