// Files of the Loop Specification Standard, as the command line takes them.
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { OLD_LSS, SOUND_LSS } from "../support/lss.ts";
import { inPlace } from "../support/lw.ts";

it("validates files of the standard beside ours, by their shape, with places and rules", () =>
  inPlace(async (place) => {
    place.write("sound.yaml", SOUND_LSS);
    place.write("broken.yaml", SOUND_LSS.replace("primary: true, ", ""));
    place.write("old.yaml", OLD_LSS);
    place.write("banana.yaml", '{metadata: {schema_version: "1.1"}, banana: 1}\n');

    const sound = await place.lw(["validate", "sound.yaml"]);
    const broken = await place.lw(["validate", "broken.yaml"]);
    const { said, exit } = await place.json(["validate", "old.yaml", "banana.yaml"]);

    expect(sound).toEqual({ exit: 0, stdout: "sound.yaml: ok (LSS 1.0)\n", stderr: "" });
    expect(broken).toEqual({
      exit: 64,
      stdout: "broken.yaml:47:3  metrics: none of them is primary. Write `primary: true` on the one that counts. [one-primary-metric]\n",
      stderr: "broken.yaml: LSS 1.0. As the standard counts: 1 by the rules.\n",
    });
    expect(exit).toBe(64);
    expect(said.files.map(({ dialect, problems }: { dialect: unknown; problems: unknown[] }) => [dialect, problems.length])).toEqual([
      [
        {
          name: "lss",
          form: "LSS before 1.0",
          note: "As the standard counts: 14 by the schema of LSS 1.0. It is the list dialect from before the schema.",
        },
        14,
      ],
      [{ name: "lss", form: "LSS 1.1", note: "As the standard counts: 13 by the schema of LSS 1.0." }, 13],
    ]);
  }));

