import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSettingsFiles } from "./settings-files.ts";

const files = createSettingsFiles();
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lw-settings-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("tells a file that is not there from one that cannot be read", async () => {
  writeFileSync(join(folder, "text"), "\ufeff{}");
  writeFileSync(join(folder, "bytes"), Buffer.from([0x7b, 0xff, 0x7d]));
  writeFileSync(join(folder, "large"), " ".repeat(4 * 1024 * 1024 + 1));
  symlinkSync("nowhere", join(folder, "dangling"));
  mkdirSync(join(folder, "folder"));

  const found = Object.fromEntries(
    await Promise.all(
      ["text", "none", "bytes", "large", "dangling", "folder"].map(async (name) => [name, await files.read(join(folder, name))]),
    ),
  );

  expect(found).toEqual({
    text: { kind: "text", text: "\ufeff{}" },
    none: { kind: "absent" },
    bytes: { kind: "unusable", why: "it is not UTF-8 text" },
    large: { kind: "unusable", why: "it is larger than 4194304 bytes" },
    dangling: { kind: "unusable", why: "it is a link to a file that is not there" },
    folder: { kind: "unusable", why: "it is not a plain file" },
  });
});

it("writes through a link, keeps the permissions, and leaves no draft", async () => {
  mkdirSync(join(folder, "dotfiles"));
  writeFileSync(join(folder, "dotfiles", "settings.json"), "{}");
  chmodSync(join(folder, "dotfiles", "settings.json"), 0o600);
  symlinkSync("dotfiles/settings.json", join(folder, "settings.json"));

  await files.write(join(folder, "settings.json"), '{"a": 1}');

  expect({
    text: readFileSync(join(folder, "dotfiles", "settings.json"), "utf8"),
    mode: statSync(join(folder, "dotfiles", "settings.json")).mode & 0o777,
    isLink: lstatSync(join(folder, "settings.json")).isSymbolicLink(),
    names: [...readdirSync(folder), ...readdirSync(join(folder, "dotfiles"))],
  }).toEqual({ text: '{"a": 1}', mode: 0o600, isLink: true, names: ["dotfiles", "settings.json", "settings.json"] });
});

it("makes the folders of a new file, and removes the file again", async () => {
  const path = join(folder, "a", "b", "c.json");

  await files.write(path, "{}");
  const written = await files.read(path);
  await files.remove(path);

  expect([written, await files.read(path)]).toEqual([{ kind: "text", text: "{}" }, { kind: "absent" }]);
});

it("says what could not be written and what to do", async () => {
  writeFileSync(join(folder, "file"), "");

  await expect(files.write(join(folder, "file", "c.json"), "{}")).rejects.toMatchObject({
    code: "store-unusable",
    hint: "Make room or mend the permissions there, then try again.",
    message: expect.stringContaining(`${join(folder, "file", "c.json")} could not be written: `),
  });
});
