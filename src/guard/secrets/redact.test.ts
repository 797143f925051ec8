import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededChance } from "../../../test/support/seeded-chance.ts";
import { tries } from "../../../test/support/tries.ts";
import { yardsticksOf } from "../../../test/support/yardstick.ts";
import { secretKinds } from "./kinds/index.ts";
import { type Carry, createRedactor, NOTHING_YET, type Redactor, redacted, redactPart, redactText, redactValue } from "./redact.ts";

const redactor = createRedactor("a key of this test");
const chance = seededChance(11);
const github = `gh${"p_"}${chance.text("A-Za-z0-9", 36)}`;
const slack = `xo${"xb-"}${chance.text("0-9", 12)}-${chance.text("A-Za-z0-9", 24)}`;
const password = `${chance.text("A-Za-z0-9", 14)}7x`;

/** The same secret as a terminal, an address, a program or a mail writes it. */
const DRESSES: { readonly [name: string]: (text: string) => string } = {
  colours: (text) => spaced(text, 5, "\u001b[31m"),
  "a link to a terminal": (text) => spaced(text, 9, "\u001b]8;;http://localhost\u0007"),
  "characters without width": (text) => spaced(text, 4, "\u200b"),
  "the same in bytes": (text) => spaced(text, 4, Buffer.from("\u2060").toString("latin1")),
  "UTF-16": (text) => Buffer.from(text, "utf16le").toString("latin1"),
  "struck over": (text) => spaced(text, 6, "_\b"),
  percent: (text) => escaped(text, (code) => `%${code}`),
  "percent twice": (text) => escaped(text, (code) => `%25${code.toLowerCase()}`),
  "u escapes": (text) => escaped(text, (code) => `\\u00${code}`),
  "x escapes": (text) => escaped(text, (code) => `\\x${code}`),
  markup: (text) => escaped(text, (code) => `&#x${code};`),
  "colours in JSON": (text) => spaced(text, 5, "\\u001b[1m"),
  base64: (text) => bytesOf(text).toString("base64"),
  "base64 twice": (text) => Buffer.from(bytesOf(`a ${text}`).toString("base64")).toString("base64url"),
  base32: (text) => base32(bytesOf(`of ${text}.`)),
  "base32 in small letters": (text) => base32(bytesOf(text)).toLowerCase(),
  "hexadecimal digits": (text) => bytesOf(`x${text}`).toString("hex"),
};
const bytesOf = (text: string): Buffer => Buffer.from(text, /[^\0-\xff]/.test(text) ? "utf8" : "latin1");
const spaced = (text: string, every: number, by: string): string => text.replace(new RegExp(`.{${every}}(?=.)`, "gs"), (part) => part + by);
const escaped = (text: string, write: (code: string) => string): string =>
  [...bytesOf(text)].map((byte) => write(byte.toString(16).padStart(2, "0").toUpperCase())).join("");
const base32 = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) => byte.toString(2).padStart(8, "0"))
    .join("")
    .replace(/.{1,5}/g, (bits) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(bits.padEnd(5, "0"), 2)]!);

describe.each(Object.entries(DRESSES))("a secret in another dress: %s", (_, dress) => {
  it("is taken out by its kind, and left for the same secret", () => {
    expect(redacted(redactor, `see (${dress(github)}) there`)).toContain(redacted(redactor, github));
    expect(redacted(redactor, `see (${dress(github)}) there`)).not.toContain(dress(github).slice(12, -12));
  });

  it("is taken out by its value, also where the dress has a dress", () => {
    const value = `${password}-and-Mehr`;
    const knowing = createRedactor("a key", [{ kind: "environment-secret", value }]);
    const plain = redacted(knowing, value);
    const over = ["percent", "u escapes", "markup", "base64", "base32", "hexadecimal digits"].map((name) => DRESSES[name]!);
    const dresses = [dress(value), ...over.map((other) => other(dress(value)))];

    expect(dresses.filter((dressed) => !redacted(knowing, `see (${dressed}) there`).includes(plain))).toEqual([]);
  });

  it("leaves what is no secret", () => {
    const text = ["git status", "src/guard/secrets/redact.test.ts", "https://localhost/a?b=c", "PASS: testTheQuickBrownFox"]
      .map((line) => dress(line))
      .join(" ; ");

    expect(redactText(redactor, text)).toEqual({ text, found: [] });
  });
});

