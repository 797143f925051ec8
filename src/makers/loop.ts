// The maker of a worker that is another loop: the engine opens a run of that loop, and never calls this.
import * as z from "zod";
import { LOOP_MAKER } from "../contract/calling.ts";
import { defineMaker } from "../contract/maker.ts";
import { untrustedText } from "../contract/text.ts";

export const loop = defineMaker({
  name: LOOP_MAKER,
  summary: "Stands for another loop that a worker of a team is; it is filled in where a worker names a `loop`.",
  options: z.strictObject({}),
  edit: async (_order, _options, { meter }) => {
    meter.free();
    return { ended: "gave-up", summary: untrustedText("no loop was called: only a worker of a team can be one") };
  },
});
