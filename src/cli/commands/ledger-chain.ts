// `lw ledger verify`, `export` and `checkpoint`: the chain itself.
import { resolve } from "node:path";
import { inputs } from "../../app/open-inputs.ts";
import { exportChainTo } from "../../app/open-outputs.ts";
import { keysIn } from "../../app/open-receipts.ts";
import { exportChain } from "../../app/records/export-chain.ts";
import { trustedKeys } from "../../app/records/receipts.ts";
import { makeCheckpoint } from "../../app/records/sign.ts";
import { type ChainFileCheck, verifyChainFiles } from "../../app/records/verify-chain-files.ts";
import { verifyWhole, type WholeVerification } from "../../app/records/verify-whole.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import type { PublicKey } from "../../std/ed25519.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { createPaint } from "../print/paint.ts";
import { withHouse } from "../with-house.ts";

export const verifyLedger: Command = async (call) => {
  const keyFiles = [call.options.key ?? []].flat().map((file) => resolve(call.io.cwd, String(file)));
  if (call.args.length === 0 && keyFiles.length > 0) throw keysWithoutFile();
  if (call.args.length === 0) return verifyOwn(call);
  if (keyFiles.length > 0) return verifyFiles(call, await keysIn(keyFiles));
  return withHouse(call, async (house) => verifyFiles(call, await trustedKeys(house, [], call.io.cwd)));
};

const EXITS: { readonly [kind in WholeVerification["kind"]]: ExitName } = { whole: "done", empty: "cannotVerify", broken: "tampering" };

const verifyOwn = (call: Call): Promise<ExitName> =>
  withHouse(call, async (house) => {
    const verification = await verifyWhole(house);
    if (wantsJson(call)) printJson(call, verification);
    else tellHome(call, verification);
    return EXITS[verification.kind];
  });

function tellHome(
  { io }: Call,
  { kind, entries, signedUpTo, checkpoints, receipts, artifacts, problems, notChecked, firstBad }: WholeVerification,
): void {
  const paint = createPaint(io.outColor);
  const counts = `${entries} records, ${checkpoints} checkpoints, ${receipts} receipts, ${artifacts} artifacts`;
  const banner = {
    whole: paint("green", "whole"),
    empty: paint("yellow", "NOTHING ON RECORD"),
    broken: paint("red", "BROKEN"),
  }[kind];
  const lines = [
    `${banner}  ${counts}`,
    ...(kind === "whole" ? [`  signed up to record ${signedUpTo}; what came after it is held by the marks beside the journal only`] : []),
    ...(firstBad === undefined ? [] : [`  the first bad record is ${firstBad}`]),
    ...problems.map(({ what, why }) => `  ${paint("red", "✗")} ${what}: ${why}`),
    ...notChecked.map((what) => `  ${paint("yellow", "not checked")}: ${what}`),
  ];
  io.out(`${lines.join("\n")}\n`);
}

async function verifyFiles(call: Call, keys: readonly PublicKey[]): Promise<ExitName> {
  const paths = call.args.map((path) => (path === "-" ? path : resolve(call.io.cwd, path)));
  const checks = await verifyChainFiles(inputs, paths, keys, call.io.input);
  if (wantsJson(call)) printJson(call, { files: checks });
  else call.io.out(`${checks.map((check) => tellFile(call, check)).join("\n")}\n`);
  if (checks.some(({ chain }) => chain.kind === "broken")) return "tampering";
  return checks.every(({ chain }) => chain.kind === "whole") ? "done" : "cannotVerify";
}

function tellFile({ io }: Call, { path, chain }: ChainFileCheck): string {
  const paint = createPaint(io.outColor);
  switch (chain.kind) {
    case "whole":
      return `${paint("green", "whole")}  ${path}: ${chain.entries} records, signed at ${chain.checkpoint.at}`;
    case "foreign":
      return `${paint("yellow", "NOT CHECKED")}  ${path}: ${chain.entries} records fit together, but they are signed with ${chain.keyids.map((id) => id.slice(0, 16)).join(", ")}, a key that was not given`;
    case "broken":
      return `${paint("red", "BROKEN")}  ${path}: at record ${chain.at}: ${chain.why}`;
  }
}

export const exportLedger: Command = (call) =>
  withHouse(call, async (house) => {
    const { out } = call.options;
    if (out !== undefined) {
      if ((await exportChainTo(house, resolve(call.io.cwd, String(out)))) === 0) throw nothingYet();
      return "done";
    }
    let isEmpty = true;
    for await (const text of exportChain(house)) {
      isEmpty = false;
      call.io.out(text);
    }
    if (isEmpty) throw nothingYet();
    return "done";
  });

export const checkpointLedger: Command = (call) =>
  withHouse(call, async (house) => {
    const made = await makeCheckpoint(house, () => {});
    if (!made) throw nothingYet();
    const { checkpoint, anchors, failed } = made.record;
    if (wantsJson(call)) printJson(call, made.record);
    else {
      call.io.out(`signed up to record ${checkpoint.seq} of ${checkpoint.chain}\n  written to: ${anchors.join(", ")}\n`);
      for (const { anchor, why } of failed) call.io.err(`lw: not written to ${anchor}: ${why}\n`);
    }
    return failed.length > 0 ? "later" : "done";
  });

/** `--key` takes what follows it: a file meant to be verified must not be taken for a second key, and this home told to be whole instead. */
const keysWithoutFile = (): LoopError =>
  new LoopError("bad-input", "--key is for exported chains, and none is named", {
    retry: "never",
    hint: "Write the file first: lw ledger verify journal.jsonl --key loopwright.pub; without --key, this home is verified.",
  });

const nothingYet = (): LoopError =>
  new LoopError("bad-input", "nothing is on record yet", { retry: "never", hint: "Run a loop first, for example with `lw demo`." });
