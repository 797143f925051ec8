// Go, by its own tool.
import type { Ecosystem } from "../contract/scan.ts";
import { at, certain, check, command, folderOf, has, inFolder, likely, lineWith, named, PRINTED } from "./sights.ts";

const ECOSYSTEM = "go";
const CACHE = 'GOFLAGS=-modcacherw GOMODCACHE="$PWD/.lw-go"';
const LINTERS = [".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"];

export const go: Ecosystem = {
  name: ECOSYSTEM,
  reads: (name) => name === "go.mod" || name === "go.work",
  look: (tree) => {
    const modules = named(tree, (name) => name === "go.mod");
    const works = named(tree, (name) => name === "go.work");
    return {
      packages: modules.map((file) => {
        const name = /^module\s+(\S{1,300})/m.exec(tree.texts.get(file) ?? "")?.[1];
        return {
          folder: folderOf(file),
          ...(name === undefined ? {} : { name }),
          ecosystem: ECOSYSTEM,
          ...certain("it is a module", at(file)),
        };
      }),
      workspaces: works.map((file) => ({
        tool: "go",
        folder: folderOf(file),
        members: [...(tree.texts.get(file) ?? "").matchAll(/^\s*(?:use\s+)?(\.{1,2}\/[^\s()]{1,300})/gm)].map(([, member]) => member!),
        ...certain("go.work names them", at(file)),
      })),
      managers: modules.slice(0, 1).map((file) => ({ manager: "go", folder: folderOf(file), ...certain("it is a module", at(file)) })),
      commands: modules.flatMap((file) => {
        const folder = folderOf(file);
        const where = { folder, ecosystem: ECOSYSTEM };
        const linter = has(tree, folder, ...LINTERS);
        return [
          command("test", "go test ./...", where, likely("Go has a test runner of its own", at(file))),
          ...(linter === undefined ? [] : [command("lint", "golangci-lint run", where, certain("its settings are here", at(linter)))]),
          command("lint", "go vet ./...", where, likely("it is built into Go", at(file))),
          command("build", "go build ./...", where, likely("it is built into Go", at(file))),
          command("format", "gofmt -w .", where, likely("it comes with Go", at(file))),
        ];
      }),
      checks: modules.map((file) => {
        const folder = folderOf(file);
        const start = hasDependencies(tree.texts.get(file) ?? "") && !isVendored(tree.paths, folder) ? `${CACHE} ` : "";
        return check(
          "go",
          `${start}go test -json ./...`,
          { folder, ecosystem: ECOSYSTEM },
          likely("Go has a test runner of its own", at(file)),
          {
            results: { format: "go" },
            notes: [PRINTED],
          },
        );
      }),
      prepares: modules.flatMap((file) => {
        const text = tree.texts.get(file) ?? "";
        const folder = folderOf(file);
        if (!hasDependencies(text) || isVendored(tree.paths, folder)) return [];
        const sum = has(tree, folder, "go.sum");
        const seen = [at(file, lineWith(text, /^\s*require\b/)), ...(sum === undefined ? [] : [at(sum)])];
        return [
          {
            run: `${CACHE} go mod download`,
            folder,
            keep: [".lw-go"],
            ecosystem: ECOSYSTEM,
            inherit: [],
            ...certain("the module requires others", ...seen),
          },
        ];
      }),
    };
  },
};

const hasDependencies = (text: string): boolean => /^\s*require\b/m.test(text);
const isVendored = (paths: readonly string[], folder: string): boolean => paths.includes(inFolder(folder, "vendor/modules.txt"));
