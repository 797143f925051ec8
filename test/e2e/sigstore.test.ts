// A receipt that a CI job signs and somebody else verifies, with the built program and a Sigstore of this machine.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, inject, it } from "vitest";
import { IDENTITY, ISSUER, type LocalSigstore, startSigstore } from "../support/local-sigstore.ts";
import { inPlace, type Place, startProgram } from "../support/lw.ts";

const started: LocalSigstore[] = [];
afterEach(() => {
  for (const sigstore of started.splice(0)) sigstore.close();
});

interface Setting {
  readonly place: Place;
  readonly sigstore: LocalSigstore;
  /** Files. */
  readonly receipt: string;
  readonly bundle: string;
  readonly root: string;
  sign(...more: readonly string[]): ReturnType<Place["lw"]>;
  verify(other?: { readonly [flag: string]: string | undefined }): ReturnType<Place["lw"]>;
}

/** A run with its receipt, in a place that has an identity. */
const inJob = (work: (setting: Setting) => Promise<void>): Promise<void> =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    const spec = place.write(
      "fix.loop.json",
      JSON.stringify({
        name: "fix",
        intent: "Make it right.",
        level: "L2",
        target: { repo: place.repo.dir },
        maker: { use: "scripted", with: { scenes: [{ write: { "value.txt": "right\n" } }] } },
        verifiers: [{ use: "command", with: { run: "grep -x right value.txt" } }],
      }),
    );
    expect((await place.lw(["run", spec])).exit).toBe(0);
    const sigstore = await startSigstore();
    started.push(sigstore);
    const [receipt, bundle] = ["fix.receipt.json", "fix.sigstore.json"].map((name) => join(place.dir, name)) as [string, string];
    expect((await place.lw(["receipt", "export", "fix", "--out", receipt])).exit).toBe(0);
    const root = place.write("trusted_root.json", sigstore.trustedRoot);
    const env = { ACTIONS_ID_TOKEN_REQUEST_URL: `${sigstore.url}/token`, ACTIONS_ID_TOKEN_REQUEST_TOKEN: "bearer-of-the-job" };
    const places = ["--fulcio-url", sigstore.url, "--rekor-url", sigstore.url];
    await work({
      place,
      sigstore,
      receipt,
      bundle,
      root,
      sign: (...more) => place.lw(["receipt", "sign", receipt, "--sigstore", "--out", bundle, ...places, ...more], { env }),
      verify: (other = {}) => {
        const flags = { sigstore: bundle, identity: IDENTITY, issuer: ISSUER, "trusted-root": root, ...other };
        const given = Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`]));
        // Another home: whoever verifies has nothing of the one who signed.
        return place.lw(["receipt", "verify", receipt, ...given], { env: { LOOPWRIGHT_HOME: join(place.dir, "elsewhere") } });
      },
    });
  });

it("is signed by a job, and verified offline by whoever knows which job to expect", () =>
  inJob(async ({ sign, verify, sigstore, place, receipt }) => {
    const before = readFileSync(receipt, "utf8");

    const signing = await sign();
    sigstore.close();
    const verification = await verify({ repo: place.repo.dir });

    expect([signing.exit, signing.stdout, signing.stderr]).toEqual([0, "", expect.stringContaining("once it was verified")]);
    expect(readFileSync(receipt, "utf8")).toBe(before);
    expect([verification.exit, verification.stdout]).toEqual([
      0,
      expect.stringMatching(/^genuine [\s\S]*sigstore +holds +signed by https:\/\/github\.com\/ada\/app/),
    ]);
    expect(verification.stdout).toMatch(/commit +holds/);
  }));

it("is not checked, and never in order, without a pin, a root or a bundle (loopgen 31, 32)", () =>
  inJob(async ({ sign, verify, place }) => {
    await sign();

    const ends = [
      await verify({ identity: undefined }),
      await verify({ issuer: undefined }),
      await verify({ identity: "*" }),
      await verify({ "trusted-root": undefined }),
      await verify({ "trusted-root": join(place.dir, "missing.json") }),
      await verify({ sigstore: join(place.dir, "missing.json") }),
    ];

    expect(ends.map(({ exit, stdout }) => [exit, stdout.split("  ")[0]])).toEqual(ends.map(() => [4, "NOT CHECKED"]));
  }));

it("is not checked where the library that looks at bundles is gone", () =>
  inJob(async ({ sign, place, receipt, bundle, root }) => {
    await sign();
    const broken = join(place.dir, "broken");
    cpSync(inject("build").folder, broken, { recursive: true, filter: (path) => !/sigstore-library-[^/]*\.js$/.test(path) });

    const verifying = [
      "receipt",
      "verify",
      receipt,
      "--sigstore",
      bundle,
      "--identity",
      IDENTITY,
      "--issuer",
      ISSUER,
      "--trusted-root",
      root,
    ];
    const env = { PATH: process.env.PATH ?? "", HOME: place.dir };
    const { exit, stdout } = await startProgram([join(broken, "dist/lw.cjs"), ...verifying], { cwd: place.dir, env, input: "" }).ended;

    expect([exit, stdout]).toEqual([4, expect.stringContaining("cannot be loaded")]);
  }));

it("is refused with another job, another issuer, another receipt or garbage", () =>
  inJob(async ({ sign, verify, place, bundle, receipt }) => {
    await sign();
    const other = await startSigstore();
    started.push(other);
    const garbage = place.write("garbage.json", '{"provider":"other-ci"}');

    const ends = [
      await verify({ identity: IDENTITY.replace("ada", "eve") }),
      await verify({ issuer: "https://gitlab.com" }),
      await verify({ "trusted-root": place.write("other_root.json", other.trustedRoot) }),
      await verify({ sigstore: garbage }),
      await verify({ commit: "0".repeat(40) }),
    ];
    // The same commit, but a receipt that says something else.
    const { payload, ...rest } = JSON.parse(readFileSync(receipt, "utf8"));
    const forged = Buffer.from(Buffer.from(payload, "base64").toString("utf8").replace("Make it right.", "Make it wrong.")).toString(
      "base64",
    );
    writeFileSync(receipt, `${JSON.stringify({ payload: forged, ...rest })}\n`);
    ends.push(await verify());

    expect(ends.map(({ exit }) => exit)).toEqual(ends.map(() => 5));
    expect(readFileSync(bundle, "utf8")).toContain("dsseEnvelope");
  }));

it("stays as it was, and says so, when nothing could be signed (loopgen 30)", () =>
  inJob(async ({ sign, verify, sigstore, place, receipt }) => {
    const outside = await place.json(["receipt", "sign", receipt, "--sigstore", "--out", join(place.dir, "none.json")]);
    sigstore.close();
    const unreachable = await sign();
    const shown = await place.lw(["receipt", "show", receipt]);
    const verification = await verify();

    expect([outside.exit, outside.said.signed]).toEqual([4, false]);
    expect([unreachable.exit, unreachable.stderr]).toEqual([4, expect.stringContaining("not signed through Sigstore")]);
    expect(shown.stdout).not.toMatch(/attested|sigstore/i);
    expect(verification.exit).toBe(4);
  }));

it("is signed only where its own signature holds", () =>
  inJob(async ({ sign, sigstore, receipt }) => {
    const { payload, ...rest } = JSON.parse(readFileSync(receipt, "utf8"));
    const forged = Buffer.from(Buffer.from(payload, "base64").toString("utf8").replace("Make it right.", "Make it wrong.")).toString(
      "base64",
    );
    writeFileSync(receipt, `${JSON.stringify({ payload: forged, ...rest })}\n`);

    const { exit } = await sign();

    expect([exit, sigstore.asked]).toEqual([5, []]);
  }));
