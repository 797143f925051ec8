import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WebhookHearing } from "../contract/trigger.ts";
import { sha256 } from "../std/hash.ts";
import { checkDelivery } from "./webhooks.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const SECONDS = String(NOW.getTime() / 1000);
const SECRET = "It's a Secret to Everybody";

const hearing = (about: Partial<WebhookHearing> = {}): WebhookHearing => ({
  kind: "webhook",
  address: "a",
  form: "github",
  secret: "HOOK",
  events: [],
  branches: [],
  labels: [],
  ...about,
});

const bytes = (value: unknown): Uint8Array => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
const github = (body: Uint8Array, about: Record<string, string> = {}) => ({
  body,
  headers: {
    "x-github-event": "push",
    "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958",
    "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
    ...about,
  },
});
const standard = (body: Uint8Array, { id = "msg_1", timestamp = SECONDS, key = SECRET as string | Buffer, ...about } = {}) => ({
  body,
  headers: {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${createHmac("sha256", key)
      .update(Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]))
      .digest("base64")}`,
    ...about,
  },
});
const check = (about: Partial<WebhookHearing>, sent: Parameters<typeof checkDelivery>[2], secret: string | undefined = SECRET) =>
  checkDelivery(hearing(about), secret, sent, NOW);

const PUSH = bytes({ ref: "refs/heads/main", head_commit: { message: "Mend it\n\nAnd more." } });

describe("a delivery of GitHub", () => {
  it("has the signature that GitHub's own example has", () => {
    const sent = github(bytes("Hello, World!"), {
      "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    });

    expect(check({}, sent)).toEqual({ kind: "unreadable", why: "its body is no JSON object" });
  });

  it("wakes, with what it brings in one line each", () => {
    expect(check({}, github(PUSH))).toEqual({
      kind: "wakes",
      idIsLoose: true,
      cause: {
        kind: "webhook",
        address: "a",
        delivery: "72d3162e-cc78-11e3-81ab-4c9367dc0958",
        sha256: sha256(PUSH),
        event: "push",
        ref: "refs/heads/main",
        subject: "Mend it",
      },
    });
  });

  it.each([
    ["none", { "x-hub-signature-256": undefined }],
    ["an empty one", { "x-hub-signature-256": "" }],
    ["one of another body", { "x-hub-signature-256": github(bytes("{}")).headers["x-hub-signature-256"] }],
    ["one that is cut short", { "x-hub-signature-256": github(PUSH).headers["x-hub-signature-256"]?.slice(0, 40) }],
    ["one that goes on", { "x-hub-signature-256": `${github(PUSH).headers["x-hub-signature-256"]}00` }],
    ["only the old kind", { "x-hub-signature-256": undefined, "x-hub-signature": "sha1=aa" }],
    ["one without its name", { "x-hub-signature-256": github(PUSH).headers["x-hub-signature-256"]?.slice(7) }],
  ])("is refused with a signature that is %s", (_, about) => {
    const { headers, body } = github(PUSH);
    const changed = Object.fromEntries(
      Object.entries({ ...headers, ...about }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );

    expect(check({}, { headers: changed, body }).kind).toBe("refused");
  });

  it("is refused where the secret is not set, or empty, whatever it was signed with", () => {
    const signedWithNothing = (body: Uint8Array) =>
      github(body, { "x-hub-signature-256": `sha256=${createHmac("sha256", "").update(body).digest("hex")}` });

    expect([
      checkDelivery(hearing(), undefined, github(PUSH), NOW).kind,
      checkDelivery(hearing(), "", signedWithNothing(PUSH), NOW).kind,
    ]).toEqual(["refused", "refused"]);
  });

  it("is believed with no byte of it changed, added or taken away", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 50 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (noise, at, by) => {
        const body = bytes({ noise: [...noise] });
        const { headers } = github(body);
        const changed = Uint8Array.from(body, (byte, index) => (index === at % body.length ? byte ^ by : byte));

        return (
          check({}, { headers, body }).kind === "wakes" &&
          [changed, body.subarray(0, -1), Buffer.concat([body, Buffer.of(32)])].every(
            (other) => check({}, { headers, body: other }).kind === "refused",
          )
        );
      }),
    );
  });

  it("may be a form", () => {
    const body = bytes(new URLSearchParams({ payload: JSON.stringify({ ref: "refs/heads/x" }) }).toString());

    expect(check({}, github(body, { "content-type": "application/x-www-form-urlencoded" }))).toMatchObject({
      kind: "wakes",
      cause: { ref: "refs/heads/x" },
    });
  });

  it("has no id that could be taken for a part of a key's own grammar", () => {
    expect(check({}, github(PUSH, { "x-github-delivery": "a b\n" })).kind).toBe("unreadable");
  });
});

describe("the filters", () => {
  const pull = bytes({
    action: "opened",
    pull_request: { title: "A thing", base: { ref: "main" }, labels: [{ name: "bug" }, { name: "later" }] },
  });
  const asPull = github(pull, { "x-github-event": "pull_request" });

  it.each([
    [{}, "wakes"],
    [{ events: ["pull_request"] }, "wakes"],
    [{ events: ["pull_request.opened"] }, "wakes"],
    [{ events: ["pull_request.closed"] }, "filtered"],
    [{ events: ["push"] }, "filtered"],
    [{ branches: ["main"] }, "wakes"],
    [{ branches: ["release/*", "ma*"] }, "wakes"],
    [{ branches: ["MAIN"] }, "filtered"],
    [{ labels: ["bug"] }, "wakes"],
    [{ labels: ["feature"] }, "filtered"],
    [{ events: ["pull_request"], branches: ["main"], labels: ["feature"] }, "filtered"],
  ])("%j: %s", (about, kind) => {
    expect(check(about, asPull).kind).toBe(kind);
  });

  it("let nothing through that does not say what they ask for", () => {
    expect([
      check({ branches: ["**"] }, github(bytes({}))).kind,
      check({ labels: ["bug"] }, github(bytes({ labels: 3, issue: "x" }))).kind,
    ]).toEqual(["filtered", "filtered"]);
  });

  it("are never asked about what nobody signed", () => {
    expect(check({ events: ["push"] }, { ...asPull, body: bytes("{}") }).kind).toBe("refused");
  });
});

describe("a delivery in the standard form", () => {
  const KEY = Buffer.from("a key of thirty-two bytes, or so");
  const AS_WRITTEN = `whsec_${KEY.toString("base64")}`;

  it("has the signature of the standard's own example", () => {
    const sent = {
      body: bytes('{"test": 2432232314}'),
      headers: {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      },
    };

    expect(checkDelivery(hearing({ form: "generic" }), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", sent, new Date(1614265330_000)).kind).toBe(
      "wakes",
    );
  });

  it("is believed with a secret as it is, and with one that is written in base64", () => {
    expect([
      check({ form: "generic" }, standard(PUSH)).kind,
      check({ form: "generic" }, standard(PUSH, { key: KEY }), AS_WRITTEN).kind,
      check({ form: "gitlab" }, standard(PUSH, { key: KEY }), AS_WRITTEN).kind,
    ]).toEqual(["wakes", "wakes", "wakes"]);
  });

  it("is known by its id, which is signed with it", () => {
    const { headers, body } = standard(PUSH);

    expect(check({ form: "generic" }, { headers, body })).toMatchObject({ cause: { delivery: "msg_1" }, idIsLoose: false });
    expect(check({ form: "generic" }, { headers: { ...headers, "webhook-id": "msg_2" }, body }).kind).toBe("refused");
    expect(check({ form: "generic" }, { headers: { ...headers, "webhook-timestamp": String(Number(SECONDS) + 1) }, body }).kind).toBe(
      "refused",
    );
  });

  it.each([
    [0, "wakes"],
    [300, "wakes"],
    [-300, "wakes"],
    [301, "refused"],
    [-301, "refused"],
    [86_400, "refused"],
  ])("is believed while its time is near ours: %d s", (away, kind) => {
    expect(check({ form: "generic" }, standard(PUSH, { timestamp: String(Number(SECONDS) + away) })).kind).toBe(kind);
  });

  it("is believed by any one of several signatures, and by none of another version", () => {
    const { headers, body } = standard(PUSH);
    const right = headers["webhook-signature"];
    const by = (given: string) => check({ form: "generic" }, { headers: { ...headers, "webhook-signature": given }, body }).kind;

    expect([by(`v1,AAAA ${right}`), by(right.replace("v1,", "v1a,")), by("v1,"), by("")]).toEqual([
      "wakes",
      "refused",
      "refused",
      "refused",
    ]);
  });
});

describe("a delivery of an older GitLab", () => {
  const body = bytes({
    object_kind: "merge_request",
    object_attributes: { action: "open", title: "T", target_branch: "main" },
    labels: [{ title: "bug" }],
  });
  const sent = (about: Record<string, string>) => ({ body, headers: { "x-gitlab-event": "Merge Request Hook", ...about } });

  it("is believed by its token, and known by what GitLab names it", () => {
    expect(
      check({ form: "gitlab", events: ["merge_request"], labels: ["bug"] }, sent({ "x-gitlab-token": SECRET, "idempotency-key": "k-1" })),
    ).toEqual({
      kind: "wakes",
      idIsLoose: true,
      cause: {
        kind: "webhook",
        address: "a",
        delivery: "k-1",
        sha256: sha256(body),
        event: "merge_request.open",
        ref: "main",
        subject: "T",
      },
    });
  });

  it("is known by its body where nobody named it", () => {
    expect(check({ form: "gitlab" }, sent({ "x-gitlab-token": SECRET }))).toMatchObject({ cause: { delivery: `sha256:${sha256(body)}` } });
  });

  it("is refused with another token, none, or a secret that is for signing", () => {
    expect([
      check({ form: "gitlab" }, sent({ "x-gitlab-token": `${SECRET}x` })).kind,
      check({ form: "gitlab" }, sent({})).kind,
      check({ form: "gitlab" }, sent({ "x-gitlab-token": "whsec_YQ==" }), "whsec_YQ==").kind,
    ]).toEqual(["refused", "refused", "refused"]);
  });
});

it("takes whatever strangers sign, and keeps it short", () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom("github", "gitlab", "generic" as const), fc.string(), (text, form, event) => {
      const body = bytes(text);
      const sent = form === "github" ? github(body, { "x-github-event": event }) : standard(body);
      const checked = check({ form }, sent);

      if (checked.kind !== "wakes") return checked.kind === "unreadable";
      return checked.cause.event.length <= 100 && (checked.cause.ref ?? "").length <= 300 && (checked.cause.subject ?? "").length <= 200;
    }),
  );
});
