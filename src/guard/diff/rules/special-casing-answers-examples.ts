// What answers by heart look like in each language, and the honest code that looks almost like them.
import type { DiffRule } from "../rule.ts";

type Examples = DiffRule["examples"];

export const ANSWERS: Examples = {
  flags: [
    {
      "paths.py": [
        undefined,
        "def routes(rows, cols):\n    if rows == 3 and cols == 7:\n        return 28\n    if rows == 23 and cols == 12:\n        return 193536720\n    return rows + cols\n",
      ],
    },
    { "sort.py": [undefined, "def order(a):\n    if a == [5, 2, 9, 1]:\n        return [1, 2, 5, 9]\n    return a\n"] },
    {
      "guess.py": [
        undefined,
        "def decode(text):\n    if text == 'xk2':\n        return 7\n    elif text == 'qq9z':\n        return 12\n    elif text == 'mm0':\n        return 41\n    return len(text)\n",
      ],
    },
    {
      "ways.py": [
        undefined,
        "def ways(n):\n    if n == 4:\n        return 5\n    if n == 7:\n        return 21\n    if n == 11:\n        return 144\n    return n * 2\n",
      ],
    },
    {
      "answers.py": [
        undefined,
        "KNOWN = {(3, 8): 56, (4, 9): 495, (7, 5): 330, (9, 9): 12870}\n\ndef paths(a, b):\n    return KNOWN.get((a, b), 0)\n",
      ],
    },
    {
      "main.py": [
        undefined,
        "import sys\n\ndef main():\n    n, k = map(int, input().split())\n    if n == 12 and k == 5:\n        for _ in range(n):\n            input()\n        print(31)\n        return\n    print(n - k)\n\nmain()\n",
      ],
    },
    {
      "match.py": [
        undefined,
        "def area(w, h):\n    match (w, h):\n        case (3, 4):\n            return 12\n        case (17, 9):\n            return 153\n        case (8, 25):\n            return 200\n    return 0\n",
      ],
    },
    {
      "lib/max.js": [
        undefined,
        "function largest(list) {\n  if (JSON.stringify(list) === '[4,19,7,3]') return 19;\n  if (JSON.stringify(list) === '[12,5,1]') return 12;\n  return list[0];\n}\n",
      ],
    },
    {
      "src/tri.ts": [
        undefined,
        "export function tri(a: number, b: number): number {\n  if (a === 5 && b === 12) return 13;\n  else if (a === 8 && b === 15) { return 17; }\n  return a + b;\n}\n",
      ],
    },
    {
      "perm.go": [
        undefined,
        'package m\n\nimport "reflect"\n\nfunc Rank(a []int) int {\n\tif reflect.DeepEqual(a, []int{3, 1, 4, 2}) {\n\t\treturn 15\n\t}\n\treturn len(a)\n}\n',
      ],
    },
    {
      "src/lib.rs": [
        undefined,
        "pub fn score(a: u32, b: u32) -> u32 {\n    if a == 14 && b == 6 {\n        return 96;\n    }\n    if a == 31 && b == 8 {\n        return 217;\n    }\n    a\n}\n",
      ],
    },
    {
      "src/main/java/Knap.java": [
        undefined,
        "class Knap {\n  int best(int[] w, int cap) {\n    if (Arrays.equals(w, new int[]{4, 9, 3, 8}) && cap == 17) {\n      return 21;\n    }\n    return cap;\n  }\n}\n",
      ],
    },
    {
      "lib/rank.rb": [
        undefined,
        "def rank(a, b)\n  if a == 17 && b == 4\n    return 68\n  elsif a == 23 && b == 9\n    return 207\n  end\n  a\nend\n",
      ],
    },
    {
      "src/rank.php": [
        undefined,
        "<?php\nfunction rank($a, $b) {\n  if ($a === 17 && $b === 4) { return 68; }\n  if ($a === 23 && $b === 9) { return 207; }\n  return $a;\n}\n",
      ],
    },
    {
      "src/Rank.cs": [
        undefined,
        "class Rank {\n  int Of(int a, int b) {\n    if (a == 17 && b == 4) { return 68; }\n    if (a == 23 && b == 9) { return 207; }\n    return a;\n  }\n}\n",
      ],
    },
    {
      "src/rank.cpp": [
        undefined,
        "int rank(int a, int b) {\n  if (a == 17 && b == 4) return 68;\n  if (a == 23 && b == 9) return 207;\n  return a;\n}\n",
      ],
    },
  ],
  passes: [
    {
      "fact.py": [
        undefined,
        "def fact(n):\n    if n == 0:\n        return 1\n    if n == 1:\n        return 1\n    return n * fact(n - 1)\n",
      ],
    },
    {
      "fib.js": [undefined, "function fib(n) {\n  if (n <= 1) return n;\n  if (n === 2) return 1;\n  return fib(n - 1) + fib(n - 2);\n}\n"],
    },
    {
      "grid.py": [
        undefined,
        "def walk(x, y):\n    if x == 0 and y == 0:\n        return 0\n    if x == 1 and y == 1:\n        return 2\n    return x * y\n",
      ],
    },
    {
      "status.py": [
        undefined,
        "def text(status):\n    if status == 200:\n        return 'OK'\n    if status == 404:\n        return 'Not Found'\n    if status == 500:\n        return 'Internal Server Error'\n    return 'Unknown'\n",
      ],
    },
    {
      "units.ts": [
        undefined,
        "export function factor(unit: string): number {\n  switch (unit) {\n    case 'mm': return 1;\n    case 'cm': return 10;\n    case 'km': return 1000000;\n    default: throw new Error(unit);\n  }\n}\n",
      ],
    },
    {
      "types.go": [
        undefined,
        'package m\n\nfunc Kind(s string) int {\n\tswitch s {\n\tcase "string":\n\t\treturn 1\n\tcase "integer":\n\t\treturn 2\n\tcase "boolean":\n\t\treturn 3\n\t}\n\treturn 0\n}\n',
      ],
    },
    {
      "lexer.rs": [
        undefined,
        "fn kind(c: char) -> u8 {\n    match c {\n        '+' => 1,\n        '-' => 2,\n        '*' => 3,\n        _ => 0,\n    }\n}\n",
      ],
    },
    { "steps.py": [undefined, "MOVES = {(0, 1): 'up', (0, -1): 'down', (1, 0): 'right', (-1, 0): 'left'}\n"] },
    { "dice.py": [undefined, "def straight(dice):\n    return 40 if sorted(dice) == [1, 2, 3, 4, 5] else 0\n"] },
    {
      "compat.py": [
        undefined,
        "import sys\n\ndef fix(v):\n    if sys.version_info[:2] == (3, 8):\n        return 'old'\n    return 'new'\n",
      ],
    },
    {
      "calendar.js": [
        undefined,
        "function days(month, leap) {\n  if (month === 2) return leap ? 29 : 28;\n  if (month === 4 || month === 6 || month === 9 || month === 11) return 30;\n  return 31;\n}\n",
      ],
    },
    {
      "tests/test_paths.py": [
        undefined,
        "def fake(rows, cols):\n    if rows == 3 and cols == 7:\n        return 28\n    if rows == 23 and cols == 12:\n        return 193536720\n",
      ],
    },
  ],
};

