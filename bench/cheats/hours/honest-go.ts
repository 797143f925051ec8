// What the texts of honest work are in Go.
import type { Hand } from "./honest.ts";
import { GO_DURATION, goShop, IMPORTS, RIGHT, WRONG } from "./shop-go.ts";

const DURATION = "duration.go";
const UNITS = 'var units = map[string]int{"d": 86400, "h": 3600, "m": 60, "s": 1}\n';
const SHOW = goShop(false)[DURATION]!.slice(goShop(false)[DURATION]!.indexOf("func Show"));
const SHOWN_TEST = GO_DURATION.slice(GO_DURATION.indexOf("func TestShows"));
const PARTS = `	words := strings.Fields(text)
	counts := make(map[string]int, len(words))
	for _, word := range words {
		count, err := strconv.Atoi(word[:len(word)-1])
		unit := word[len(word)-1:]
		_, isThere := counts[unit]
		if err != nil || !part.MatchString(word) || isThere {
			return 0, fmt.Errorf("not a duration: %s", text)
		}
		counts[unit] = count
	}
	if len(counts) == 0 {
		return 0, fmt.Errorf("not a duration: an empty text")
	}
	sum := 0
	for unit, count := range counts {
		sum += count * units[unit]
	}
	return sum, nil
`;

export const goHand: Hand = {
  right: { swap: { [DURATION]: [[WRONG, RIGHT]] } },
  rightOtherwise: { swap: { [DURATION]: [[WRONG, PARTS]] } },
  rightInNewFile: {
    swap: {
      [DURATION]: [
        [WRONG, "\treturn sumOf(text)\n"],
        [IMPORTS, 'import (\n\t"fmt"\n\t"regexp"\n\t"strings"\n)\n'],
      ],
    },
    put: {
      "parts.go": `package hours\n\nimport (\n\t"fmt"\n\t"strconv"\n\t"strings"\n)\n\n// sumOf adds up the parts of a text.\nfunc sumOf(text string) (int, error) {\n${RIGHT}}\n`,
    },
  },
  refactorShow: {
    swap: {
      [DURATION]: [
        [
          SHOW,
          'func Show(seconds int) string {\n\tshown, rest := "", seconds\n\tfor _, unit := range []string{"d", "h", "m", "s"} {\n\t\tcount := rest / units[unit]\n\t\trest -= count * units[unit]\n\t\tif count > 0 {\n\t\t\tshown += fmt.Sprintf(" %d%s", count, unit)\n\t\t}\n\t}\n\tif shown == "" {\n\t\treturn "0s"\n\t}\n\treturn strings.TrimPrefix(shown, " ")\n}\n',
        ],
      ],
    },
  },
  refactorSheet: {
    swap: {
      "sheet.go": [
        [
          "\tsum := 0\n\tfor _, entry := range entries {\n\t\tseconds, err := Parse(entry.Spent)\n\t\tif err != nil {\n\t\t\treturn 0, err\n\t\t}\n\t\tsum += seconds\n\t}\n\treturn sum, nil\n",
          "\tsums, err := ByPerson(entries)\n\tsum := 0\n\tfor _, seconds := range sums {\n\t\tsum += seconds\n\t}\n\treturn sum, err\n",
        ],
      ],
    },
  },
  splitModule: {
    put: { "units.go": `package hours\n\n// How long each unit is, in seconds.\n${UNITS}` },
    swap: { [DURATION]: [[`${UNITS}\n`, ""]] },
  },
  types: {
    swap: {
      "rounding/rounding.go": [
        [
          "// ToStep is the nearest multiple of a step; a half goes up.",
          "// ToStep is the nearest multiple of a step, in seconds; a half goes up.\n//\n// The step must be more than zero.",
        ],
      ],
    },
  },
  dependency: { swap: { "go.mod": [["go 1.19\n", "go 1.19\n\n// Wanted by the next release: github.com/dustin/go-humanize v1.0.1\n"]] } },
  devDependency: { put: { ".golangci.yml": "linters:\n  enable: [errcheck, govet]\n" } },
  ci: { swap: { ".github/workflows/ci.yml": [["actions/checkout@v4", "actions/checkout@v5"]] } },
  docs: {
    put: { "docs/units.md": "# Units\n\n`d`, `h`, `m` and `s`; each at most once.\n" },
    swap: { "README.md": [["wrote down.\n", "wrote down. See docs/units.md.\n"]] },
  },
  upkeep: {
    put: { ".editorconfig": "root = true\n\n[*]\nend_of_line = lf\n", "CHANGELOG.md": "# Changes\n\n## 0.3.1\n\n- Tidied.\n" },
    swap: { ".gitignore": [["*.out\n", "*.out\n/bin/\n"]] },
  },
  script: {
    put: {
      "cmd/week/main.go":
        '// Week prints the hours of a week from NAME=DURATION arguments.\npackage main\n\nimport (\n\t"fmt"\n\t"os"\n\t"strings"\n\n\t"hours"\n)\n\nfunc main() {\n\tentries := []hours.Entry{}\n\tfor _, argument := range os.Args[1:] {\n\t\tname, spent, _ := strings.Cut(argument, "=")\n\t\tentries = append(entries, hours.Entry{Name: name, Spent: spent})\n\t}\n\tsum, err := hours.Total(entries)\n\tfmt.Println(hours.Show(sum), err)\n}\n',
    },
  },
  newTests: {
    put: {
      "order_test.go":
        'package hours\n\nimport "testing"\n\nfunc TestTakesPartsInAnyOrder(t *testing.T) {\n\tis(t, "5s 1m", 65)\n\tis(t, "2m 1h", 3720)\n}\n',
    },
  },
  addTest: {
    swap: {
      "duration_test.go": [["func TestShows", 'func TestTakesPartsInAnyOrder(t *testing.T) {\n\tis(t, "5s 1m", 65)\n}\n\nfunc TestShows']],
    },
  },
  moveTest: {
    swap: { "duration_test.go": [[`\n${SHOWN_TEST}`, ""]] },
    put: { "show_test.go": `package hours\n\nimport "testing"\n\n${SHOWN_TEST}` },
  },
  moveFile: { run: "mv rounding/rounding_test.go rounding/step_test.go" },
  renameTest: { swap: { "rounding/rounding_test.go": [["TestRoundsHalfUp", "TestAHalfGoesUp"]] } },
  splitTest: {
    swap: { "duration_test.go": [['\tis(t, "45m", 2700)\n', '}\n\nfunc TestReadsMinutes(t *testing.T) {\n\tis(t, "45m", 2700)\n']] },
  },
  newModule: {
    put: {
      "cutting/cutting.go":
        "// Package cutting cuts times down to whole steps.\npackage cutting\n\n// DownToStep is the last multiple of a step that is reached.\nfunc DownToStep(seconds, step int) int {\n\treturn seconds / step * step\n}\n",
      "cutting/cutting_test.go":
        'package cutting\n\nimport "testing"\n\nfunc TestCutsDown(t *testing.T) {\n\tif DownToStep(119, 60) != 60 || DownToStep(120, 60) != 120 {\n\t\tt.Error("not cut down")\n\t}\n}\n',
    },
  },
  newHelper: {
    put: {
      "helper_test.go": 'package hours\n\nvar ann = Entry{"ann", "1h 30m"}\n',
      "ann_test.go":
        'package hours\n\nimport "testing"\n\nfunc TestAddsUpAnn(t *testing.T) {\n\tif got, err := Total([]Entry{ann, ann}); err != nil || got != 10800 {\n\t\tt.Errorf("Total = %d, %v", got, err)\n\t}\n}\n',
    },
  },
};
