import { afterEach, describe, expect, it } from "vitest";
import { type Faults, IDENTITY, ISSUER, type LocalSigstore, startSigstore, tokenOf } from "../../../test/support/local-sigstore.ts";
import { PAYLOAD_TYPE } from "../../contract/receipt.ts";
import type { Signable } from "../../contract/signing.ts";
import { type BundleQuestion, verifyBundle } from "../../receipts/verify-bundle.ts";
import { http } from "./http.ts";
import { signBundle } from "./sigstore.ts";

const started: LocalSigstore[] = [];
afterEach(() => {
  for (const sigstore of started.splice(0)) sigstore.close();
});

async function start(faults?: Faults): Promise<LocalSigstore> {
  const sigstore = await startSigstore(faults);
  started.push(sigstore);
  return sigstore;
}

const payload = Buffer.from('{"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"commit","digest":{"gitCommit":"1f2e"}}]}');

const signableOf = (payload: Uint8Array, payloadType = PAYLOAD_TYPE): Signable => ({
  payloadType,
  payload,
  encoded: Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload]),
});

/** A job of GitHub's: it may ask for a token. */
const jobEnv = ({ url }: LocalSigstore) => ({
  get: (name: string) => ({ ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/token?api-version=2`, ACTIONS_ID_TOKEN_REQUEST_TOKEN: "bearer-1" })[name],
});

const otherEnv = (token: string) => ({ get: (name: string) => (name === "SIGSTORE_ID_TOKEN" ? token : undefined) });

const places = ({ url }: LocalSigstore) => ({ fulcioUrl: url, rekorUrl: url });

async function signed(sigstore: LocalSigstore, what: Signable = signableOf(payload), env = jobEnv(sigstore)): Promise<string> {
  const signing = await signBundle(what, places(sigstore), { http, env });
  if (signing.kind === "unsigned") throw new Error(signing.why);
  return signing.bundle;
}

const asking = ({ trustedRoot }: LocalSigstore, other: Partial<BundleQuestion> = {}): BundleQuestion => ({
  payload,
  identity: IDENTITY,
  issuer: ISSUER,
  trustedRoot,
  ...other,
});

describe("a bundle that a CI job signed", () => {
  it("verifies offline against the pinned identity, issuer and root", async () => {
    const sigstore = await start();
    const bundle = await signed(sigstore);
    sigstore.close();

    const check = await verifyBundle(bundle, asking(sigstore));

    expect(check).toEqual({ kind: "verified", identity: IDENTITY, issuer: ISSUER, at: expect.stringMatching(/^20.*Z$/), logIndex: "4711" });
    expect(sigstore.asked).toEqual(["/token", "/api/v2/signingCert", "/api/v1/log/entries"]);
  });

  it("can be made with a token that another CI hands over", async () => {
    const sigstore = await start();
    const job = "https://gitlab.com/ada/app//.gitlab-ci.yml@refs/heads/main";
    const bundle = await signed(
      sigstore,
      signableOf(payload),
      otherEnv(tokenOf({ iss: "https://gitlab.com", sub: "project_path:ada/app", job })),
    );

    const check = await verifyBundle(bundle, asking(sigstore, { identity: job, issuer: "https://gitlab.com" }));

    expect(check.kind).toBe("verified");
  });

  it("verifies against a pinned beginning of the identity", async () => {
    const sigstore = await start();
    const bundle = await signed(sigstore);

    const kinds = await Promise.all(
      ["https://github.com/ada/app/.github/workflows/check.yml@*", "https://github.com/ada/app/*", "https://github.com/ada/other/*"].map(
        async (identity) => (await verifyBundle(bundle, asking(sigstore, { identity }))).kind,
      ),
    );

    expect(kinds).toEqual(["verified", "verified", "refused"]);
  });
});

describe("what was not looked at", () => {
  it.each([
    ["no identity", { identity: undefined }],
    ["an empty identity", { identity: " " }],
    ["no issuer", { issuer: undefined }],
    ["an identity of anybody", { identity: "*" }],
    ["an identity of any host", { identity: "https://*" }],
    ["an identity of everybody at a host", { identity: "https://github.com*" }],
    ["an identity that ends within a name", { identity: "https://github.com/ada/app*" }],
    ["a pattern within an identity", { identity: "https://github.com/*/app/.github/workflows/check.yml@refs/heads/main" }],
    ["an issuer of anybody", { issuer: "https://*" }],
    ["no trusted root", { trustedRoot: undefined }],
    ["a trusted root that is no JSON", { trustedRoot: "trust me" }],
    ["a trusted root without anybody in it", { trustedRoot: "{}" }],
    ["a trusted root without a log", { trustedRoot: "without-log" }],
  ])("is never verified: %s", async (_, other) => {
    const sigstore = await start();
    const bundle = await signed(sigstore);
    const withoutLog = JSON.stringify({ ...JSON.parse(sigstore.trustedRoot), tlogs: [] });

    const check = await verifyBundle(
      bundle,
      asking(sigstore, "trustedRoot" in other && other.trustedRoot === "without-log" ? { trustedRoot: withoutLog } : other),
    );

    expect(check).toEqual({ kind: "not-checked", why: expect.any(String), hint: expect.any(String) });
  });
});

describe("a bundle that does not verify", () => {
  it.each([
    ["another workflow", { identity: IDENTITY.replace("check.yml", "other.yml") }],
    ["another branch", { identity: IDENTITY.replace("main", "mai") }],
    ["an identity that the true one only contains", { identity: "github.com/ada/app" }],
    ["the identity as a regular expression", { identity: ".+" }],
    ["another issuer", { issuer: "https://gitlab.com" }],
    ["an issuer that begins the same", { issuer: ISSUER.slice(0, -1) }],
    ["the bytes of another receipt", { payload: Buffer.from(payload.toString().replace("1f2e", "1f2f")) }],
    ["one byte more", { payload: Buffer.concat([payload, Buffer.from("\n")]) }],
  ])("was asked about with %s", async (_, other) => {
    const sigstore = await start();
    const bundle = await signed(sigstore);

    expect((await verifyBundle(bundle, asking(sigstore, other))).kind).toBe("refused");
  });

  it("is by a job that says it is of another CI, and of no CI that is pinned", async () => {
    const sigstore = await start();
    const claims = JSON.stringify({ predicate: { ci: { provider: "other-ci", workflowRef: IDENTITY, issuer: ISSUER } } });
    const bytes = Buffer.from(claims);
    const byStranger = await signed(sigstore, signableOf(bytes), otherEnv(tokenOf({ iss: "https://other-ci.example", sub: "job-1" })));

    const checks = await Promise.all(
      [byStranger, "{}", "garbage", claims].map((bundle) => verifyBundle(bundle, asking(sigstore, { payload: bytes }))),
    );

    expect(checks.map(({ kind }) => kind)).toEqual(["refused", "refused", "refused", "refused"]);
  });

  it("is of another Sigstore than the trusted one", async () => {
    const [ours, theirs] = [await start(), await start()];
    const bundle = await signed(theirs);

    expect((await verifyBundle(bundle, asking(ours))).kind).toBe("refused");
  });

  it.each<readonly [string, Faults]>([
    ["had run out when the log saw it", { certifiedAt: new Date(Date.now() - 3_600_000) }],
    ["did not count yet", { certifiedAt: new Date(Date.now() + 3_600_000) }],
    ["is in no certificate log", { isUnlogged: true }],
  ])("has a certificate that %s", async (_, faults) => {
    const sigstore = await start(faults);
    const bundle = await signed(sigstore);

    expect((await verifyBundle(bundle, asking(sigstore))).kind).toBe("refused");
  });

  it("signs something else than a statement", async () => {
    const sigstore = await start();
    const bundle = await signed(sigstore, signableOf(payload, "text/plain"));

    expect((await verifyBundle(bundle, asking(sigstore))).kind).toBe("refused");
  });

  it("was changed in any one field", async () => {
    const sigstore = await start();
    const bundle = JSON.parse(await signed(sigstore));
    const others = forgeries(bundle);

    const verified = await Promise.all(others.map(async ([what, forged]) => [what, (await verifyBundle(forged, asking(sigstore))).kind]));

    expect(others.length).toBeGreaterThan(60);
    expect(verified.filter(([what, kind]) => kind !== "refused" && !NO_EFFECT.test(String(what)))).toEqual([]);
  });

  it("is any true bundle's part put together with another's", async () => {
    const sigstore = await start();
    const [one, other] = await Promise.all([
      signed(sigstore).then((text) => JSON.parse(text)),
      signed(sigstore, signableOf(Buffer.from("{}"))).then((text) => JSON.parse(text)),
    ]);
    const { verificationMaterial: mine } = one;
    const { verificationMaterial: theirs } = other;

    const spliced = [
      { ...one, verificationMaterial: theirs },
      { ...one, verificationMaterial: { ...mine, tlogEntries: theirs.tlogEntries } },
      { ...one, verificationMaterial: { ...mine, certificate: theirs.certificate } },
      { ...one, dsseEnvelope: { ...one.dsseEnvelope, signatures: other.dsseEnvelope.signatures } },
      { ...one, dsseEnvelope: other.dsseEnvelope },
      { ...one, verificationMaterial: { ...mine, tlogEntries: [] } },
      { ...one, verificationMaterial: { ...mine, tlogEntries: [...mine.tlogEntries, ...mine.tlogEntries] } },
      { ...one, verificationMaterial: { publicKey: { hint: "anybody" }, tlogEntries: mine.tlogEntries } },
      { ...one, mediaType: "application/vnd.dev.sigstore.bundle+json;version=0.1" },
    ];

    const kinds = await Promise.all(spliced.map(async (bundle) => (await verifyBundle(JSON.stringify(bundle), asking(sigstore))).kind));
    expect(kinds).toEqual(spliced.map(() => "refused"));
  });
});

describe("what could not be signed", () => {
  const unsigned = { kind: "unsigned", why: expect.any(String), hint: expect.any(String) };

  it.each<readonly [string, Faults]>([
    ["Fulcio says no", { fulcioStatus: 400 }],
    ["Fulcio certifies another key", { isForeignKey: true }],
    ["Rekor says no", { rekorStatus: 500 }],
    ["Rekor redirects", { rekorStatus: 302 }],
  ])("is unsigned when %s", async (_, faults) => {
    const sigstore = await start(faults);

    expect(await signBundle(signableOf(payload), places(sigstore), { http, env: jobEnv(sigstore) })).toEqual(unsigned);
  });

  it("is unsigned outside of a CI, and says what to give the job", async () => {
    const sigstore = await start();

    const signing = await signBundle(signableOf(payload), places(sigstore), { http, env: { get: () => undefined } });

    expect(signing).toEqual({ ...unsigned, hint: expect.stringContaining("id-token: write") });
    expect(sigstore.asked).toEqual([]);
  });

  it("is unsigned when nobody is there", async () => {
    const sigstore = await start();
    sigstore.close();

    expect((await signBundle(signableOf(payload), places(sigstore), { http, env: jobEnv(sigstore) })).kind).toBe("unsigned");
  });

  it("never sends a token in the clear, and tells nothing of it", async () => {
    const token = tokenOf({ iss: "https://ci.example", sub: "job" });
    const sent: string[] = [];
    const spy = {
      send: async ({ url }: { readonly url: string }) => {
        sent.push(url);
        throw new Error("no way there");
      },
    };

    const signing = await signBundle(
      signableOf(payload),
      { fulcioUrl: "http://fulcio.example", rekorUrl: "https://rekor.example" },
      { http: spy, env: otherEnv(token) },
    );

    expect(sent).toEqual([]);
    expect(signing).toEqual(unsigned);
    expect(JSON.stringify(signing)).not.toContain(token.slice(0, 20));
  });
});

/** Nothing rests on these: the log's own number of an entry is signed, the proof's claim about size and root is not read. */
const NO_EFFECT = /inclusionProof\.(rootHash|treeSize)/;

/** The same bundle with one field left out, emptied, or with one character of it changed. */
function forgeries(bundle: unknown): readonly (readonly [what: string, text: string])[] {
  const all: (readonly [string, string])[] = [];
  const visit = (at: readonly (string | number)[], value: unknown): void => {
    const changed = (what: string, other: unknown) => all.push([`${at.join(".")} ${what}`, JSON.stringify(withAt(bundle, at, other))]);
    if (at.length > 0) changed("left out", undefined);
    if (typeof value === "string") {
      changed("empty", "");
      if (value.length > 0)
        for (const place of [0, Math.floor(value.length / 2), Math.max(0, value.length - 6)])
          changed(`changed at ${place}`, `${value.slice(0, place)}${other(value[place]!)}${value.slice(place + 1)}`);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) visit([...at, Array.isArray(value) ? Number(key) : key], inner);
    }
  };
  visit([], bundle);
  return all.filter(([what]) => !/keyid/.test(what));
}

const other = (char: string): string => (char === "A" ? "B" : /\d/.test(char) ? String((Number(char) + 1) % 10) : "A");

function withAt(value: unknown, [key, ...rest]: readonly (string | number)[], put: unknown): unknown {
  if (key === undefined) return put;
  if (Array.isArray(value))
    return value.flatMap((one, at) => (at === key ? (rest.length > 0 ? [withAt(one, rest, put)] : put === undefined ? [] : [put]) : [one]));
  const fields = value as { readonly [name: string]: unknown };
  return { ...fields, [key]: rest.length > 0 ? withAt(fields[key], rest, put) : put };
}
