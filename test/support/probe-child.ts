// Runs one command in a box and prints what it said: a process of its own, so that it can be somebody else and inherit what we were given.
import { neverStops } from "../../src/contract/stop.ts";
import { createBox, type LinuxMeans } from "../../src/world/box/box.ts";
import { systemClock } from "../../src/world/machine/clock.ts";
import { thisMachine } from "../../src/world/process/machine-use.ts";
import { createProc } from "../../src/world/process/proc.ts";
import { createArtifacts } from "../../src/world/store/artifacts.ts";

interface Probe {
  readonly ourHome: string;
  readonly userHome: string;
  readonly means: LinuxMeans;
  readonly command: Parameters<ReturnType<typeof createProc>["run"]>[0];
}

const { ourHome, userHome, means, command }: Probe = JSON.parse(process.argv[2] ?? "{}");
const env = { get: (name: string) => ({ HOME: userHome, PATH: command.env.PATH, TMPDIR: process.env.TMPDIR })[name] };
const box = createBox(ourHome, env, { means: [means] });
const proc = createProc(createArtifacts(`${ourHome}/artifacts`), systemClock, neverStops, { box, machine: thisMachine });
const finished = await proc.run(command);
process.stdout.write(JSON.stringify({ end: finished.end, box: finished.box, tail: finished.tail }));
