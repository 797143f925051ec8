// Whose account a maker uses: a name for it that is the same for all who share it, and from which nobody learns a key.
import type { Login } from "../contract/maker.ts";
import type { World } from "../contract/world.ts";
import { canonicalJson } from "../std/hash.ts";
import { fieldsOf, readRecord } from "../std/json-record.ts";

/** By the key that it is handed; else by who the agent says is logged in; else by the home folder that holds its login. */
export async function accountOf(login: Login, world: Pick<World, "env" | "files" | "ids">): Promise<string> {
  const { of, variables, address = "" } = login;
  const keys = variables.map((variable) => world.env.get(variable) ?? "").filter((key) => key !== "");
  const home = world.env.get("HOME") ?? "";
  const who = keys.length > 0 ? ["key", ...keys.toSorted()] : ((await loggedIn(login, home, world)) ?? ["home", home]);
  return `${of}-${world.ids.secretFor(canonicalJson(["account", of, address, who])).slice(0, 16)}`;
}

async function loggedIn({ says }: Login, home: string, { files }: Pick<World, "files">): Promise<readonly string[] | undefined> {
  for (const { file, at } of says) {
    const read = readRecord((await files.readText(`${home}/${file}`)) ?? "");
    if (read.kind !== "record") continue;
    const name = at.reduce<unknown>((value, field) => fieldsOf(value)?.get(field), Object.fromEntries(read.fields));
    if (typeof name === "string" && name !== "") return ["name", name];
  }
  return undefined;
}