describe("redactText", () => {
  it("knows a value in small letters and in capitals", () => {
    const value = `${password}-and-Mehr`;
    const knowing = createRedactor("a key", [{ kind: "environment-secret", value }]);

    expect([value.toUpperCase(), value.toLowerCase()].map((text) => redacted(knowing, `a ${text} b`))).toEqual([
      `a ${redacted(knowing, value)} b`,
      `a ${redacted(knowing, value)} b`,
    ]);
  });

  it("leaves text without secrets as it is", () => {
    const text = "const token = tokens[0]; // sha1 3f786850e387550fdab836ed7e6dc881de23001b\n";

    expect(redactText(redactor, text)).toEqual({ text, found: [] });
  });

  it("says what was there, on which line, and never the secret", () => {
    const { text, found } = redactText(redactor, `one\ntwo ${github}\n`);

    expect(text).toMatch(/^one\ntwo \[redacted:github-token:[0-9a-f]{8}\]\n$/);
    expect(found).toEqual([{ kind: "github-token", line: 2, placeholder: text.slice(8, -1) }]);
  });

  it("gives two mentions of one secret the same placeholder, and two secrets different ones", () => {
    const { found } = redactText(redactor, `${github} ${slack} ${github}`);

    expect(found.map(({ placeholder }) => placeholder)).toEqual([found[0]!.placeholder, found[1]!.placeholder, found[0]!.placeholder]);
    expect(found[0]!.placeholder).not.toBe(found[1]!.placeholder);
  });

  it("gives another home another placeholder, so that nobody can try passwords against it", () => {
    expect(redacted(createRedactor("another key"), github)).not.toBe(redacted(redactor, github));
  });

  it("knows a private key again, whether its lines are broken, escaped or in a diff", () => {
    const lines = [
      `-----BE${"GIN"} PRIVATE KEY-----`,
      chance.text("A-Za-z0-9", 64),
      chance.text("A-Za-z0-9", 40),
      `-----E${"ND"} PRIVATE KEY-----`,
    ];
    const plain = redacted(redactor, lines.join("\n"));

    expect(plain).toMatch(/^\[redacted:private-key:[0-9a-f]{8}\]$/);
    expect(redacted(redactor, JSON.stringify({ key: lines.join("\n") }))).toBe(JSON.stringify({ key: plain }));
    expect(redacted(redactor, `+${lines.join("\n+")}`)).toBe(`+${plain}`);
  });

  it("puts a token together again that was broken over lines", () => {
    const text = `${"x".repeat(50)} ${github.slice(0, 20)}\n${github.slice(20)} and more`;

    expect(redacted(redactor, text)).toBe(`${"x".repeat(50)} ${redacted(redactor, github)} and more`);
  });

  it("does not take the word on the next line for a part of the token", () => {
    expect(redacted(redactor, `${github}\nnext line`)).toBe(`${redacted(redactor, github)}\nnext line`);
  });

  it("takes the values of settings, and leaves what only refers to them", () => {
    const kept = [
      "PASSWORD=$DB_PASSWORD",
      "password: ${{ secrets.DB_PASSWORD }}",
      "const password = process.env.DB_PASSWORD;",
      "password: string;",
      'type: "password"',
      "TOKEN_FILE=/run/secrets/token",
      "maxTokens: 4096",
      'label: "Your password"',
      "PASSWORD=changeme",
      "api_key: <your key>",
    ];

    expect(redacted(redactor, kept.join("\n"))).toBe(kept.join("\n"));
    for (const name of ["PASSWORD=", "password: ", '"apiKey": "', "--token ", "db.password = '", "X-Api-Key: ", "?access_token="])
      expect(redacted(redactor, `${name}${password}`)).not.toContain(password);
  });

  it("takes a password that chance made to look like a word, and leaves names and types", () => {
    for (const made of [
      "NuxliyKKALCH",
      "XYEOPYTIKSFR",
      "Itdhyak8klba",
      "BASeagryusdl",
      "Eb10HAQE6dUMmYbfLz3OoXGLMwQ577IR",
      "Qqu95VXUIM6QO8!XXX",
    ])
      for (const line of [`db_password: ${made}`, `dbPassword = "${made}"`, `--db-password ${made}`, `  db_password: ${made}\u001b[0m`])
        expect(redacted(redactor, line)).not.toContain(made);
    const kept = ["password: BinaryLike,", "password = userPassword", 'password: "PasswordField"', "const password = readline"];
    expect(redacted(redactor, kept.join("\n"))).toBe(kept.join("\n"));
  });

  it("leaves the names of tests that passed, and takes a password under the same word", () => {
    const results = [
      "--- PASS: TestFree (0.00s)",
      "    --- PASS: TestBase64URLDecode/empty_input_#01 (0.00s)",
      "PASS: testTheQuickBrownFox",
      "PASS src/shop/empty-basket.test.tsx (5.123 s)",
      "XPASS tests/test_free.py::TestFree::test_all",
      "[PASS] checkAccountHolder",
    ].join("\n");

    expect(redactText(redactor, results)).toEqual({ text: results, found: [] });
    expect(
      [`PASS=${password}`, `PASS: ${password}`, `DB_PASS: ${password}`].map((text) => redactText(redactor, text).found.length),
    ).toEqual([1, 1, 1]);
  });

  it("leaves hashes, ids and times", () => {
    const text = [
      "commit 3f786850e387550fdab836ed7e6dc881de23001b",
      `sha256:${"9f86d081884c7d659a2feaa0c55ad015".repeat(2)}`,
      '"integrity": "sha512-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
      "id 123e4567-e89b-12d3-a456-426614174000 at 2026-01-02T03:04:05.678Z",
      "cacheKey: 9f86d081884c7d659a2feaa0c55ad015",
    ].join("\n");

    expect(redacted(redactor, text)).toBe(text);
  });
});

