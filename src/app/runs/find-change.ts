// Finds what a referee judges and by what: the change, the commit it is compared with, and the loop's spec and policy as they are there.
import { join, relative, resolve } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { CheckoutOnDisk } from "../../contract/git.ts";
import type { Beginning, Protection } from "../../contract/referee.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import type { PolicyReading } from "../../guard/command/policy.ts";
import { scriptsIn, whyDraft } from "../../spec/draft-loop.ts";
import { readPolicy } from "../../spec/read-policy.ts";
import { userFolder } from "../home.ts";
import { loadPolicy } from "../hooks/load-policy.ts";
import type { House } from "../open-house.ts";
import { type SpecOnBase, specOnBase, textOnBase, type Where } from "./spec-on-base.ts";

/** What somebody asks a referee to look at. */
export interface ChangeOrder {
  /** Where a loop's name is looked up from. */
  readonly cwd: string;
  readonly base: string | undefined;
  readonly loop: string | undefined;
  /** A commit to judge, instead of what lies in the checkout. */
  readonly head: string | undefined;
}

export const whereOf = (
  { world, registries, texts }: House,
  checkout: CheckoutOnDisk,
  { cwd, loop }: Pick<ChangeOrder, "cwd" | "loop">,
): Where => ({
  checkout,
  cwd,
  asked: loop,
  git: world.git,
  checkouts: world.checkouts,
  registries,
  texts,
});

/** What is judged, and by what. */
export interface Matter {
  readonly head: string;
  /** As it was named, and the commit that it has in common with the head. */
  readonly base: { readonly ref: string; readonly commit: string };
  readonly loaded: SpecOnBase;
  readonly draft: string | undefined;
  /** The policy beside the spec, as it is on base. */
  readonly policy: PolicyReading;
}

export async function findMatter(
  house: House,
  checkout: CheckoutOnDisk,
  order: ChangeOrder,
  begun: Beginning | undefined,
): Promise<Matter> {
  const where: Where = whereOf(house, checkout, order);
  const head = await headOf(checkout, order.head);
  const named = order.base ?? begun?.commit;
  const base = named === undefined ? await baseOfSpec(where, checkout, head) : await commonBase(checkout, named, head);
  const loaded = await specOnBase(where, base.commit);
  // Else the change itself would say what it is compared with.
  if (named === undefined && loaded.spec.target.base !== base.ref)
    throw refusal(
      `the change says what it is compared with: target.base is ${base.ref} in it, and ${loaded.spec.target.base ?? "not there"} on base`,
      SAY_BASE,
    );
  if (loaded.inRepo !== undefined && relative(checkout.root, resolve(loaded.folder, loaded.spec.target.repo)).startsWith(".."))
    throw refusal(
      `the loop ${loaded.spec.name} works on another repository (${loaded.spec.target.repo})`,
      "Name another loop with --loop.",
    );
  const scripts = scriptsIn(await textOnBase(where, base.commit, "package.json"));
  return {
    head,
    base,
    loaded,
    draft: whyDraft(loaded.spec, house.registries, scripts),
    policy: await policyOf(house, where, loaded, base.commit),
  };
}

async function headOf(checkout: CheckoutOnDisk, asked: string | undefined): Promise<string> {
  if (asked === undefined) {
    const head = await checkout.head();
    if (head) return head.commit;
    throw cannotJudge("the repository has no commit yet", "Make a first commit, so that there is something to compare with.");
  }
  const commit = await checkout.resolve(asked);
  if (commit !== undefined) return commit;
  throw missing(asked);
}

const SAY_BASE = "Say it with --base, e.g. --base origin/main, or let `lw referee --begin` write it down before the work.";

async function baseOfSpec(where: Where, checkout: CheckoutOnDisk, head: string): Promise<Matter["base"]> {
  const { spec } = await specOnBase(where, head);
  const ref = spec.target.base;
  if (ref === undefined) throw refusal("nothing says what the change is compared with", SAY_BASE);
  const on = await checkout.head();
  if (on && (on.name === `refs/heads/${ref}` || ref === "HEAD"))
    throw refusal(`the checkout is on ${ref} itself, so that commits of the change would not be seen`, SAY_BASE);
  return commonBase(checkout, ref, head);
}

async function commonBase(checkout: CheckoutOnDisk, ref: string, head: string): Promise<Matter["base"]> {
  const tip = await checkout.resolve(ref);
  if (tip === undefined) throw missing(ref);
  const commit = await checkout.mergeBase(tip, head);
  if (commit !== undefined) return { ref, commit };
  throw cannotJudge(
    `${ref} and ${head.slice(0, 12)} have no commit in common${checkout.isShallow ? " in this shallow clone" : ""}`,
    checkout.isShallow ? "Fetch more of the history, e.g. `git fetch --unshallow`." : "Name a base that the change started from.",
  );
}

/** The user's own policy, and the one beside the spec as it is on base; a spec that lies elsewhere has its own. */
async function policyOf(house: House, where: Where, { inRepo, folder }: SpecOnBase, commit: string): Promise<PolicyReading> {
  const user = userFolder(house.world.env);
  if (inRepo === undefined) return loadPolicy(house.texts, { project: folder, user });
  const path = join(inRepo, "..", ".loopwright", "policy.yaml");
  const text = await textOnBase(where, commit, path);
  const users = await loadPolicy(house.texts, { project: undefined, user });
  if (text === undefined || users.kind === "broken") return users;
  const own = readPolicy(path, text, "project");
  return own.kind === "broken" ? own : { kind: "read", policy: [...users.policy, ...own.policy] };
}

export function mustProve({ draft, loaded }: Matter): void {
  if (draft === undefined) return;
  throw cannotJudge(
    `the loop ${loaded.spec.name} is a draft: ${draft}`,
    "Give it a check that can fail, such as the test suite, and commit that to base.",
  );
}

/** What no change may touch, and what is looked for among ignored files: there also what the spec seals by name. */
export function protectionsOf({ referee, gate, seal }: LoopSpec): { readonly change: Protection; readonly hidden: Protection } {
  const denied = gate.all.flatMap(({ use, with: options }) =>
    use === "allowlist" && Array.isArray(options?.deny) ? options.deny.map(String) : [],
  );
  const change = { ...referee, deny: [...referee.deny, ...denied] };
  return { change, hidden: { ...change, deny: [...change.deny, ...seal] } };
}

const missing = (ref: string): LoopError =>
  new LoopError("ref-missing", `there is no commit called ${ref}`, {
    retry: "never",
    hint: "Check the name; a shallow clone may lack it (`git fetch --unshallow`), and a remote branch must be fetched first.",
  });

export const cannotJudge = (message: string, hint: string): LoopError => new LoopError("cannot-judge", message, { retry: "never", hint });
const refusal = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
