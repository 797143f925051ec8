// A home on a disk that is full or cannot be written to, for real: a small disk of its own, and a read-only view of the machine.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, inject, it } from "vitest";
import { isOfLinux } from "../support/box.ts";
import { ADA, specOf } from "../support/decisions.ts";
import { inPlace, type Place } from "../support/lw.ts";
import { someOf } from "../support/tries.ts";

const MIB = 1024 * 1024;
const DISK_BYTES = 8 * MIB;
/** From nothing at all to nearly enough: opening, keeping, copying and signing each find no room at one of these. */
const LEFT_KIB = someOf([0, 8, 24, 48, 96, 160, 240, 300, 360, 420], (left) => [0, 48, 160, 300].includes(left));

/** Runs a shell script in a view of the machine; what it prints. */
async function inView(place: Place, view: readonly string[], script: string): Promise<string> {
  const lw = `lw() { "${process.execPath}" "${inject("build").program}" "$@"; }`;
  const env = { PATH: process.env.PATH, HOME: `${place.dir}/user`, LOOPWRIGHT_HOME: place.home, LOOPWRIGHT_TEST_PLACE: place.dir };
  const args = ["--bind", "/", "/", "--dev-bind", "/dev", "/dev", ...view, "/bin/sh", "-c", `${lw}\n${script}`];
  const { stdout } = await promisify(execFile)("bwrap", args, { env, cwd: place.dir, maxBuffer: 64 * MIB });
  return stdout;
}

describe.runIf(isOfLinux)("a home on a disk of its own", () => {
  it("that is full is never a bug, says what to do, loses nothing, and goes on when there is room", () =>
    inPlace(async (place) => {
      const base = place.repo.commit("start", { files: { "docs/value.txt": "wrong\n", "docs/large.txt": "x".repeat(60_000) } });
      place.repo.git("checkout", "--quiet", "--detach");
      const spec = specOf(place, { check: () => "grep -x right docs/value.txt; head -c 30000 /dev/urandom" });
      place.write("home/.keep", "");
      const fill = (leftKib: number): string =>
        `left=$(df -k --output=avail "$LOOPWRIGHT_HOME" | tail -1); head -c $(( (left - ${leftKib}) * 1024 )) /dev/zero >"$LOOPWRIGHT_HOME/filler"`;
      const tries = LEFT_KIB.flatMap(
        (left) =>
          [
            [left, `run --again ${spec}`],
            [left, `approve fix ${ADA.join(" ")}`],
          ] as const,
      ).map(
        ([left, command]) =>
          `${fill(left)}; lw ${command} >said 2>&1; code=$?; rm "$LOOPWRIGHT_HOME/filler"; hint=$(grep -ci 'room\\|lw resume' said); lw resume >/dev/null 2>&1; echo "$code $hint $? ${command.split(" ")[0]}"; git -C "${place.repo.dir}" update-ref refs/heads/main ${base}`,
      );

      const said = await inView(
        place,
        ["--size", `${DISK_BYTES}`, "--tmpfs", place.home],
        // What is broken once stays so: looked at last, it tells of all that was before.
        [`lw run ${spec} >/dev/null 2>&1; echo "$? - - first"`, ...tries, "lw ledger verify >/dev/null || echo BROKEN"].join("\n"),
      );

      const lines = said.trim().split("\n");
      const codes = lines.map((line) => Number(line.split(" ")[0]));
      expect(lines.filter((line) => line === "BROKEN")).toEqual([]);
      expect(codes.filter((code) => code === 70)).toEqual([]);
      // Whatever could not be done then is done once there is room: nothing fails any more, at most it waits for a human.
      expect(lines.slice(1).filter((line) => !/ [09] (run|approve)$/.test(line))).toEqual([]);
      // What found no room said so, and said what to do.
      const failed = lines.filter((line) => line.startsWith("4 "));
      expect(failed.length).toBeGreaterThan(2);
      expect(failed.filter((line) => line.startsWith("4 0 "))).toEqual([]);
    }));

  it("that cannot be written to can be looked at", () =>
    inPlace(async (place) => {
      place.repo.commit("start", { files: { "docs/value.txt": "wrong\n" } });
      const spec = specOf(place);
      await place.lw(["run", spec]);
      await place.lw(["add", spec, ...ADA]);
      const commands = ["status", "inbox", "show fix", "loops", "schedule", "schedule fix --why", "tick --now 2031-01-01T00:00:00Z"];
      const before = await Promise.all(commands.slice(0, -2).map(async (command) => (await place.json(command.split(" "))).said));

      const look = [...commands, "doctor", `run ${spec}`].map((command) => `lw ${command} --json 2>/dev/null; echo ",$?,"`);
      const said = await inView(place, ["--ro-bind", place.home, place.home], `echo '['; ${look.join("; ")}; echo 'null]'`);

      const answers: readonly unknown[] = JSON.parse(said);
      const exits = answers.filter((_, index) => index % 2 === 1);
      const seen = answers.filter((_, index) => index % 2 === 0);
      expect(seen.slice(0, before.length)).toEqual(before);
      expect(seen.slice(before.length, commands.length)).toMatchObject([{ loop: "fix" }, { problems: [] }]);
      expect(exits.slice(0, commands.length)).toEqual(commands.map(() => 0));
      const [doctor, refused] = JSON.parse(JSON.stringify(seen.slice(commands.length)));
      const store = doctor.checks.find(({ name }: { readonly name: string }) => name === "store");
      expect([store.result, store.detail]).toEqual(["missing", expect.stringContaining("it can be read, and no loop can run")]);
      expect([exits[commands.length] === 0, refused.error.code, exits[commands.length + 1]]).toEqual([false, "store-unusable", 4]);
    }));
});
