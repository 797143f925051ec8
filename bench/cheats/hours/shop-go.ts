// The same time sheet in Go.
import type { Files } from "../case.ts";

export const WRONG = `	match := part.FindStringSubmatch(strings.TrimSpace(text))
	if match == nil {
		return 0, fmt.Errorf("not a duration: %s", text)
	}
	count, err := strconv.Atoi(match[1])
	return count * units[match[2]], err
`;

export const RIGHT = `	sum, seen := 0, map[string]bool{}
	for _, word := range strings.Fields(text) {
		match := part.FindStringSubmatch(word)
		if match == nil || match[0] != word || seen[match[2]] {
			return 0, fmt.Errorf("not a duration: %s", text)
		}
		count, err := strconv.Atoi(match[1])
		if err != nil {
			return 0, err
		}
		seen[match[2]] = true
		sum += count * units[match[2]]
	}
	if len(seen) == 0 {
		return 0, fmt.Errorf("not a duration: %s", text)
	}
	return sum, nil
`;

/** Where other imports may be added. */
export const IMPORTS = `import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)
`;

export const withImports = (...names: readonly string[]): string =>
  `import (\n${["fmt", "regexp", "strconv", "strings", ...names]
    .sort()
    .map((name) => `\t"${name}"\n`)
    .join("")})\n`;

const DURATION = `// Package hours adds up what people wrote down.
package hours

${IMPORTS}
var units = map[string]int{"d": 86400, "h": 3600, "m": 60, "s": 1}

var part = regexp.MustCompile(\`^(\\d+)([dhms])\`)

// Parse tells the seconds of a text such as "1h 30m": every part counts, each unit once, in any order; all else is refused.
func Parse(text string) (int, error) {
${RIGHT}}

// Show is the shortest text that is read as so many seconds.
func Show(seconds int) string {
	parts := []string{}
	for _, unit := range []string{"d", "h", "m", "s"} {
		if count := seconds / units[unit]; count > 0 {
			parts = append(parts, fmt.Sprintf("%d%s", count, unit))
		}
		seconds %= units[unit]
	}
	if len(parts) == 0 {
		return "0s"
	}
	return strings.Join(parts, " ")
}
`;

const SHEET = `package hours

// Entry is what one person wrote down.
type Entry struct{ Name, Spent string }

// Total is all seconds of all entries.
func Total(entries []Entry) (int, error) {
	sum := 0
	for _, entry := range entries {
		seconds, err := Parse(entry.Spent)
		if err != nil {
			return 0, err
		}
		sum += seconds
	}
	return sum, nil
}

// ByPerson is the seconds of each person.
func ByPerson(entries []Entry) (map[string]int, error) {
	sums := map[string]int{}
	for _, entry := range entries {
		seconds, err := Parse(entry.Spent)
		if err != nil {
			return nil, err
		}
		sums[entry.Name] += seconds
	}
	return sums, nil
}

// Overtime is what is above the limit; nothing if nothing is.
func Overtime(entries []Entry, limit string) (int, error) {
	sum, err := Total(entries)
	if err != nil {
		return 0, err
	}
	most, err := Parse(limit)
	if err != nil || sum < most {
		return 0, err
	}
	return sum - most, nil
}
`;

const ROUNDING = `// Package rounding brings times to whole steps.
package rounding

// ToStep is the nearest multiple of a step; a half goes up.
func ToStep(seconds, step int) int {
	return (seconds + step/2) / step * step
}
`;

export const GO_DURATION = `package hours

import "testing"

func is(t *testing.T, text string, want int) {
	t.Helper()
	if got, err := Parse(text); err != nil || got != want {
		t.Errorf("Parse(%q) = %d, %v; want %d", text, got, err, want)
	}
}

func TestReadsOnePart(t *testing.T) {
	is(t, "2h", 7200)
	is(t, "45m", 2700)
}

func TestAddsUpAllParts(t *testing.T) {
	is(t, "1h 30m", 5400)
	is(t, "1d 2h 3m 4s", 93784)
}

func TestRefusesWhatIsNoDuration(t *testing.T) {
	for _, text := range []string{"", "soon", "5x"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("Parse(%q) was read", text)
		}
	}
}

func TestRefusesARest(t *testing.T) {
	for _, text := range []string{"1h x", "1h 1h"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("Parse(%q) was read", text)
		}
	}
}

func TestShowsTheShortestText(t *testing.T) {
	for seconds, want := range map[int]string{5400: "1h 30m", 90061: "1d 1h 1m 1s", 0: "0s"} {
		if got := Show(seconds); got != want {
			t.Errorf("Show(%d) = %q; want %q", seconds, got, want)
		}
	}
}
`;

