import { expect, it } from "vitest";
import type { MachineSettings } from "../app/settings.ts";
import { openMachineFile } from "./machine-file.ts";

it("goes by the settings as they were last read, and says why they cannot be read now", async () => {
  let text = "2";
  const read = async () => {
    if (text === "none") throw new Error("machine.yaml cannot be used: runs");
    return { runs: Number(text) } as MachineSettings; // only this is asked for
  };
  const file = await openMachineFile(read);

  text = "none";
  expect([await file.readAgain(), file.now().runs]).toEqual(["machine.yaml cannot be used: runs", 2]);
  text = "3";
  expect([await file.readAgain(), file.now().runs]).toEqual([undefined, 3]);
});
