// Slots are the same whatever zone the machine itself is in: asked of processes that are started in several.
import { execFileSync } from "node:child_process";
import { buildSync } from "esbuild";
import { expect, it } from "vitest";

const PROGRAM = `
import { readCron } from "./cron.ts";
import { slotsOf } from "./slots.ts";
import { instantsOf, showLabel, zoneOf } from "./zone.ts";
const told = [];
for (const name of ["UTC", "Europe/Berlin", "America/Santiago", "Pacific/Apia"]) {
  const zone = zoneOf(name);
  for (const text of ["30 2 * * *", "*/7 * L * *", "0 0 * * mon#2", "15 23 15W * *"]) {
    const { labels, reading } = readCron(text);
    for (const [since, until] of [["2011-12-01", "2012-02-01"], ["2026-01-01", "2027-01-01"]])
      told.push(slotsOf(labels, reading, zone).due(Date.parse(since), Date.parse(until), 50));
  }
  told.push(showLabel(zone, 1.5e12), instantsOf(zone, 1.5e12));
}
console.log(new Date(0).getHours(), JSON.stringify(told));
`;

it("names the same slots under every zone of the machine", () => {
  const [built] = buildSync({
    stdin: { contents: PROGRAM, resolveDir: "src/std", loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
  }).outputFiles;
  const told = ["UTC", "Asia/Kolkata", "America/St_Johns", "Pacific/Apia", "Europe/Berlin"].map((TZ) => {
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", built!.text], { env: { TZ }, encoding: "utf8" });
    return { hour: said.slice(0, said.indexOf(" ")), slots: said.slice(said.indexOf(" ")) };
  });

  // That the machine's zone was another one indeed.
  expect(told.map(({ hour }) => hour)).toEqual(["0", "5", "20", "13", "1"]);
  expect(new Set(told.map(({ slots }) => slots)).size).toBe(1);
  expect(told[0]?.slots.length).toBeGreaterThan(5000);
});
