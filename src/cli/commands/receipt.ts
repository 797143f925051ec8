import { resolve } from "node:path";
import {
  type Against,
  findReceipt,
  type ReceiptVerification,
  readKeyFiles,
  readReceiptFile,
  repositoryAt,
  trustedKeys,
  verifyReceipt,
  writeReceiptFile,
} from "../../app/receipts.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { createPaint } from "../print/paint.ts";
import { tellReceipt, tellVerification } from "../print/tell-receipt.ts";
import { withHouse } from "../with-house.ts";

const EXITS: { readonly [kind in ReceiptVerification["kind"]]: ExitName } = {
  genuine: "done",
  "not-checked": "cannotVerify",
  refused: "tampering",
};

export const receipt: Command = (call) => {
  const [action, asked] = call.args;
  if (asked === undefined || (action !== "show" && action !== "export" && action !== "verify"))
    throw new LoopError("bad-input", `lw receipt ${call.args.join(" ")} is not complete`, {
      retry: "never",
      hint: "Write lw receipt show|export|verify, and a run, a loop, a commit or a file.",
    });
  if (action === "export") return exportReceipt(call, asked);
  return lookAt(call, asked, (verification) => {
    if (action === "show") show(call, verification);
    else if (wantsJson(call)) printJson(call, verification);
    else call.io.out(tellVerification(verification, createPaint(call.io.outColor)));
    return EXITS[verification.kind];
  });
};

function show(call: Call, verification: ReceiptVerification): void {
  if (wantsJson(call)) printJson(call, verification.receipt ?? { notChecked: verification.why, claims: verification.claims ?? null });
  else call.io.out(tellReceipt(verification, createPaint(call.io.outColor)));
}

const exportReceipt = (call: Call, asked: string): Promise<ExitName> =>
  withHouse(call, async (house) => {
    const { text } = await findReceipt(house, asked, call.io.cwd);
    const { out } = call.options;
    if (out === undefined) call.io.out(text);
    else await writeReceiptFile(resolve(call.io.cwd, String(out)), text);
    return "done";
  });

/** With a key, nothing of this machine is looked at but the file and the repository. */
async function lookAt(call: Call, asked: string, then: (verification: ReceiptVerification) => ExitName): Promise<ExitName> {
  const { options, io } = call;
  const files = listed(options.key);
  const against = { repo: repoOf(call), commit: options.commit === undefined ? undefined : String(options.commit) };
  if (files.length > 0) {
    const text = await readReceiptFile(resolve(io.cwd, asked));
    const keys = await readKeyFiles(files.map((file) => resolve(io.cwd, file)));
    return then(await verifyReceipt(text, keys, { ...against, journal: undefined }));
  }
  return withHouse(call, async (house) => {
    const { text, commit = against.commit } = await findReceipt(house, asked, io.cwd);
    const keys = await trustedKeys(house, [], io.cwd);
    return then(await verifyReceipt(text, keys, { ...against, commit, journal: house.journal }));
  });
}

const repoOf = ({ options, io }: Call): Against["repo"] =>
  options.repo === undefined ? undefined : repositoryAt(resolve(io.cwd, String(options.repo)));

const listed = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
