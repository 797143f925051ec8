import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { alsoGiven } from "./also-given.ts";

const given = [{ name: "PYTHONPATH", first: "/a guard:" }];
const said = (command: string): string => {
  const { run, env } = alsoGiven(command, "qq", given);
  return execFileSync("/bin/sh", ["-c", run], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, PYTHONPATH: "/a guard:had", ...env },
  }).trim();
};

it("stands before what a command gives the variable itself, in quotes and out of them", () => {
  const print = `sh -c 'echo "$PYTHONPATH"'`;

  expect(said(print)).toBe("/a guard:had");
  expect(said(`PYTHONPATH=src ${print}`)).toBe("/a guard:src");
  expect(said(`PYTHONPATH="$PWD/x" ${print}`)).toMatch(/^\/a guard:\/.+\/x$/);
  expect(said(`export PYTHONPATH=src; ${print}`)).toBe("/a guard:src");
  expect(said(`env PYTHONPATH='src' ${print}`)).toBe("/a guard:src");
  expect(said(`sh -c 'PYTHONPATH=src sh -c "echo \\$PYTHONPATH"'`)).toBe("/a guard:src");
});

it("leaves a command alone that gives it no value", () => {
  const run = 'OTHER_PYTHONPATH=1 echo --PYTHONPATH=2 "$PYTHONPATH"';

  expect(alsoGiven(run, "qq", given)).toEqual({ run, env: {} });
});
