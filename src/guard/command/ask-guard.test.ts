import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/tries.ts";
import { askGuard } from "./ask-guard.ts";
import { understand } from "./understand.ts";

const decisionOf = (text: string, at = {}): string => askGuard(text, at).decision;

it("names the rule, the place, why, and what to do instead", () => {
  expect(askGuard("cd repo && git push -f origin main")).toEqual({
    decision: "deny",
    findings: [
      {
        rule: "git-force-push",
        severity: "critical",
        where: "git push -f origin main",
        why: "A forced push rewrites history others build on.",
        instead: "Push a new branch and open a pull request.",
      },
    ],
  });
});

describe("understanding", () => {
  it.each([
    ["sudo nice -n 5 rm -rf /", ["sudo", "nice", "rm"]],
    ["env A=b timeout 5 git status", ["env", "timeout", "git"]],
    ["bash -lc 'cd x && make'", ["bash", "cd", "make"]],
    ["find . -name x -exec grep y {} +", ["find", "grep"]],
    ["ls | xargs -0 -n1 rm -f", ["ls", "xargs", "rm"]],
    ["ssh -p 22 host 'uptime; df'", ["ssh", "uptime", "df"]],
    ["docker exec -it box sh -c 'ls /'", ["docker", "sh", "ls"]],
    ["npx -y prettier --write .", ["npx", "prettier"]],
    ["git -c alias.x='!rm -rf /' x", ["git", "rm"]],
    ["echo $(whoami) `id`", ["whoami", "id", "echo"]],
    ["X=rm; $X a", ["rm"]],
    ['f() { rm "$1"; }; f a', ["rm"]],
    ["for p in a b; do rm $p; done", ["rm", "rm"]],
    ["diff <(sort a) <(sort b)", ["sort", "sort", "diff"]],
    ["eval 'ls' && command -v rm", ["eval", "ls", "command"]],
    ["$'\\x72\\x6d' a", ["rm"]],
    ["cat <<EOF | sh\nls\nEOF", ["cat", "sh", "ls"]],
  ])("sees every program in %s", (text, programs) => {
    expect(understand(text).calls.map(({ program }) => program)).toEqual(programs);
  });
});

describe("where it matters, the target decides", () => {
  const at = { workspace: "/home/me/project" };
  it.each([
    ["rm -rf /home/me/project/build", "allow"],
    ["rm -rf /home/me/project", "deny"],
    ["rm -rf /home/me/other", "deny"],
    ["cd build && rm -rf *", "allow"],
    ["cd .. && rm -rf project", "deny"],
    ['rm -rf "$BUILD_DIR"', "ask"],
    ['rm -rf "${BUILD_DIR:?}/x"', "ask"],
    ["rm -rf ./node_modules", "allow"],
  ])("%s is %s", (text, decision) => expect(decisionOf(text, at)).toBe(decision));
});

describe("at L1", () => {
  it.each([
    ["ls -la && git log --oneline | head", "allow"],
    ["git diff HEAD~1 > out.txt", "deny"],
    ["npm test", "deny"],
    ["sort -o x y", "deny"],
    ["git -c core.pager=evil log", "deny"],
    ["find . -name x -delete", "deny"],
    ["grep -r todo . 2>/dev/null", "allow"],
  ])("%s is %s", (text, decision) => expect(decisionOf(text, { level: "L1" })).toBe(decision));
});

describe("a policy", () => {
  const entry = { owner: "project", from: ".loopwright/policy.yaml:3" } as const;

  it("adds what a project forbids, and says where that stands", () => {
    const { decision, findings } = askGuard("deploy now", {
      policy: [{ ...entry, decision: "deny", program: "deploy", args: ["now"], why: "Only CI deploys." }],
    });

    expect(decision).toBe("deny");
    expect(findings).toEqual([
      {
        rule: "policy",
        severity: "high",
        where: "deploy now",
        why: "Only CI deploys.",
        instead: "Do it another way, or have the policy changed.",
        from: ".loopwright/policy.yaml:3",
      },
    ]);
  });

  it("may allow what a rule would stop, but a project may not allow what is critical", () => {
    expect(decisionOf("git rebase main", { policy: [{ ...entry, decision: "allow", rule: "git-rebase" }] })).toBe("allow");
    expect(decisionOf("rm -rf /", { policy: [{ ...entry, decision: "allow", rule: "remove-vital" }] })).toBe("deny");
    expect(decisionOf("git push -f", { policy: [{ ...entry, owner: "user", decision: "allow", rule: "git-force-push" }] })).toBe("allow");
  });

  it("lets deny win over allow", () => {
    const policy = [
      { ...entry, decision: "allow", rule: "git-rebase" },
      { ...entry, owner: "user", decision: "deny", rule: "git-rebase" },
    ] as const;
    expect(decisionOf("git rebase main", { policy })).toBe("deny");
  });
});

