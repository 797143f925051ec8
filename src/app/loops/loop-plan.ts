// What a loop that is known says about waking, from the spec that is on record.
import { dirname, resolve } from "node:path";
import type { Registries } from "../../contract/crew.ts";
import { modelLogin } from "../../contract/model-login.ts";
import { KINDS } from "../../contract/proposal.ts";
import { type LoopSpec, makersOf, type PartRef } from "../../contract/spec.ts";
import type { Slots } from "../../contract/trigger.ts";
import { accountOf } from "../../engine/account.ts";
import type { KnownLoop } from "../../journal/known-loops.ts";
import { expectOf, planOf as planWaking } from "../../schedule/plan.ts";
import type { LoopPlan, Needs } from "../../schedule/ports.ts";
import { findPart, proposedBy, wakerOf } from "../crew.ts";
import type { House } from "../open-house.ts";

type PlanSource = Pick<House, "registries" | "identityOf"> & { readonly world: Pick<House["world"], "env" | "files" | "ids"> };

/** As it was made known; throws where a part of it cannot be made any more. */
export async function planOf(
  house: PlanSource,
  { loop, good, path }: Pick<KnownLoop, "loop" | "good" | "path">,
): Promise<LoopPlan | undefined> {
  const spec = specIn(good.record);
  return spec && planOfSpec(house, { loop, spec, path });
}

/** Also of a spec that nobody looks after. */
export async function planOfSpec(
  house: PlanSource,
  { loop, spec, path }: { readonly loop: string; readonly spec: LoopSpec; readonly path: string },
): Promise<LoopPlan> {
  return planWaking({
    wake: spec.wake,
    waker: wakerOf(house.registries, spec.trigger),
    patience: spec.budget.patience,
    needs: await needsOf(house, { loop, spec, path }),
    judges: await judgesOf(house, spec),
  });
}

/** The accounts of judges that nobody else's answer can stand in for. */
async function judgesOf(
  { registries, world }: Pick<PlanSource, "registries" | "world">,
  { verifiers }: LoopSpec,
): Promise<readonly string[]> {
  const models = verifiers.flatMap((ref) => findPart(registries.verifiers, ref).configure(ref.with).models ?? []);
  return [...new Set(await Promise.all(models.map((ref) => accountOf(modelLogin(ref), world))))];
}

/** What a run of it takes up. Throws where a part of it cannot be made. */
export async function needsOf(
  house: PlanSource,
  { loop, spec, path }: { readonly loop: string; readonly spec: LoopSpec; readonly path: string },
): Promise<Omit<Needs, "spare" | "priority">> {
  const repo = resolve(dirname(path), spec.target.repo);
  const target = await house.identityOf(repo);
  return { loop, target, repo, writes: writesTo(spec, house.registries), ...(await whoMakes(house, spec)) };
}

/** Where another maker takes over from one whose account is used up, no account keeps the loop from running. */
async function whoMakes({ registries, world }: Pick<PlanSource, "registries" | "world">, spec: Pick<LoopSpec, "maker">) {
  const [makes, ...others] = makersOf(spec).map((ref) => ({ ref, make: findPart(registries.makers, ref).configure(ref.with) }));
  const login = others.length === 0 && makes && "login" in makes.make ? makes.make.login : undefined;
  return { maker: makes?.ref.use ?? "none", account: login && (await accountOf(login, world)) };
}

/** What of it needs no look at anything but the spec. Throws where a part of it does. */
export function timesOf(registries: Pick<Registries, "triggers">, { trigger, wake }: LoopSpec): Pick<LoopPlan, "slots" | "expect"> {
  return { slots: wakerOf(registries, trigger).slots, expect: expectOf(wake) };
}

/** The spec on record is one that we wrote; those from before it was kept have none. */
export const specIn = ({ spec }: KnownLoop["good"]["record"]): LoopSpec | undefined => spec as LoopSpec | undefined; // as `learn` writes it

/** Whether runs of it leave something in the repository. */
export function writesTo(spec: Pick<LoopSpec, "maker" | "document">, registries: Pick<Registries, "makers">): boolean {
  return KINDS[proposedBy(spec, registries)].hasBase;
}

/** Of a trigger as it was recorded, which may be one of long ago: one that cannot be made any more names no times. */
export function slotsOf(registries: Pick<Registries, "triggers">, trigger: PartRef | undefined): Slots | undefined {
  if (!trigger) return undefined;
  try {
    return wakerOf(registries, trigger).slots;
  } catch {
    return undefined;
  }
}
