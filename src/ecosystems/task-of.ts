// What a command of CI is for, told by the program it calls and its first words.
import type { Task } from "../contract/scan.ts";

interface Meaning {
  readonly task: Task;
  readonly ecosystem: string;
}

/** Programs with the words after them that tell what they do, in the order in which they are tried. */
const MEANINGS: readonly (readonly [pattern: RegExp, task: Task, ecosystem: string])[] = [
  [/^(?:npm|pnpm|yarn|bun)(?: run(?:-script)?)? (?:test|tests|test:unit|unit|t)\b/, "test", "node"],
  [/^(?:npm|pnpm|yarn|bun)(?: run)? (?:type-?check|check[-:]types|types|tsc|test[-:]types|test:typescript)\b/, "typecheck", "node"],
  [/^(?:npm|pnpm|yarn|bun)(?: run)? (?:lint|eslint)\b/, "lint", "node"],
  [/^(?:npm|pnpm|yarn|bun)(?: run)? (?:format|fmt|prettier)\b/, "format", "node"],
  [/^(?:npm|pnpm|yarn|bun) run (?:build|compile)\b|^yarn build\b/, "build", "node"],
  [
    /^(?:npx |pnpm (?:exec |dlx )?|yarn |bunx )?(?:vitest|jest|mocha|ava|tap|playwright test)\b|^node\b.* --test\b|^bun test\b/,
    "test",
    "node",
  ],
  [/^(?:npx |pnpm exec |yarn |bunx )?tsc\b/, "typecheck", "node"],
  [/^(?:npx |pnpm exec |yarn |bunx )?(?:eslint|biome (?:check|lint|ci)|oxlint)\b/, "lint", "node"],
  [/^(?:npx |pnpm exec |yarn |bunx )?(?:prettier|biome format)\b/, "format", "node"],
  [/^deno (?:task )?test\b/, "test", "deno"],
  [/^deno lint\b/, "lint", "deno"],
  [/^deno fmt\b/, "format", "deno"],
  [/^deno (?:task )?check\b/, "typecheck", "deno"],
  [
    /^(?:uv run |poetry run |pdm run |pipenv run |hatch run )?(?:python3? -m )?(?:pytest|py\.test|tox|nox|unittest)\b|^(?:uv run |poetry run )?(?:hatch (?:test|run test))\b|^(?:uvx|uv tool run|pipx run)\b.* (?:tox|nox)\b|^uv run .*\btox\b|^coverage run\b|^(?:uv run |poetry run )?coverage run\b|^python3? (?:setup\.py test|(?:\.\/)?tests?\.py)\b/,
    "test",
    "python",
  ],
  [/^(?:uv run |uvx |poetry run |python3? -m )?(?:ruff check|flake8|pylint|pre-commit run)\b/, "lint", "python"],
  [/^(?:uv run |uvx |poetry run |python3? -m )?(?:ruff format|black|isort)\b/, "format", "python"],
  [/^(?:uv run |uvx |poetry run |python3? -m )?(?:mypy|pyright|ty check)\b/, "typecheck", "python"],
  [/^python3? -m build\b|^(?:uv|poetry|hatch) build\b/, "build", "python"],
  [/^(?:go test|gotestsum)\b/, "test", "go"],
  [/^(?:go vet|golangci-lint|staticcheck)\b/, "lint", "go"],
  [/^go build\b/, "build", "go"],
  [/^(?:gofmt|gofumpt|goimports)\b/, "format", "go"],
  [/^cargo (?:\+\S+ )?(?:test|nextest)\b/, "test", "rust"],
  [/^cargo (?:\+\S+ )?clippy\b/, "lint", "rust"],
  [/^cargo (?:\+\S+ )?check\b/, "typecheck", "rust"],
  [/^cargo (?:\+\S+ )?build\b/, "build", "rust"],
  [/^cargo (?:\+\S+ )?fmt\b/, "format", "rust"],
  [/^(?:\.\/mvnw|mvn)\b.* (?:test|verify|install)\b/, "test", "maven"],
  [/^(?:\.\/mvnw|mvn)\b.* (?:package|compile)\b/, "build", "maven"],
  [/^(?:\.\/gradlew|gradle)\b.* (?::?\S*(?:test|check)|build)\b/, "test", "gradle"],
  [/^(?:\.\/gradlew|gradle)\b.* (?:assemble|compile)/, "build", "gradle"],
  [/^dotnet test\b/, "test", "dotnet"],
  [/^dotnet build\b/, "build", "dotnet"],
  [/^dotnet format\b/, "format", "dotnet"],
  [/^(?:bundle exec )?(?:rspec|rake(?: test| spec)?|rails test|(?:\.\/)?bin\/rails test)(?:\s|$)/, "test", "ruby"],
  [/^(?:bundle exec )?(?:rubocop|standardrb)\b/, "lint", "ruby"],
  [
    /^(?:php |\.\/)?vendor\/bin\/(?:phpunit|pest)\b|^composer (?:run(?:-script)? )?(?:test|tests|phpunit)\b|^php artisan test\b/,
    "test",
    "php",
  ],
  [/^(?:php |\.\/)?vendor\/bin\/(?:phpstan|psalm)\b/, "typecheck", "php"],
  [/^(?:php |\.\/)?vendor\/bin\/(?:phpcs|pint|php-cs-fixer)\b/, "lint", "php"],
  [/^(?:swift test|xcodebuild\b.* test)\b/, "test", "swift"],
  [/^swift build\b/, "build", "swift"],
  [/^mix test\b/, "test", "elixir"],
  [/^mix credo\b/, "lint", "elixir"],
  [/^mix format\b/, "format", "elixir"],
  [/^mix dialyzer\b/, "typecheck", "elixir"],
  [/^ctest\b|^cmake --build\b.* --target test\b/, "test", "cmake"],
  [/^cmake --build\b/, "build", "cmake"],
  [/^meson test\b/, "test", "meson"],
  [/^(?:meson compile|ninja)\b/, "build", "meson"],
  [/^make\b.*? (?:test|tests|check|unit)\b/, "test", "make"],
  [/^make\b.*? (?:lint|vet)\b/, "lint", "make"],
  [/^make\b.*? (?:build|all)\b|^make$/, "build", "make"],
  [/^just (?:test|check)\b/, "test", "just"],
  [/^just lint\b/, "lint", "just"],
  [/^task (?:test|check)\b/, "test", "task"],
  [/^task lint\b/, "lint", "task"],
  [
    /^(?:bats|prove|busted|zig build test|cabal (?:v2-)?test|stack test|sbt test|lein test|flutter test|dart test|bazel(?:isk)? test|dune (?:runtest|test)|rebar3 (?:eunit|ct)|crystal spec|nimble test|dub test)\b/,
    "test",
    "script",
  ],
  // A script of the project's own that says what it is for.
  [
    /^(?:bash |sh |python3? |ruby |perl |node )?(?:\.\/|[\w.-]+\/)(?:[\w.-]+\/){0,4}(?:run[-_]?)?(?:all[-_]?|unit[-_]?)?tests?(?:\.(?:sh|bash|py|rb|pl|m?js|ts))?(?=\s|$)/,
    "test",
    "script",
  ],
];

/** Variables and wrappers that only set the surroundings. */
const AROUND = /^(?:(?:[A-Z_][A-Z0-9_]*=(?:"[^"]*"|'[^']*'|\S*)|xvfb-run(?: -a)?|sudo(?: -E)?|time|exec|env)\s+)*/;

export function taskOf(run: string): Meaning | undefined {
  const bare = run.slice(0, 500).replace(AROUND, "");
  const found = MEANINGS.find(([pattern]) => pattern.test(bare));
  return found && { task: found[1], ecosystem: found[2] };
}