describe("fails closed", () => {
  it.each(['git push "', "if true; then ls", "ls )", "x".repeat(70_000), `${"$(".repeat(300)}ls${")".repeat(300)}`])(
    "refuses what it cannot read",
    (text) => {
      expect(decisionOf(text)).toBe("deny");
    },
  );

  it.each([
    `a=xx${";a=$a$a".repeat(60)};$a`,
    `f(){ f;f; };f`,
    `f(){ g;g; };g(){ h;h; };h(){ f;f; };f`,
    `${"for i in 1 2 3 4 5 6 7 8; do ".repeat(12)}ls;${"done;".repeat(12)}`,
    `echo ${"{a,b}".repeat(2000)}`,
    `psql -c "${"alter table ".repeat(5000)}"`,
    `python -c '${'"a'.repeat(20_000)}'`,
    `${"sudo ".repeat(10_000)}ls`,
    `${"( ".repeat(10_000)}ls`,
    `ls ${"| sh ".repeat(8_000)}`,
    `${"`".repeat(60_000)}`,
    `eval ${"'eval ".repeat(3_000)}`,
    `git ${"-c a=b ".repeat(9_000)}push -f`,
    `curl ${"x ".repeat(30_000)}`,
  ])("is done with a hostile line in bounded time: %#", (text) => {
    expect(["allow", "ask", "deny"]).toContain(decisionOf(text));
  });

  it("never throws, whatever the text", () => {
    const token = fc.constantFrom(
      "rm",
      "-rf",
      "/",
      "$(",
      ")",
      "`",
      '"',
      "'",
      "|",
      "&&",
      ";",
      "\n",
      "<<EOF",
      "EOF",
      "{a,b}",
      "${x:-y}",
      "$((1+1))",
      "if",
      "then",
      "fi",
      "for",
      "in",
      "do",
      "done",
      "case",
      "esac",
      "[[",
      "]]",
      "<(",
      ">",
      "&",
      "\\",
      "sudo",
      "sh",
      "-c",
      "eval",
      "xargs",
      "find",
      ".",
      "-exec",
      "{}",
      "git",
      "push",
      "-f",
      "\u0000",
      "\u202e",
      "a=b",
      "$a",
      "()",
      "{",
      "}",
      "!",
      "#",
      "*",
      "~",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 200 }),
          fc.array(token, { maxLength: 60 }).map((tokens) => tokens.join(" ")),
          fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join("")),
        ),
        (text) => {
          expect(["allow", "ask", "deny"]).toContain(decisionOf(text));
        },
      ),
      tries(1_500),
    );
  });

  it("never clears a destructive command because of what stands around it", () => {
    const bad = fc.constantFrom("rm -rf /", "git push --force origin main", "mkfs.ext4 /dev/sda1", "git reset --hard", "rm -r -f ~");
    const before = fc.constantFrom(
      "",
      "nohup ",
      "sudo -u x ",
      "time ",
      "env A=1 ",
      "command ",
      "nice -n 5 ",
      "timeout 5 ",
      "A=b ",
      "exec ",
    );
    const around = fc.constantFrom<(c: string) => string>(
      (c) => c,
      (c) => `true; ${c}`,
      (c) => `(${c})`,
      (c) => `{ ${c}; }`,
      (c) => `if true; then ${c}; fi`,
      (c) => `bash -c '${c}'`,
      (c) => `eval "${c}"`,
      (c) => `echo $( ${c} )`,
      (c) => `${c} &`,
      (c) => `! ${c}`,
      (c) => `while true; do ${c}; done`,
      (c) => `cat <<X | sh\n${c}\nX`,
      (c) => `f() { ${c}; }; f`,
      (c) => `case x in x) ${c};; esac`,
      (c) => `ls | xargs -I{} sh -c '${c}'`,
    );
    fc.assert(
      fc.property(bad, before, around, (command, prefix, wrap) => {
        expect(decisionOf(wrap(`${prefix}${command}`))).not.toBe("allow");
      }),
      { numRuns: 400 },
    );
  });
});
