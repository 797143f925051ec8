// lw key: shows, exports or rotates the key that receipts are signed with.
import { rotateKey } from "../../app/records/sign.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { columns } from "../print/paint.ts";
import { deciderOf } from "../who.ts";
import { withHouse } from "../with-house.ts";

export const key: Command = (call) => {
  switch (call.args[0]) {
    case "show":
      return showKeys(call);
    case "export":
      return exportKeys(call);
    case "rotate":
      return rotate(call);
    default:
      throw new LoopError("bad-input", `lw key ${call.args[0]} is not a command`, {
        retry: "never",
        hint: "Write lw key show, lw key export or lw key rotate.",
      });
  }
};

const showKeys = (call: Call): Promise<ExitName> =>
  withHouse(call, async (house) => {
    house.signing.keys.signer(house.world.clock.now().toISOString());
    const ring = house.signing.keys.ring();
    if (ring.kind === "broken")
      throw new LoopError("store-unusable", `the key ring is broken in line ${ring.line}: ${ring.why}`, {
        retry: "never",
        hint: "Put back a copy of `keys/ring.jsonl` in loopwright's home.",
      });
    const keys = ring.keys.map(({ keyid, since, until }) => ({ keyid, since, until: until ?? null }));
    if (wantsJson(call)) printJson(call, { keys });
    else
      call.io.out(
        `${columns(keys.map(({ keyid, since, until }) => [keyid, `since ${since}`, until ? `until ${until}` : "in use"])).join("\n")}\n`,
      );
    return "done";
  });

/** The public halves only. */
const exportKeys = (call: Call): Promise<ExitName> =>
  withHouse(call, async (house) => {
    house.signing.keys.signer(house.world.clock.now().toISOString());
    const ring = house.signing.keys.ring();
    const keys = ring.kind === "whole" ? ring.keys : [];
    const wanted = call.options.all ? keys : keys.slice(-1);
    if (wantsJson(call)) printJson(call, { keys: wanted.map(({ keyid, pem }) => ({ keyid, pem })) });
    else call.io.out(wanted.map(({ pem }) => pem).join(""));
    return "done";
  });

const rotate = (call: Call): Promise<ExitName> =>
  withHouse(call, async (house) => {
    const { from, to } = await rotateKey(house, deciderOf(call).by, () => {});
    if (wantsJson(call)) printJson(call, { from, to });
    else
      call.io.out(
        `${to} signs from now on, and ${from} has signed that.\n  Give those who check your receipts the new key: lw key export\n`,
      );
    return "done";
  });
