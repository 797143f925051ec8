// Whether a name says that what it names is a secret.

/** `strong`: any value will be one. `weak`: one that looks made by chance will be. */
export type NameStrength = "strong" | "weak" | "none";

const STRONG = new Set([
  ..."password passwd pwd pass passphrase passcode secret secrets token apikey apisecret apitoken secretkey privatekey accesskey authtoken accesstoken".split(
    " ",
  ),
  ..."refreshtoken bearertoken credential credentials psk jwt passwort kennwort motdepasse contrasena senha clientsecret".split(" "),
]);
const ENDINGS = ["password", "passwd", "passphrase", "secret", "token", "apikey", "secretkey", "accesskey", "privatekey", "authkey"];
const KEY_OF_STRONG = new Set(
  "api access secret private auth encryption encrypt decryption signing sign master account shared storage hmac aes jwt app application service ssh deploy license admin webhook subscription integration personal ingest root client".split(
    " ",
  ),
);
const WEAK = new Set(
  "key keys auth authorization session sid sessid sessionid phpsessid jsessionid cookie dsn sig signature pat seed mnemonic otp creds bearer nonce salt code cred login".split(
    " ",
  ),
);
/** Words after a name that do not change what it names. */
const TAIL = new Set(
  "value val raw plain plaintext env prod production dev development staging stage live default current old new b64 base64 data hex primary secondary main text str".split(
    " ",
  ),
);
/** Whole names that sound like secrets and are none. */
const INNOCENT = /^(?:ssh_auth_sock|xdg_session_\w+|desktop_session|session_manager|dbus_session_\w+|gpg_agent_info|public_?key|key)$/i;
const WORKING_FOLDER = /^(?:OLD)?PWD$/;

/** Splits `dbPassword`, `DB_PASSWORD` and `db-password` into the same words. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "" && !/^\d+$/.test(word));

export function strengthOf(name: string): NameStrength {
  if (INNOCENT.test(name) || WORKING_FOLDER.test(name)) return "none";
  const words = [...wordsOf(name)];
  while (words.length > 1 && TAIL.has(words.at(-1)!)) words.pop();
  const last = words.at(-1);
  if (last === undefined) return "none";
  const before = words.at(-2) ?? "";
  if (words.includes("public") || words.includes("pub")) return "none";
  if (last === "key" && KEY_OF_STRONG.has(before)) return "strong";
  if (STRONG.has(last) || ENDINGS.some((ending) => last.endsWith(ending))) return "strong";
  if (last === "id" && before === "session") return "weak";
  if (before === "connection" && last === "string") return "weak";
  if (last === "phrase" && (before === "pass" || before === "seed")) return "strong";
  return WEAK.has(last) ? "weak" : "none";
}
