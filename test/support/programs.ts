// Programs that some tests need beside Node and git; where one is missing, the name of the group says so.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";

export const hasProgram = (name: string): boolean => spawnSync(name, ["--version"], { stdio: "ignore" }).error === undefined;

/** A group of tests that run a program; skipped by name without it. */
export const describeWith = (program: string, name: string, tests: () => void): void => {
  if (hasProgram(program)) describe(name, tests);
  else describe.skip(`${name} (skipped: ${program} is not on the PATH)`, tests);
};

/** A certificate for one host that signs itself, and is good for two days. */
export function makeCertificate(host: string): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "lw-cert-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  try {
    const kind = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    const about = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`, "-keyout", key, "-out", cert];
    execFileSync("openssl", [...kind, ...about], { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