it("imports a file of the standard as a spec that validates, says what became of it, and exports it back", () =>
  inPlace(async (place) => {
    place.write("old.yaml", OLD_LSS);

    const asked = await place.lw(["import", "old.yaml"]);
    const imported = await place.lw([
      "import",
      "old.yaml",
      "--use",
      "claude-code",
      "--test",
      "npm test",
      "--commits",
      "--out",
      "mend.loop.yaml",
    ]);
    const validated = await place.lw(["validate", "mend.loop.yaml"]);
    const back = await place.lw(["export", "mend.loop.yaml", "--to", "lss", "--out", "mend.lss.json"]);
    const again = await place.lw(["validate", "mend.lss.json"]);
    const min = await place.lw(["export", "mend.lss.json", "--to", "lss", "--form", "min", "--out", "mend.min.json"]);
    const cut = await place.lw(["validate", "mend.min.json"]);

    expect([asked.exit, asked.stdout]).toEqual([64, ""]);
    expect(asked.stderr).toMatch(/^asked .* old\.yaml:5:5 {2}workers\[0\]: who does this\? Say it with --use/m);
    expect(asked.stderr).toMatch(/^asked .* how are the tests run\? Say it with --test/m);
    expect(imported.stderr).toMatch(/^lost .* old\.yaml:/m);
    expect([imported.exit, imported.stdout]).toEqual([9, ""]);
    expect(place.read("mend.loop.yaml")).toMatch(/^# Imported from old\.yaml \(LSS before 1\.0\)\.\n# It does not say everything/);
    expect([validated.exit, validated.stdout]).toEqual([0, "mend.loop.yaml: ok\n"]);
    expect([back.exit, again.stdout]).toEqual([0, "mend.lss.json: ok (LSS 1.0)\n"]);
    expect([min.exit, cut.stdout]).toEqual([0, "mend.min.json: ok (LSS-min)\n"]);
  }));

it("runs no file that says more than it would be held to, and takes nothing for a spec of ours that is said of others", () =>
  inPlace(async (place) => {
    place.write("two.yaml", SOUND_LSS.replace("type: secret_scan, scope: post_worker", "type: human_gate, scope: pre_worker"));
    place.write("ours.loop.yaml", "name: ours\nintent: x\nlevel: L2\nmaker: {use: scripted}\nverifiers: []\n");

    const theirs = await place.lw(["run", "two.yaml"]);
    const ours = await place.lw(["run", "ours.loop.yaml", "--test", "npm test"]);

    expect([theirs.exit, theirs.stdout]).toEqual([64, ""]);
    expect(theirs.stderr).toMatch(
      /^two\.yaml:\d+:\d+ {2}safety_constraints\[1\]: cannot be run as it is: a person decides about what is proposed/m,
    );
    expect([ours.exit, ours.stderr]).toEqual([64, expect.stringContaining("is a spec of ours")]);
  }));

/** A sequence of two loops, beside it. */
const COMPOSED = `${SOUND_LSS}composition:
  type: sequential
  children:
    - {id: first, ref: one.yaml}
    - {id: second, ref: two.yaml}
  adapters:
    - {from: children.first.outputs.writer, to: children.second.inputs.changes}
`;

it("reads what a file refers to from beside it or from a library, and nothing that leads elsewhere or back to itself", () =>
  inPlace(async (place) => {
    const withSchema = (ref: string) => SOUND_LSS.replace("format: json}", `format: json, schema_ref: ${ref}}`);
    place.write("in/sound.yaml", withSchema("schemas/sorted.json"));
    place.write("in/outside.yaml", withSchema("../secret.json"));
    place.write("in/linked.yaml", withSchema("linked.json"));
    place.write("in/strange.yaml", withSchema("strange.json"));
    place.write("in/strange.json", '{"type": "object", "$ref": "https://example.com/x"}');
    place.write("secret.json", '{"type": "object"}');
    symlinkSync(join(place.dir, "secret.json"), join(place.dir, "in/linked.json"));
    place.write("library/schemas/sorted.json", '{"type": "object", "required": ["seen"]}');
    place.write("in/whole.yaml", COMPOSED.replace("two.yaml", "sub/two.yaml"));
    place.write("in/one.yaml", SOUND_LSS);
    place.write("in/sub/two.yaml", COMPOSED.replace("one.yaml", "../one.yaml").replace("two.yaml", "../whole.yaml"));
    place.write("in/apart.yaml", COMPOSED);
    place.write("in/two.yaml", SOUND_LSS.replace("primary: true, ", ""));

    const fates = async (file: string, ...more: readonly string[]) => {
      const { said } = await place.json(["import", `in/${file}.yaml`, ...more]);
      return said.fates.filter(({ path }: { readonly path: string }) => path === "workers[0].outputs.schema_ref");
    };
    const [alone] = await fates("sound");
    const [found] = await fates("sound", "--library", "library");
    const [any] = await fates("sound", "--set", "sorter.schema=any");
    const [outside] = await fates("outside");
    const [linked] = await fates("linked");
    const [strange] = await fates("strange");
    const { said: spec } = await place.json(["import", "in/sound.yaml", "--library", "library"]);
    const circle = await place.lw(["validate", "in/whole.yaml"]);
    const unsound = await place.lw(["validate", "in/apart.yaml"]);

    expect([alone.kind, found.kind, any.kind]).toEqual(["asked", "translated", "translated"]);
    expect(alone.why).toContain('"schemas/sorted.json" lies neither below this file\'s folder nor in a library');
    expect(spec.spec.team.workers.sorter.gives).toEqual({ as: "json", schema: { type: "object", required: ["seen"] } });
    expect([outside.kind, linked.kind, strange.kind]).toEqual(["asked", "asked", "lost"]);
    expect(strange.why).toContain('has "$ref", which is not checked here');
    expect([circle.exit, circle.stdout]).toEqual([
      64,
      expect.stringMatching(
        /composition\.children\[1\]\.ref: sub\/two\.yaml is not sound: .*it leads back to itself: whole\.yaml -> sub\/two\.yaml -> whole\.yaml/,
      ),
    ]);
    expect([unsound.exit, unsound.stdout]).toEqual([
      64,
      expect.stringContaining("two.yaml is not sound: 1 problem(s), the first in line 47"),
    ]);
  }));

it("looks for what a file refers to in a library too when it only checks it", () =>
  inPlace(async (place) => {
    place.write("loop.yaml", SOUND_LSS.replace("format: json}", "format: json, schema_ref: sorted.json}"));
    place.write("lib/sorted.json", '{"type": "object"}');

    const without = await place.json(["validate", "loop.yaml"]);
    const within = await place.json(["validate", "loop.yaml", "--library", "lib"]);

    expect([without.exit, without.said.warnings?.length ?? without.said.files?.[0]?.warnings?.length]).toEqual([0, 1]);
    expect([within.exit, within.said.warnings?.length ?? within.said.files?.[0]?.warnings?.length]).toEqual([0, 0]);
  }));