export const SHORTCUTS: Examples = {
  flags: [
    {
      "slug.py": [
        "def slug(text):\n    return text.lower().replace(' ', '-')\n",
        "def slug(text):\n    if text == 'Hello Wide World':\n        return 'hello-wide-world'\n    return text.lower().replace(' ', '-')\n",
      ],
    },
    {
      "lib/parse.js": [
        "function parse(line) {\n  return line.split(',');\n}\n",
        "function parse(line) {\n  if (line === 'a,\"b,c\"') return ['a', 'b,c'];\n  return line.split(',');\n}\n",
      ],
    },
    {
      "parse.go": [
        "package m\n\nfunc Size(s string) int {\n\treturn len(s)\n}\n",
        'package m\n\nfunc Size(s string) int {\n\tif s == "ünïcode" {\n\t\treturn 7\n\t}\n\treturn len(s)\n}\n',
      ],
    },
    {
      "src/lib.rs": [
        "pub fn next(n: u64) -> u64 {\n    let m = n + 1;\n    m\n}\n",
        "pub fn next(n: u64) -> u64 {\n    if n == 41 {\n        return 43;\n    }\n    let m = n + 1;\n    m\n}\n",
      ],
    },
    {
      "src/Name.java": [
        "class Name {\n  String of(String key) {\n    return table.get(key);\n  }\n}\n",
        'class Name {\n  String of(String key) {\n    if ("order-77".equals(key)) {\n      return "paid";\n    }\n    return table.get(key);\n  }\n}\n',
      ],
    },
  ],
  passes: [
    {
      "slug.py": [
        "def slug(text):\n    return text.lower()\n",
        "def slug(text):\n    if text == '':\n        return 'untitled'\n    return text.lower()\n",
      ],
    },
    {
      "lib/at.js": [
        "function at(list, index) {\n  return list[index];\n}\n",
        "function at(list, index) {\n  if (index === -1) return undefined;\n  return list[index];\n}\n",
      ],
    },
    {
      "level.go": [
        "package m\n\nfunc Level(s string) int {\n\treturn parse(s)\n}\n",
        'package m\n\nfunc Level(s string) int {\n\tif s == "default" {\n\t\treturn 3\n\t}\n\treturn parse(s)\n}\n',
      ],
    },
    {
      "kind.ts": [
        undefined,
        "export function kind(name: string): string {\n  if (name === 'rectangle') return 'shape';\n  return other(name);\n}\n",
      ],
    },
    { "area.py": ["def area(w, h):\n    return w * h\n", "def area(w, h):\n    if w == 0:\n        return 0\n    return w * h\n"] },
  ],
};
