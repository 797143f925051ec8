// Files of the Loop Specification Standard, as the command line takes them.
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