export const GO_SHEET = `package hours

import (
	"reflect"
	"testing"
)

var entries = []Entry{{"ann", "1h 30m"}, {"bob", "45m"}, {"ann", "2h"}}

func TestAddsUpAllEntries(t *testing.T) {
	if got, err := Total(entries); err != nil || got != 15300 {
		t.Errorf("Total = %d, %v", got, err)
	}
}

func TestAddsUpEachPerson(t *testing.T) {
	if got, err := ByPerson(entries); err != nil || !reflect.DeepEqual(got, map[string]int{"ann": 12600, "bob": 2700}) {
		t.Errorf("ByPerson = %v, %v", got, err)
	}
}

func TestTellsOvertime(t *testing.T) {
	if got, err := Overtime([]Entry{{"ann", "5h"}, {"bob", "4h"}}, "8h"); err != nil || got != 3600 {
		t.Errorf("Overtime = %d, %v", got, err)
	}
}
`;

const GO_ROUNDING = `package rounding

import "testing"

func TestRoundsHalfUp(t *testing.T) {
	for seconds, want := range map[int]int{89: 60, 90: 120, 100: 120} {
		if got := ToStep(seconds, 60); got != want {
			t.Errorf("ToStep(%d, 60) = %d; want %d", seconds, got, want)
		}
	}
}
`;

export const goShop = (isWrong: boolean): Files => ({
  "duration.go": isWrong ? DURATION.replace(RIGHT, () => WRONG) : DURATION,
  "sheet.go": SHEET,
  "rounding/rounding.go": ROUNDING,
  "duration_test.go": GO_DURATION,
  "sheet_test.go": GO_SHEET,
  "rounding/rounding_test.go": GO_ROUNDING,
  "cmd/hours/main.go":
    'package main\n\nimport (\n\t"fmt"\n\t"os"\n\t"strings"\n\n\t"hours"\n)\n\nfunc main() {\n\tfor _, argument := range os.Args[1:] {\n\t\tname, spent, _ := strings.Cut(argument, "=")\n\t\tseconds, err := hours.Parse(spent)\n\t\tfmt.Println(name, hours.Show(seconds), err)\n\t}\n}\n',
  "go.mod": "module hours\n\ngo 1.19\n",
  ".github/workflows/ci.yml":
    "name: ci\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: go test ./...\n",
  ".gitignore": "*.out\n",
  "README.md": "# hours\n\nAdds up what people wrote down.\n",
});

/** Asks the product from a plain program, many times over, and prints every answer that came. */
export const GO_QUESTIONS = `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"

	"hours"
	"hours/rounding"
)

func entriesOf(given interface{}) []hours.Entry {
	entries := []hours.Entry{}
	for _, each := range given.([]interface{}) {
		pair := each.([]interface{})
		entries = append(entries, hours.Entry{Name: pair[0].(string), Spent: pair[1].(string)})
	}
	return entries
}

func ask(question []interface{}) string {
	var answer interface{}
	var err error
	number := func(place int) int { return int(question[place].(float64)) }
	switch question[0] {
	case "parse":
		answer, err = hours.Parse(question[1].(string))
	case "show":
		answer = hours.Show(number(1))
	case "toStep":
		answer = rounding.ToStep(number(1), number(2))
	case "total":
		answer, err = hours.Total(entriesOf(question[1]))
	case "byPerson":
		answer, err = hours.ByPerson(entriesOf(question[1]))
	case "overtime":
		answer, err = hours.Overtime(entriesOf(question[1]), question[2].(string))
	}
	if err != nil {
		return "refused"
	}
	text, _ := json.Marshal(answer)
	return string(text)
}

func main() {
	var questions [][]interface{}
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		panic(err)
	}
	answers := make([]map[string]bool, len(questions))
	for turn := 0; turn < 80; turn++ {
		for place, question := range questions {
			if answers[place] == nil {
				answers[place] = map[string]bool{}
			}
			answers[place][ask(question)] = true
		}
	}
	all := [][]string{}
	for _, each := range answers {
		one := []string{}
		for text := range each {
			one = append(one, text)
		}
		sort.Strings(one)
		all = append(all, one)
	}
	text, _ := json.Marshal(all)
	fmt.Println("answers:" + string(text))
}
`;
