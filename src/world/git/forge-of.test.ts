import { expect, it } from "vitest";
import { commitsAt } from "./forge-of.ts";

it.each([
  ["https://github.com/ada/shop.git", "https://github.com/ada/shop/commit/"],
  ["https://ada:ghp_0000@github.com/ada/shop", "https://github.com/ada/shop/commit/"],
  ["git@github.com:ada/shop.git", "https://github.com/ada/shop/commit/"],
  ["ssh://git@gitlab.com:22/group/sub/shop.git", "https://gitlab.com/group/sub/shop/-/commit/"],
  ["https://git.example.com/ada/shop.git", undefined],
  ["https://github.com/../shop", undefined],
  ["https://github.com/ada/shop>[x](http://evil)", undefined],
  ["/srv/git/shop.git", undefined],
])("of the remote %s", (remote, commits) => {
  expect(commitsAt(remote)).toBe(commits);
});
