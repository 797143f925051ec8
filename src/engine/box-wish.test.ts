import { describe, expect, it } from "vitest";
import type { BoxFact } from "../contract/commands.ts";
import { LoopSpec } from "../contract/spec.ts";
import type { Verify } from "../contract/verifier.ts";
import { leastOf, makerWish, verifierWish } from "./box-wish.ts";

const specWith = (about: object): LoopSpec =>
  LoopSpec.parse({ name: "fix", intent: "Fix.", level: "L2", maker: { use: "shell" }, verifiers: [{ use: "command" }], ...about });
const holdout: Verify = {
  name: "holdout",
  kind: "proof",
  brings: ["../holdout"],
  proves: "commit",
  verify: () => Promise.reject(new Error("not run here")),
};
const matterOf = (about: object = {}) => ({
  opened: { spec: specWith(about), repo: "/repo", folder: "/specs" },
  crew: { verifiers: [holdout] },
});
const workspace = { work: "/r/work", home: "/r/home", brief: "/r/brief.md", usage: "/r/told/usage.json", borrows: ["/repo/.git/objects"] };
const clean = { kind: "clean" } as const;
const tainted = { kind: "tainted", by: ["commits"] } as const;

describe("the box of a maker", () => {
  it("opens its copy, shows its brief and what it borrows, and hides the hold-outs", () => {
    expect(makerWish(workspace, clean, matterOf())).toEqual({
      part: "maker",
      when: "available",
      network: "open",
      rooms: ["/r/work", "/r/home", "/r/told"],
      needs: ["/r/brief.md", "/repo/.git/objects", "/specs"],
      reads: [],
      writes: [],
      makes: [],
      covers: ["/repo"],
      hidden: ["../holdout"],
      folder: "/specs",
    });
  });

  it("hides the target from a copy that borrows nothing, since that one was made without some of its files", () => {
    const apart = { ...workspace, borrows: [] };
    const within = { ...matterOf(), opened: { ...matterOf().opened, folder: "/repo/loops" } };

    expect(makerWish(apart, clean, matterOf())).toMatchObject({ needs: ["/r/brief.md", "/specs"], hidden: ["../holdout", "/repo"] });
    expect(makerWish(apart, clean, within)).toMatchObject({ needs: ["/r/brief.md"], hidden: ["../holdout", "/repo"] });
  });

  it("leaves open where the agent that is driven keeps its login", () => {
    const { opened, crew } = matterOf({ box: { maker: { writes: ["~/notes"] } } });
    const make = { proposes: "commit", keeps: ["~/.agent", "~/.agent.json"], edit: () => Promise.reject(new Error("not here")) } as const;

    expect(makerWish(workspace, clean, { opened, crew: { ...crew, make } })).toMatchObject({
      writes: ["~/notes", "~/.agent", "~/.agent.json"],
      makes: ["~/.agent"],
    });
  });

  it("is as the spec says, and has no network once outsiders' text was read", () => {
    const box = { maker: { when: "required", writes: ["~/.agent"] } };

    expect(makerWish(workspace, clean, matterOf({ box }))).toMatchObject({ when: "required", network: "open", writes: ["~/.agent"] });
    expect(makerWish(workspace, tainted, matterOf({ box }))).toMatchObject({ network: "closed" });
    expect(makerWish(workspace, tainted, matterOf({ box, outsiders: { network: "open" } }))).toMatchObject({ network: "open" });
    expect(makerWish(workspace, clean, matterOf({ box: { maker: { when: "off" } } }))).toBe(undefined);
  });

  it("keeps it to the hosts of the spec and of its agent's model, and closes that too once outsiders' text was read", () => {
    const network = { allow: ["packages.example.com"], credentials: [] };
    const { opened, crew } = matterOf({ box: { maker: { network } } });
    const make = {
      proposes: "commit",
      hosts: ["api.example.com", "packages.example.com"],
      edit: () => Promise.reject(new Error("not here")),
    } as const;
    const matter = { opened, crew: { ...crew, make } };

    expect(makerWish(workspace, clean, matterOf({ box: { maker: { network } } }))).toMatchObject({ network });
    expect(makerWish(workspace, clean, matter)).toMatchObject({ network: { allow: ["packages.example.com", "api.example.com"] } });
    expect(makerWish(workspace, tainted, matter)).toMatchObject({ network: "closed" });
  });

  it("takes no list of hosts where there is to be no box", () => {
    expect(() => specWith({ box: { maker: { when: "off", network: { allow: [] } } } })).toThrow(/only where there may be a box/);
  });

  it("is the usual one for a run that was opened before there was a box", () => {
    const { opened, crew } = matterOf();
    const { box: _, ...old } = opened.spec;

    // What the journal holds of an older run has fewer fields than the type says.
    expect(makerWish(workspace, clean, { opened: { ...opened, spec: old as LoopSpec }, crew })).toMatchObject({ when: "available" });
  });
});

describe("the box of a verifier", () => {
  const rooms = [
    { work: "/r/check-1/work", home: "/r/check-1/home", borrows: ["/r/store.git/objects"] },
    { work: "/r/check-1-room-1/work", home: "/r/check-1-room-1/home" },
  ];

  it("opens only the room that the command runs in, and no network", () => {
    expect(verifierWish(rooms, "/r/check-1/work/packages/a", matterOf())).toEqual({
      part: "verifiers",
      when: "available",
      network: "closed",
      rooms: ["/r/check-1/work", "/r/check-1/home"],
      needs: ["/r/store.git/objects", "/specs"],
      reads: [],
      writes: [],
      covers: ["/repo"],
      hidden: ["../holdout"],
      folder: "/specs",
    });
    expect(verifierWish(rooms, "/r/check-1-room-1/work", matterOf())).toMatchObject({
      rooms: ["/r/check-1-room-1/work", "/r/check-1-room-1/home"],
    });
  });

  it("opens nothing for a command that runs elsewhere", () => {
    expect(verifierWish(rooms, "/r/check-1/work-of-another", matterOf())).toMatchObject({ rooms: [] });
  });
});

describe("the least that was enforced", () => {
  const boxed = (about: object = {}): BoxFact => ({ kind: "bubblewrap", network: "closed", writes: [], hides: ["/a", "/b"], ...about });
  const none: BoxFact = { kind: "none", why: "no" };

  it.each<readonly [string, readonly BoxFact[], BoxFact]>([
    ["of no commands is that there were none", [], { kind: "unused" }],
    ["of one is that one", [boxed()], boxed()],
    ["is none where one had none", [boxed(), none, boxed()], none],
    [
      "is an open network, every place to write, and what was always hidden",
      [boxed({ hides: ["/a"] }), boxed({ network: "open", writes: ["/w"] })],
      boxed({ network: "open", writes: ["/w"], hides: ["/a"] }),
    ],
    [
      "is every host that one of them reached",
      [boxed(), boxed({ network: "listed", reaches: ["a:1"] }), boxed({ network: "listed", reaches: ["b:2", "a:1"] })],
      boxed({ network: "listed", reaches: ["a:1", "b:2"] }),
    ],
    [
      "is an open network where one was open",
      [boxed({ network: "listed", reaches: ["a:1"] }), boxed({ network: "open" })],
      boxed({ network: "open" }),
    ],
  ])("%s", (_, facts, least) => {
    expect(leastOf(facts)).toEqual(least);
  });
});
