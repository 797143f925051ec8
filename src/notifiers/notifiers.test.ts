import { describe, expect, it } from "vitest";
import type { Command } from "../contract/commands.ts";
import type { HttpRequest, Letter } from "../contract/net.ts";
import type { NotifierWorld } from "../contract/part-worlds.ts";
import { untrustedText } from "../contract/text.ts";
import { hmacSha256 } from "../std/hash.ts";
import { desktop } from "./desktop.ts";
import { slack } from "./slack.ts";
import { smtp } from "./smtp.ts";
import { webhook } from "./webhook.ts";

const TELLING = { loop: "fix", run: "fix-1", repo: "/repo", folder: "/loops", report: "proposal fix-1\n  <!channel> look\n" };

/** A world that keeps what was sent, and answers with one status and one exit code. */
function recordingWorld({ status = 200, code = 0 } = {}) {
  const [sent, ran, letters]: [HttpRequest[], Command[], Letter[]] = [[], [], []];
  const no = () => Promise.reject(new Error("not expected"));
  const world: NotifierWorld = {
    files: { readText: no, writeText: no },
    env: { get: (name) => ({ PATH: "/bin", HOOK: "s3", SLACK: "https://hooks.slack.test/T/B/x", SMTP_USER: "u", SMTP_PASS: "p" })[name] },
    http: {
      send: async (request) => {
        sent.push(request);
        return { status, headers: {}, body: "" };
      },
    },
    mail: { send: async (letter) => void letters.push(letter) },
    proc: {
      run: async (command) => {
        ran.push(command);
        return {
          end: { kind: "exited", code },
          tookMs: 1,
          output: { sha256: "", bytes: 0, truncated: false },
          tail: untrustedText(""),
          box: { kind: "none", why: "" },
        };
      },
    },
  };
  return { world, sent, ran, letters };
}

describe("webhook", () => {
  it("sends JSON that is signed with the secret of a variable, and says so when that is missing", async () => {
    const { world, sent } = recordingWorld();

    await webhook.configure({ url: "https://hooks.test/x", secret: "HOOK" })(TELLING, world);

    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ loop: "fix", run: "fix-1", text: TELLING.report });
    expect(sent[0]?.headers["x-loopwright-signature-256"]).toBe(`sha256=${hmacSha256("s3", sent[0]?.body ?? "")}`);
    await expect(webhook.configure({ url: "https://hooks.test/x", secret: "NONE" })(TELLING, world)).rejects.toMatchObject({
      code: "notify-failed",
    });
    await expect(webhook.configure({ url: "https://hooks.test/x" })(TELLING, recordingWorld({ status: 500 }).world)).rejects.toMatchObject({
      code: "notify-failed",
    });
  });
});

describe("slack", () => {
  it("calls nobody by what a stranger wrote, and takes only an address that a variable holds", async () => {
    const { world, sent } = recordingWorld();

    await slack.configure({ url: "SLACK" })(TELLING, world);

    expect([sent[0]?.url, JSON.parse(sent[0]?.body ?? "")]).toEqual([
      "https://hooks.slack.test/T/B/x",
      { text: "proposal fix-1\n  &lt;!channel&gt; look\n" },
    ]);
    await expect(slack.configure({ url: "HOOK" })(TELLING, world)).rejects.toMatchObject({
      message: "nobody was told: HOOK holds no https address",
    });
    expect(() => slack.configure({ url: "https://hooks.slack.test/T/B/x" })).toThrow();
  });
});

describe("desktop", () => {
  it("hands the text over in the environment, so that nothing in it is run", async () => {
    const { world, ran } = recordingWorld();
    const report = '$(touch /tmp/x)"; rm -rf / #';

    await desktop.configure({})({ ...TELLING, report }, world);

    expect([ran[0]?.run.includes("touch"), ran[0]?.env.LOOPWRIGHT_TEXT]).toEqual([false, report]);
    await expect(desktop.configure({})(TELLING, recordingWorld({ code: 1 }).world)).rejects.toMatchObject({ code: "notify-failed" });
  });
});

describe("smtp", () => {
  const options = { host: "smtp.test", from: "a@x.test", to: ["b@x.test"] };

  it("sends a mail with the login of two variables, and none in the clear to another machine", async () => {
    const { world, letters } = recordingWorld();

    await smtp.configure({ ...options, user: "SMTP_USER", password: "SMTP_PASS" })(TELLING, world);

    expect(letters).toEqual([
      {
        ...options,
        port: 465,
        security: "tls",
        subject: "loopwright: fix needs you",
        text: TELLING.report,
        login: { user: "u", password: "p" },
      },
    ]);
    await expect(smtp.configure({ ...options, security: "none" })(TELLING, world)).rejects.toMatchObject({ code: "notify-failed" });
    await expect(smtp.configure({ ...options, user: "SMTP_USER", password: "NONE" })(TELLING, world)).rejects.toMatchObject({
      code: "notify-failed",
    });
    expect(() => smtp.configure({ ...options, to: ["b@x.test>\r\nRCPT TO:<evil@x.test"] })).toThrow();
  });
});
