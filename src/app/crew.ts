// Every part that is built in, and the crew that one spec asks for.
import { actions } from "../actions/index.ts";
import { merge } from "../actions/merge.ts";
import { connectors } from "../connectors/index.ts";
import type { Act } from "../contract/action.ts";
import type { Crew, CrewMaker, CrewOf, Registries } from "../contract/crew.ts";
import type { Make, MakeOf } from "../contract/maker.ts";
import type { FilesKind, KindName } from "../contract/proposal.ts";
import { type LoopSpec, makersOf, type PartRef } from "../contract/spec.ts";
import type { Waker } from "../contract/trigger.ts";
import { canProve, type Verify, type VerifyOf } from "../contract/verifier.ts";
import { gates } from "../gates/index.ts";
import { improvers } from "../improvers/index.ts";
import { makers } from "../makers/index.ts";
import { notifiers } from "../notifiers/index.ts";
import { triggers } from "../triggers/index.ts";
import { verifiers } from "../verifiers/index.ts";

/** Every part that is built in. */
export const builtIn: Registries = { makers, verifiers, connectors, triggers, gates, actions, notifiers, improvers };

/** The parts one spec asked for. The spec was checked against the same registries, so a missing part is a bug. */
export function assembleCrew(spec: LoopSpec, registries: Registries): Crew {
  /** Only who may be changed can be made anew. */
  const called = (ref: PartRef): Called => {
    const { configure } = findPart(registries.makers, ref);
    return { ref, make: configure(ref.with), ...(spec.improve ? { remake: configure } : {}) };
  };
  const makers = makersOf(spec).map(called);
  const kind = proposedBy(spec, registries);
  const verifiers = spec.verifiers.map((ref) => {
    const part = findPart(registries.verifiers, ref);
    const verify = part.configure(ref.with);
    // Who looks at changes looks at documents as the commits that they are.
    return kind === "document" && verify.proves === "commit" && canProve(part, kind) ? { ...verify, proves: kind } : verify;
  });
  const workers = Object.entries(spec.team?.workers ?? {}).map(([id, { use, with: options }]) => {
    const ref = { use, ...(options ? { with: options } : {}) };
    return { id, ...called(ref) };
  });
  const others = {
    gather: spec.gather.map((ref) => findPart(registries.connectors, ref).configure(ref.with)),
    waker: wakerOf(registries, spec.trigger),
    notify: spec.notify.map((ref) => ({ name: ref.use, tell: findPart(registries.notifiers, ref).configure(ref.with) })),
    gates: spec.gate.all.map((ref) => ({ name: ref.use, ask: findPart(registries.gates, ref).configure(ref.with) })),
    act: spec.act.map((ref) => findPart(registries.actions, ref).configure(ref.with)),
    ...(spec.improve ? { improve: improverOf(spec.improve, registries) } : {}),
  };
  switch (kind) {
    case "commit":
      return {
        ...others,
        proposes: kind,
        makers: allProposing(kind, makers),
        ...teamProposing(kind, workers),
        verifiers: allAbout(kind, verifiers),
      };
    case "document": {
      const asDocument = (make: Make): Make => (make.proposes === "commit" ? { ...make, proposes: kind } : make);
      const documentMakers = makers.map(({ ref, make, remake }) => ({
        ref,
        make: asDocument(make),
        ...(remake ? { remake: (options: PartRef["with"]) => asDocument(remake(options)) } : {}),
      }));
      const act = [ACCEPT, ...others.act];
      return {
        ...others,
        act,
        proposes: kind,
        makers: allProposing(kind, documentMakers),
        ...teamProposing(kind, workers),
        verifiers: allAbout(kind, verifiers),
      };
    }
    case "report":
      return { ...others, proposes: kind, makers: allProposing(kind, makers), verifiers: allAbout(kind, verifiers) };
  }
}

/** A maker as the spec names it, whatever it proposes. */
interface Called {
  readonly ref: PartRef;
  readonly make: Make;
  readonly remake?: (options: PartRef["with"]) => Make;
}

function improverOf(ref: NonNullable<LoopSpec["improve"]>, registries: Pick<Registries, "improvers">): NonNullable<Crew["improve"]> {
  const part = findPart(registries.improvers, ref);
  return { name: part.name, by: part.configure(ref.with), needsPerson: part.needsPerson === true };
}

/** A document that may go on becomes the version that the next one is compared with; then comes what the spec says. */
const ACCEPT: Act = { ...merge.configure({}), name: "accept" };

/** What a loop proposes: what its maker does, unless its spec says that this is a document. */
export function proposedBy(spec: Pick<LoopSpec, "maker" | "document">, registries: Pick<Registries, "makers">): KindName {
  const [first] = makersOf(spec);
  if (!first) throw new TypeError("a spec without a maker");
  const { proposes } = findPart(registries.makers, first);
  return spec.document !== undefined && proposes === "commit" ? "document" : proposes;
}

/** What a trigger names and listens to. */
export const wakerOf = ({ triggers: known }: Pick<Registries, "triggers">, trigger: PartRef): Waker =>
  findPart(known, trigger).configure(trigger.with);

/** A spec whose makers and verifiers do not fit together is refused when it is read; these are the last line. */
function allProposing<K extends KindName>(kind: K, makers: readonly Called[]): CrewOf<K>["makers"] {
  // One that is made anew proposes the same: it is the same part.
  const proposes = (maker: Called): maker is Called & CrewMaker<K> => maker.make.proposes === kind;
  const [first, ...others] = makers.filter(proposes);
  if (!first || others.length + 1 < makers.length) throw new TypeError(`the makers of a list do not all propose a ${kind}`);
  return [first, ...others];
}

/** Every worker edits a copy, whatever is made of what it leaves there. */
function teamProposing<K extends FilesKind>(
  kind: K,
  workers: readonly (Called & { readonly id: string })[],
): { readonly team?: ReadonlyMap<string, CrewMaker<K>> } {
  if (workers.length === 0) return {};
  const editing = workers.map(({ id, ref, make, remake }) => {
    if (make.proposes === "report") throw new TypeError(`the worker ${id} writes reports, and no files`);
    const asOf = (other: Make): MakeOf<K> => ({ ...other, proposes: kind }) as MakeOf<K>; // the same maker, for another kind
    const again = remake ? { remake: (options: PartRef["with"]) => asOf(remake(options)) } : {};
    return [id, { ref, make: asOf(make), ...again }] as const;
  });
  return { team: new Map(editing) };
}

function allAbout<K extends KindName>(kind: K, verifiers: readonly Verify[]): readonly VerifyOf<K>[] {
  const isAbout = (verify: Verify): verify is Verify & VerifyOf<K> => verify.proves === kind;
  const fitting = verifiers.filter(isAbout);
  if (fitting.length < verifiers.length) throw new TypeError(`a verifier is not about what the maker proposes, which is a ${kind}`);
  return fitting;
}

export function findPart<P extends { readonly name: string }>(parts: readonly P[], { use }: PartRef): P {
  const part = parts.find(({ name }) => name === use);
  if (!part) throw new Error(`no part is called ${use}`);
  return part;
}
