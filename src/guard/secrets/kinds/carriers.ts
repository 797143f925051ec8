// Secrets that are told by what carries them.
import { ALNUM, BASE64, type Chance, fresh, type SecretKind, token, within } from "../kind.ts";
import { strengthOf } from "../names.ts";
import { hasLetterAndDigit, isHollow, isPath, isRandom, isReference, isWordy } from "../shape.ts";

/** A value that stands where only secrets stand; what is plainly written there by hand to stand in for one may stay. */
const isReal = (secret: string): boolean => !isHollow(secret) && !isReference(secret);

const pem = (chance: Chance, newline: string): string =>
  [
    `-----BE${"GIN"} RSA PRIVATE KEY-----`,
    ...Array.from({ length: 6 }, () => chance.text(BASE64, 64)),
    `${chance.text(BASE64, 30)}==`,
    `-----E${"ND"} RSA PRIVATE KEY-----`,
  ].join(newline);

/** Secrets that are told by what carries them: armour, addresses, headers, files of settings. */
export const carrierKinds: readonly SecretKind[] = [
  {
    id: "private-key",
    name: "Private key in PEM, OpenSSH or PGP armour, also with its line breaks escaped",
    anchors: ["-----BEGIN "],
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){20,24000}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y,
    accepts: (text) => /[A-Za-z0-9+/]{16}/.test(text.replace(/-----[^-]*-----/y, "")),
    sample: (chance) => {
      const secret = pem(chance, "\n");
      return { text: secret, secret };
    },
    passes: ['if (text.includes("-----BEGIN PRIVATE KEY-----")) return;'],
  },
  {
    id: "private-key",
    name: "Private key whose end was cut off",
    anchors: ["-----BEGIN "],
    pattern: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:\\{1,16}[nr]|[\s"',>|\\-]){0,40}[A-Za-z0-9+/=]{30,200}){1,600}/y,
    sample: (chance) => {
      const secret = pem(chance, "\\n").split("==")[0]!;
      return { text: secret, secret };
    },
    passes: [],
  },
  {
    id: "private-key",
    name: "Private key whose beginning was cut off",
    anchors: ["-----END "],
    before: /(?<=(?<secret>(?:[A-Za-z0-9+/=]{16,200}(?:\\{1,16}[nr]|[\s"',>|\\-]){1,40}){1,60}\+?))/y,
    pattern: /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y,
    sample: (chance) => {
      const secret = pem(chance, "\n").split("\n").slice(3).join("\n");
      return { text: secret, secret };
    },
    passes: ["-----END PRIVATE KEY-----"],
  },
  {
    id: "private-key",
    name: "OpenSSH key without its armour",
    anchors: ["b3BlbnNzaC1rZXktdjE"],
    pattern: /b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]{20,24000}(?:(?:\\{1,16}[nr]|\s){1,4}[A-Za-z0-9+/=]{30,100}){0,200}/y,
    sample: (chance) => {
      const secret = `b3BlbnNz${"aC1rZXktdjE"}${chance.text(BASE64, 200)}`;
      return { text: secret, secret };
    },
    passes: [],
  },
  {
    id: "private-key",
    name: "PEM in base64, as kubeconfig has it",
    anchors: ["LS0tLS1CRUdJTi"],
    pattern: /LS0tLS1CRUdJTi[A-Za-z0-9+/=]{60,24000}/y,
    accepts: (text) => /UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW/.test(text.slice(0, 80)),
    sample: (chance) => {
      const secret = `LS0tLS1CRU${"dJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ"}${chance.text(BASE64, 400)}`;
      return { text: secret, secret };
    },
    passes: [],
  },
  {
    id: "private-key",
    name: "PuTTY key",
    anchors: ["Private-Lines:"],
    pattern:
      /Private-Lines: ?\d{1,3}(?:\\{1,16}[nr]|[\s>|-]){1,40}(?<secret>[A-Za-z0-9+/=]{10,100}(?:(?:\\{1,16}[nr]|[\s>|-]){1,40}[A-Za-z0-9+/=]{10,100}){0,200})/y,
    sample: (chance) => within(`Private-${"Lines"}: 1\n`, chance.text(BASE64, 64)),
    passes: ["Private-Lines: none"],
  },
  token(
    "jwt",
    "JSON web token",
    ["eyJ", "eyA", "ewo"],
    fresh(/(?:ey[JA]|ewo)[A-Za-z0-9_-]{10,4000}\.(?:ey|ew)[A-Za-z0-9_-]{10,8000}(?:\.[A-Za-z0-9_-]{0,4000})?/),
    (chance) => `ey${"J"}${chance.text(ALNUM, 33)}.ey${"J"}${chance.text(ALNUM, 70)}.${chance.text(ALNUM, 43)}`,
    {
      accepts: hasLetterAndDigit,
      passes: ["eyes.eyebrows.eyelashes"],
    },
  ),
  token(
    "jwe",
    "Encrypted JSON web token",
    ["eyJ"],
    fresh(/eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{0,2000}\.[A-Za-z0-9_-]{8,64}\.[A-Za-z0-9_-]{4,8000}\.[A-Za-z0-9_-]{16,64}/),
    (chance) =>
      `ey${"J"}${chance.text(ALNUM, 40)}.${chance.text(ALNUM, 80)}.${chance.text(ALNUM, 16)}.${chance.text(ALNUM, 90)}.${chance.text(ALNUM, 22)}`,
    { wraps: false },
  ),
  {
    id: "url-password",
    name: "Password in an address: databases, queues, proxies, registries",
    anchors: ["://"],
    pattern:
      /(?<=[A-Za-z][A-Za-z0-9+.-]{1,30}):\/\/[^\s:@/"'`<>\\]{0,128}:(?<secret>[^\s@/"'`<>\\]{4,256}(?:\/[^\s@/"'`<>\\]{1,128}){0,3})@(?=[A-Za-z0-9[_$%-])/y,
    accepts: (secret) => isReal(secret) && !/^\d{1,5}(?:\/|$)/.test(secret) && !/^(?:p|pw|pwd|pass|password|secret|token)$/i.test(secret),
    sample: (chance) => within("postgres://app:", chance.text(ALNUM, 20), "@db.internal:5432/shop"),
    passes: [
      "postgres://localhost:5432/shop",
      "https://user:password@example.com",
      "see http://a.example:80/x@y",
      "redis://:${REDIS_PASSWORD}@cache:6379",
    ],
  },
  {
    id: "url-token",
    name: "Token in an address, in place of a user",
    anchors: ["://"],
    pattern: /(?<=[A-Za-z][A-Za-z0-9+.-]{1,30}):\/\/(?<secret>[A-Za-z0-9_%.~-]{16,256})(?::(?:x-oauth-basic)?)?@(?=[A-Za-z0-9[])/y,
    accepts: (secret) => isRandom(secret, 16) || (hasLetterAndDigit(secret) && !isWordy(secret)),
    sample: (chance) => within("https://", `a1${chance.text(HEX_AND_DIGITS, 30)}b2`, "@git.example.com/x.git"),
    passes: ["ssh://some-long-user-name-here@git.example.com/x.git"],
  },
  {
    id: "authorization",
    name: "Value of an Authorization header",
    anchors: ["uthorization", "UTHORIZATION"],
    pattern:
      /(?<=(?<![A-Za-z])a)uthorization\\{0,16}["'`]?\]?\s{0,3}(?:[:=,]|=>)\s{0,3}\\{0,16}["'`]?(?:(?:Bearer|Basic|Token|Digest|ApiKey|Api-Key|Negotiate|NTLM|SSWS|GenieKey|Splunk|Key|token)[ :=]{1,3})?["'`]?(?<secret>[A-Za-z0-9._~+/=:%-]{8,4000})/iy,
    accepts: (secret) =>
      isReal(secret) && (secret.length >= 20 ? hasLetterAndDigit(secret) || isMixedCase(secret) : isRandom(secret, 8) || /=$/.test(secret)),
    sample: (chance) => within("Authorization: Bearer ", `${chance.text(ALNUM, 30)}a1`),
    passes: ["Authorization: Bearer <token>", "authorization: required", "Authorization: Bearer ${token}"],
  },
  {
    id: "authorization",
    name: "Bearer token",
    anchors: ["earer ", "EARER ", "earer%20"],
    pattern: /(?<=\bb)earer(?:\s{1,3}|%20)(?<secret>[A-Za-z0-9._~+/=-]{16,4000})/iy,
    accepts: (secret) => isReal(secret) && isRandom(secret, 16),
    sample: (chance) => within("curl -H 'X-Auth: Bearer ", `${chance.text(ALNUM, 30)}a1B2c3`, "'"),
    passes: ["a bearer authentication scheme", "bearer token-based-authentication"],
  },
  {
    id: "basic-auth",
    name: "User and password in base64",
    anchors: ["Basic ", "basic "],
    pattern: /[Bb]asic {1,3}(?<secret>[A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9+/=])/y,
    accepts: isUserAndPassword,
    sample: (chance) => within("-H 'Proxy: Basic ", Buffer.from(`ada:${chance.text(ALNUM, 15)}`).toString("base64"), "'"),
    passes: ["Basic authentication", "Basic YWJjZGVmZ2hpamts"],
  },
  {
    id: "command-password",
    name: "Password given to a command",
    anchors: ["mysql", "mariadb", "sshpass", "redis-cli", "ssh-keygen", "mongo", "ldapsearch", "smbclient"],
    pattern:
      /(?:mysql(?:dump|admin)?|mariadb|sshpass|redis-cli|ssh-keygen|mongo(?:sh|dump|restore)?|ldapsearch|smbclient)(?= )[^\n|;&]{0,120}? -[paNPwU] ?["']?(?<secret>[^\s"'=$<-][^\s"'$<]{5,128})/y,
    accepts: (secret) => isReal(secret) && hasLetterAndDigit(secret) && !isPath(secret),
    sample: (chance) => within("mysql -u root -p", `${chance.text(ALNUM, 14)}7a`, " shop"),
    passes: ["mysql -u root -p shop", "mysql -h 127.0.0.1 -P 3306", "redis-cli -p 6379 ping"],
  },
  {
    id: "pgpass-password",
    name: "Password of a .pgpass line",
    anchors: [":5432:"],
    pattern: /:5432:[^\s:"']{1,64}:[^\s:"']{1,64}:(?<secret>[^\s:"']{6,128})/y,
    accepts: isReal,
    sample: (chance) => within("db.internal:5432:shop:app:", chance.text(ALNUM, 16)),
    passes: ["listening on :5432: ready"],
  },
  {
    id: "password-hash",
    name: "Hash of a password, as crypt, bcrypt and argon2 write it",
    anchors: ["$apr1$", "$1$", "$5$", "$6$", "$y$", "$2a$", "$2b$", "$2y$", "$argon2"],
    pattern:
      /\$(?:(?:apr1|1|5|6|y)\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,24}\$[./A-Za-z0-9]{22,86}|2[aby]\$\d\d\$[./A-Za-z0-9]{53}|argon2(?:id|i|d)\$v=\d{1,3}\$[a-z0-9=,]{5,40}\$[A-Za-z0-9+/]{8,64}\$[A-Za-z0-9+/]{20,128})/y,
    sample: (chance) => within("root:", `$${6}$${chance.text(ALNUM, 16)}$${chance.text(ALNUM, 86)}`, ":19000:0:99999:7:::"),
    passes: ['text.replace(pattern, "$1$2")'],
  },
  {
    id: "signature",
    name: "Signature of a request or of an address",
    anchors: ["Signature=", "signature="],
    pattern: /[Ss]ignature=(?<secret>[A-Za-z0-9%+/_-]{40,600}={0,2})/y,
    accepts: hasLetterAndDigit,
    sample: (chance) => within("https://b.example.com/k?X-Amz-Signature=", chance.text("0-9a-f", 64), "&X-Amz-Expires=300"),
    passes: ["signature=unknown"],
  },
  {
    id: "masked-value",
    name: "Value that a build was told to mask",
    anchors: ["::add-mask::"],
    pattern: /::add-mask::(?<secret>[^\s"'\\[]{4,500})/y,
    accepts: isReal,
    sample: (chance) => within("::add-mask::", chance.text(ALNUM, 24)),
    passes: ["::add-mask::$TOKEN"],
  },
  {
    id: "basic-auth",
    name: "User and password of a curl call",
    anchors: [" -u", "--user", "--proxy-user"],
    pattern: /(?: -u|--(?:proxy-)?user)[ =]{0,2}["']?[A-Za-z0-9._@-]{1,64}:(?<secret>[^\s"'@:/]{6,128})/y,
    accepts: (secret) => isReal(secret) && (hasLetterAndDigit(secret) || secret.length >= 12) && !/^[a-z]+$/.test(secret),
    sample: (chance) => within("curl -u admin:", `${chance.text(ALNUM, 14)}7a`, " https://example.com"),
    passes: ["docker run -u 1000:1000 image", "chown --user root:wheel"],
  },
  {
    id: "cookie",
    name: "Cookie",
    anchors: ["ookie", "OOKIE"],
    pattern:
      /ookie\\{0,16}["']?\s{0,2}[:=]\s{0,2}\\{0,16}["']?(?<secret>[A-Za-z0-9_.$-]{1,64}=[A-Za-z0-9%._~+/=:|!-]{12,4000}(?:; ?[A-Za-z0-9_.$-]{1,64}=[^\s;"'\\]{1,4000}){0,30})/iy,
    accepts: (secret) => secret.split(";").some(isTellingPair),
    sample: (chance) => within("Set-Cookie: ", `sid=${chance.text(ALNUM, 30)}a1B2`, "; Path=/; HttpOnly"),
    passes: ["Cookie: theme=dark", "Set-Cookie: lang=en; Path=/"],
  },
  {
    id: "netrc-password",
    name: "Password of a .netrc or .pgpass line",
    anchors: ["password", "passwd"],
    before: /(?<=(?:login|user|username)\s{1,20}\S{1,128}\s{1,20})/y,
    pattern: /passw(?:or)?d\s{1,20}(?<secret>\S{4,256})/y,
    accepts: (secret) => isReal(secret) && (hasLetterAndDigit(secret) || secret.length >= 12),
    sample: (chance) => within("machine api.example.com login ada password ", `${chance.text(ALNUM, 14)}4x`),
    passes: ["login user password field"],
  },
  {
    id: "registry-auth",
    name: "Credentials of a registry, as Docker and npm keep them",
    anchors: ["auth"],
    pattern: /(?<![A-Za-z])auth\\{0,16}["']?\s{0,3}[:=]\s{0,3}\\{0,16}["']?(?<secret>[A-Za-z0-9+/]{12,800}={0,2})(?![A-Za-z0-9+/=(.[])/y,
    accepts: isUserAndPassword,
    sample: (chance) =>
      within('{"auths": {"registry.example.com": {"auth": "', Buffer.from(`ada:${chance.text(ALNUM, 20)}`).toString("base64"), '"}}}'),
    passes: ["auth: authenticationMiddleware,"],
  },
];

/** What base64 hides is printable, with a colon in it. */
function isUserAndPassword(secret: string): boolean {
  return (
    secret.length % 4 === 0 && /^[\x21-\x39\x3b-\x7e]{1,64}:[\x20-\x7e]{3,200}$/.test(Buffer.from(secret, "base64").toString("latin1"))
  );
}

function isTellingPair(pair: string): boolean {
  const at = pair.indexOf("=");
  const value = pair.slice(at + 1);
  return isRandom(value, 12) || (value.length >= 16 && hasLetterAndDigit(value) && strengthOf(pair.slice(0, at).trim()) !== "none");
}

const HEX_AND_DIGITS = "0-9a-f";
const isMixedCase = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text);
