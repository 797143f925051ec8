// A loop whose proposal waits for a decision, in a target whose main nobody has checked out.
import { inPlace, type Place } from "./lw.ts";

const RIGHT = { write: { "docs/value.txt": "right\n" } };

interface Wishes {
  readonly level?: string;
  readonly act?: readonly object[];
  readonly gate?: object;
  readonly scenes?: readonly object[];
  readonly alert?: object;
  readonly budget?: object;
  readonly trigger?: object;
  readonly check?: (place: Place) => string;
  readonly recheck?: "always";
}

export const specOf = (
  place: Place,
  {
    level = "L2",
    act = [{ use: "merge" }],
    gate = {},
    scenes = [RIGHT],
    alert = {},
    budget = {},
    trigger = { use: "manual" },
    check = () => "grep -x right docs/value.txt",
    recheck,
  }: Wishes = {},
): string =>
  place.write(
    "fix.loop.json",
    JSON.stringify({
      name: "fix",
      intent: "Make it right.",
      level,
      target: { repo: place.repo.dir, base: "main" },
      maker: { use: "scripted", with: { scenes } },
      verifiers: [{ use: "command", with: { run: check(place) } }],
      baseline: { when: "off" },
      act,
      gate,
      alert,
      budget,
      trigger,
      recheck,
    }),
  );

/** A target whose main nobody has checked out, and a proposal that waits. */
export const withProposal = <T>(
  work: (place: Place, at: { readonly run: string; readonly branch: string; readonly base: string }) => Promise<T>,
  wishes: Wishes = {},
) =>
  inPlace(async (place) => {
    const base = place.repo.commit("start", { files: { "docs/value.txt": "wrong\n" } });
    place.repo.git("checkout", "--quiet", "--detach");
    const { said } = await place.json(["run", specOf(place, wishes)]);
    return work(place, { run: said.run, branch: said.branch, base });
  });

/** The same, made by an L3 loop that somebody lets act alone: what it proposed before that waits, and what it proposes then may go. */
export const withTrusted = <T>(
  work: (place: Place, at: { readonly run: string; readonly branch: string; readonly base: string }) => Promise<T>,
  wishes: Wishes = {},
) =>
  withProposal(
    async (place, { base }) => {
      await place.json(["promote", "fix", "--yes", "--anyway", ...ADA, "--why", "we watched it elsewhere"]);
      const { said } = await place.json(["run", "fix.loop.json", "--again"]);
      return work(place, { run: said.run, branch: said.branch, base });
    },
    { ...wishes, level: "L3" },
  );

export const mainOf = ({ repo }: Place): string => repo.git("rev-parse", "refs/heads/main");
export const ADA = ["--as", "ada"] as const;
