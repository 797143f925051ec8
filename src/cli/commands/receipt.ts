// lw receipt: shows, exports, verifies or signs once more the proof of a run.
import { resolve } from "node:path";
import { inputs } from "../../app/open-inputs.ts";
import { keysIn, readReceiptFile, repositoryAt, sigstoreFor, writeReceiptFile } from "../../app/open-receipts.ts";
import { type Against, findReceipt, type ReceiptVerification, trustedKeys, verifyReceipt } from "../../app/records/receipts.ts";
import { PUBLIC_SIGSTORE, signWithSigstore, verifySigstore } from "../../app/records/sigstore.ts";
import { environmentOf } from "../../contract/around.ts";
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
  if (asked === undefined || (action !== "show" && action !== "export" && action !== "verify" && action !== "sign"))
    throw new LoopError("bad-input", `lw receipt ${call.args.join(" ")} is not complete`, {
      retry: "never",
      hint: "Write lw receipt show|export|verify|sign, and a run, a loop, a commit or a file.",
    });
  if (action === "export") return exportReceipt(call, asked);
  if (action === "sign") return signReceipt(call, asked);
  if (action === "verify" && call.options.sigstore !== undefined) return verifyBundle(call, asked);
  return lookAt(call, asked, async (verification) => {
    if (action === "show") show(call, verification);
    else tell(call, verification);
    return EXITS[verification.kind];
  });
};

function tell(call: Call, verification: ReceiptVerification): void {
  if (wantsJson(call)) printJson(call, verification);
  else call.io.out(tellVerification(verification, createPaint(call.io.outColor)));
}

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

/** A job lends its name only to what this home, or whoever's key was given, has signed before. */
function signReceipt(call: Call, asked: string): Promise<ExitName> {
  const { options, io } = call;
  if (options.sigstore !== true)
    throw new LoopError("bad-input", "a receipt is signed with this home's key when it is made", {
      retry: "never",
      hint: "Write lw receipt sign RUN --sigstore to sign it with the identity of this CI job as well.",
    });
  const { fulcioUrl = PUBLIC_SIGSTORE.fulcioUrl, rekorUrl = PUBLIC_SIGSTORE.rekorUrl, out } = options;
  return lookAt(call, asked, async (verification, text) => {
    if (verification.kind !== "genuine") {
      tell(call, verification);
      return EXITS[verification.kind];
    }
    const signing = await signWithSigstore(sigstoreFor(environmentOf(call.env)), text, {
      fulcioUrl: String(fulcioUrl),
      rekorUrl: String(rekorUrl),
    });
    if (signing.kind === "unsigned") {
      if (wantsJson(call)) printJson(call, { signed: false, why: signing.why, hint: signing.hint });
      io.err(`lw: not signed through Sigstore: ${signing.why}\n    ${signing.hint}\n`);
      return "cannotVerify";
    }
    const { bundle, logIndex } = signing;
    if (out !== undefined) await writeReceiptFile(resolve(io.cwd, String(out)), bundle);
    if (wantsJson(call)) printJson(call, { signed: true, logIndex, bundle: out === undefined ? JSON.parse(bundle) : String(out) });
    else if (out === undefined) io.out(bundle);
    io.err(`lw: signed through Sigstore, entry ${logIndex} of the log; it is worth something once it was verified\n`);
    return "done";
  });
}

/** Whom to expect is said by the one who asks. Nothing of this machine is looked at but files, and the repository. */
async function verifyBundle(call: Call, asked: string): Promise<ExitName> {
  const { options, io } = call;
  const path = (value: unknown): string | undefined => (typeof value === "string" ? resolve(io.cwd, value) : undefined);
  const bundle = path(options.sigstore);
  if (bundle === undefined)
    throw new LoopError("bad-input", "--sigstore names no bundle", { retry: "never", hint: "Write --sigstore FILE after verify." });
  const [identity, issuer] = [options.identity, options.issuer].map((value) => (value === undefined ? undefined : String(value)));
  const keys = await keysIn(listed(options.key).map((file) => resolve(io.cwd, file)));
  const against = { repo: repoOf(call), commit: options.commit === undefined ? undefined : String(options.commit), journal: undefined };
  const text = await readReceiptFile(resolve(io.cwd, asked));
  const verification = await verifySigstore(
    inputs,
    text,
    { bundle, identity, issuer, trustedRoot: path(options.trustedRoot) },
    keys,
    against,
  );
  tell(call, verification);
  return EXITS[verification.kind];
}

/** With a key, nothing of this machine is looked at but the file and the repository. */
async function lookAt(
  call: Call,
  asked: string,
  then: (verification: ReceiptVerification, text: string) => Promise<ExitName>,
): Promise<ExitName> {
  const { options, io } = call;
  const files = listed(options.key);
  const against = { repo: repoOf(call), commit: options.commit === undefined ? undefined : String(options.commit) };
  if (files.length > 0) {
    const text = await readReceiptFile(resolve(io.cwd, asked));
    const keys = await keysIn(files.map((file) => resolve(io.cwd, file)));
    return then(await verifyReceipt(text, keys, { ...against, journal: undefined }), text);
  }
  return withHouse(call, async (house) => {
    const { text, commit = against.commit } = await findReceipt(house, asked, io.cwd);
    const keys = await trustedKeys(house, [], io.cwd);
    return then(await verifyReceipt(text, keys, { ...against, commit, journal: house.journal }), text);
  });
}

const repoOf = ({ options, io, env }: Call): Against["repo"] =>
  options.repo === undefined ? undefined : repositoryAt(resolve(io.cwd, String(options.repo)), environmentOf(env));

const listed = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