/** Text in which secrets of all kinds stand among words, also half ones and placeholders. */
const withSecrets = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.constantFrom(
        "\n",
        " ",
        "\\n",
        '"',
        "=",
        "password=",
        "token: ",
        "Authorization: Bearer ",
        "[redacted:jwt:00000000]",
        "[redacted:",
        "-----BEGIN ",
      ),
      fc.tuple(fc.nat(secretKinds.length - 1), fc.nat(1_000)).map(([kind, seed]) => secretKinds[kind]!.sample(seededChance(seed + 1)).text),
      fc
        .tuple(fc.nat(secretKinds.length - 1), fc.nat(50))
        .map(([kind, length]) => secretKinds[kind]!.sample(seededChance(3)).text.slice(0, length)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

describe("redaction, whatever the text", () => {
  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(withSecrets, (text) => {
        const once = redacted(redactor, text);
        expect(redacted(redactor, once)).toBe(once);
      }),
      tries(120),
    );
  });

  it("gives the same whole, however the text is cut into parts", () => {
    const sizes = { segment: 300, ahead: 200, behind: 64 };
    fc.assert(
      fc.property(withSecrets, fc.array(fc.nat(400), { maxLength: 8 }), (text, cuts) => {
        const whole = redactPart(redactor, NOTHING_YET, text, "last", sizes).text;

        expect(inParts(redactor, text, cuts, sizes)).toBe(whole);
      }),
      tries(120),
    );
  });

  it("gives the same in parts as in one go when the text is longer than a segment", () => {
    const filler = "an ordinary line of a log that goes on and on\n".repeat(9_000);
    const text = filler + github + filler + slack + filler;

    expect(inParts(redactor, text, [5, 300_000, 20_000, 7], undefined)).toBe(redacted(redactor, text));
    expect(redactText(redactor, text).found.map(({ kind, line }) => ({ kind, line }))).toEqual([
      { kind: "github-token", line: 9_001 },
      { kind: "slack-token", line: 18_001 },
    ]);
  });

  it("lets no known value through, plain, escaped or encoded", () => {
    const value = fc.string({ minLength: 8, maxLength: 40 }).filter((text) => text.trim().length >= 8 && !text.includes("[redacted"));
    fc.assert(
      fc.property(value, fc.string(), fc.string(), (secret, before, after) => {
        const knowing = createRedactor("k", [{ kind: "environment-secret", value: secret }]);
        const dresses = [
          before + secret + after,
          JSON.stringify({ a: before + secret + after }),
          encodeURIComponent(before + secret + after),
          Buffer.from(before + secret + after).toString("base64"),
          Buffer.from(before + secret + after).toString("base64url"),
        ];

        for (const dress of dresses) {
          expect(redactText(knowing, dress).found).not.toEqual([]);
          expect(redacted(knowing, dress)).not.toContain(secret);
        }
      }),
      tries(80),
    );
  });

  it("finds a known value that was broken over lines, also in base64", () => {
    const knowing = createRedactor("k", [{ kind: "environment-secret", value: password }]);
    const encoded = Buffer.from(`${"x".repeat(48)}${password}${"y".repeat(48)}`)
      .toString("base64")
      .replace(/.{76}/g, "$&\n");

    expect(redacted(knowing, `${password.slice(0, 5)}\\\n    ${password.slice(5)}`)).toMatch(
      /^\[redacted:environment-secret:[0-9a-f]{8}\]$/,
    );
    expect(redacted(knowing, encoded)).toContain("[redacted:environment-secret:");
  });
});

