import { expect, it } from "vitest";
import { lookAtRepository, type RepositorySight } from "./look-at-repository.ts";
import { readForge } from "./read-forge.ts";

const sight = (files: { readonly [path: string]: string }, answers: { readonly [args: string]: string } = {}): RepositorySight => ({
  find: async (folder, { isWanted }) => ({
    paths: Object.keys(files)
      .filter((path) => isWanted(path, ""))
      .map((path) => `${folder}/${path}`),
    unseen: [],
    links: 0,
  }),
  readText: async (path) => files[path.slice("/shop/".length)],
  askGit: async (_, args) => answers[args.join(" ")],
  findProgram: async (name) => (name === "claude" ? "/bin/claude" : undefined),
});

const TOP = { "rev-parse --show-toplevel": "/shop" };
const ORIGIN = { "symbolic-ref --quiet --short refs/remotes/origin/HEAD": "origin/next" };

it("tells what the tree, git and the PATH say together", async () => {
  const answers = { ...TOP, ...ORIGIN, "config --get remote.origin.url": "https://ada:secret@github.com/ada/shop.git" };

  const { root, isRepository, scan } = await lookAtRepository("/shop", sight({ "go.mod": "module a\n" }, answers));

  expect({ root, isRepository, branch: scan.branch?.branch, forge: scan.forge, agents: scan.agents, check: scan.checks[0]?.run }).toEqual({
    root: "/shop",
    isRepository: true,
    branch: "next",
    forge: {
      forge: "github",
      host: "github.com",
      repository: "ada/shop",
      sure: "certain",
      because: "the remote named origin leads there",
      seen: [],
    },
    agents: [{ maker: "claude-code", program: "claude", path: "/bin/claude" }],
    check: "go test -json ./...",
  });
});

it.each([
  ["a branch that is checked out", { "symbolic-ref --quiet --short HEAD": "master" }, "master", "certain"],
  [
    "a usual branch, while another is checked out",
    { "symbolic-ref --quiet --short HEAD": "fix", "rev-parse --verify --quiet refs/heads/main": "1" },
    "main",
    "likely",
  ],
  ["whatever is checked out", { "symbolic-ref --quiet --short HEAD": "odd" }, "odd", "guessed"],
])("takes %s for the default one where no remote says", async (_, answers, branch, sure) => {
  const { scan } = await lookAtRepository("/shop", sight({}, { ...TOP, ...answers }));

  expect([scan.branch?.branch, scan.branch?.sure]).toEqual([branch, sure]);
});

it("tells a repository without a commit from one that has some", async () => {
  const empty = await lookAtRepository("/shop", sight({}, { ...TOP, "rev-list --max-count=1 --all": "" }));
  const begun = await lookAtRepository("/shop", sight({}, { ...TOP, "rev-list --max-count=1 --all": "c0ffee" }));

  expect([empty.hasCommits, begun.hasCommits]).toEqual([false, true]);
});

it("names what is too large to be read, and what there is too much of", async () => {
  const many = Object.fromEntries(Array.from({ length: 401 }, (_, index) => [`p${index}/package.json`, "{}"]));

  const { scan } = await lookAtRepository("/shop", sight({ "pom.xml": " ".repeat(300_000), ...many }, TOP));

  expect(scan.unread).toEqual(["pom.xml: it cannot be read, or is too large", "2 more files that might say something: only 400 are read"]);
});

it.each([
  ["git@gitlab.com:group/sub/shop.git", "gitlab", "gitlab.com", "group/sub/shop"],
  ["ssh://git@codeberg.org:22/ada/shop", "gitea", "codeberg.org", "ada/shop"],
  ["https://git.example.com/ada/shop/", "other", "git.example.com", "ada/shop"],
])("reads the forge of %s", (url, forge, host, repository) => {
  expect(readForge(url)).toMatchObject({ forge, host, repository });
});

it.each(["/home/ada/shop.git", "../shop", "file:///srv/shop", "C:\\shop"])("knows no forge of %s", (url) => {
  expect(readForge(url)).toBeUndefined();
});
