// Whether the hosts that a spec lists are such: said when it is read, and not only when a box is made.
import * as z from "zod";
import { parseOrigin, parseRule } from "../std/egress-rules.ts";
import type { Complaint } from "./complaints.ts";

const Listing = z.object({
  box: z.object({
    maker: z.object({
      network: z.object({
        allow: z.array(z.unknown()).optional(),
        credentials: z.array(z.object({ to: z.unknown() }).catch({ to: undefined })).optional(),
      }),
    }),
  }),
});

const FIELD = ["box", "maker", "network"] as const;

export function hostsAreSound(value: unknown): readonly Complaint[] {
  const { allow = [], credentials = [] } = Listing.safeParse(value).data?.box.maker.network ?? {};
  return [
    ...allow.flatMap((text, index) =>
      typeof text === "string" && parseRule(text) === undefined
        ? [
            {
              path: [...FIELD, "allow", index],
              about: "value" as const,
              problem: "is not a host that can be listed",
              instead: "Write `host`, `host:port`, or `*.host` with a dot in it; addresses in their plain form, those of IPv6 in brackets.",
            },
          ]
        : [],
    ),
    ...credentials.flatMap(({ to }, index) =>
      typeof to === "string" && parseOrigin(to) === undefined
        ? [
            {
              path: [...FIELD, "credentials", index, "to"],
              about: "value" as const,
              problem: "is not where a credential may go",
              instead: "Write https:// and a host; http:// only for 127.0.0.1, [::1] or localhost.",
            },
          ]
        : [],
    ),
  ];
}