describe("redaction in time", () => {
  const hostile: readonly string[] = [
    "a".repeat(200_000),
    "-----BEGIN PRIVATE KEY-----".repeat(8_000),
    `-----BEGIN PRIVATE KEY-----${"A".repeat(200_000)}`,
    `${"QUJDREVGR0hJSktM\n".repeat(12_000)}-----END PRIVATE KEY-----`,
    "-----END PRIVATE KEY-----QUJDREVGR0hJSktM\n".repeat(4_000),
    "sk-".repeat(70_000),
    `sk-${"a".repeat(199_000)}`,
    "password=".repeat(22_000),
    `password="${"\\".repeat(200_000)}`,
    `"password":"${"'".repeat(200_000)}`,
    "eyJ".repeat(70_000),
    "eyJabcdefghijkl.".repeat(12_000),
    "://a:".repeat(40_000),
    `://${"a:".repeat(100_000)}`,
    "Cookie: a=".repeat(20_000),
    `Cookie: ${"a=bbbbbbbbbbbbbb;".repeat(12_000)}`,
    "Authorization: ".repeat(13_000),
    `user ${" ".repeat(200_000)}password x`,
    "user a password ".repeat(12_000),
    "login\n".repeat(30_000),
    "AKIAABCDEFGHIJKLMNOP ".repeat(9_000),
    "ghp_\n".repeat(40_000),
    `${"key_".repeat(50_000)}=x`,
    "SharedAccessSignature sr=".repeat(8_000),
    "[redacted:".repeat(20_000),
    "[redacted:a:00000000]".repeat(9_000),
    "=\n".repeat(100_000),
    "token is token is ".repeat(11_000),
  ];

  it.each(hostile.map((text) => ({ begins: text.slice(0, 30), text })))("is never long: $begins…", ({ text }) => {
    // The worst of them takes about twenty-five; a pattern that runs away would take thousands.
    expect(yardsticksOf(() => redactText(redactor, text), 1000)).toBeLessThan(1000);
  });
});

describe("redactValue", () => {
  it("goes through maps and lists, leaves names and the house's own places, and takes what a name gives away", () => {
    const value = {
      kind: "run-opened",
      repo: `/home/ada/${github}/repo`,
      base: { ref: "main", commit: "3f786850e387550fdab836ed7e6dc881de23001b" },
      spec: { maker: { with: { run: `curl -H 'X: ${slack}'`, env: { DB_PASSWORD: password } } }, budget: { tokens: "1M", usd: "$5.00" } },
      list: [github, 3, null, true],
    };

    expect(redactValue(redactor, value)).toEqual({
      ...value,
      spec: {
        maker: {
          with: {
            run: `curl -H 'X: ${redacted(redactor, slack)}'`,
            env: { DB_PASSWORD: redactor.placeholder("assigned-secret", password) },
          },
        },
        budget: { tokens: "1M", usd: "$5.00" },
      },
      list: [redacted(redactor, github), 3, null, true],
    });
  });
});

function inParts(by: Redactor, text: string, cuts: readonly number[], sizes: Parameters<typeof redactPart>[4]): string {
  let carry: Carry = NOTHING_YET;
  let [out, from] = ["", 0];
  for (const cut of cuts) {
    const done = redactPart(by, carry, text.slice(from, from + cut), "more", sizes);
    [carry, out, from] = [done.carry, out + done.text, from + cut];
  }
  return out + redactPart(by, carry, text.slice(from), "last", sizes).text;
}
