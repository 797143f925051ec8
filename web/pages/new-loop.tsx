// New loop: where it works, which one, its spec with its problems, what it does and costs, one round to try, and adding it.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AddAnswer, DraftView, NewTarget, NewView, ReadyLoop, RunsPage, TrialAnswer } from "../../src/contract/api.ts";
import { send } from "../live/api.ts";
import { useDraft } from "../live/draft.ts";
import { useKeys } from "../live/keys.ts";
import { useResource } from "../live/resource.ts";
import { choose, loopPath, place, runPath } from "../live/router.ts";
import { canDecide, health } from "../live/store.ts";
import { Empty, Loaded, measureOf, onlyEnter, Panel, Skeleton, StateLine, scopeOf } from "../parts/bits.tsx";
import { Graph } from "../parts/graph.tsx";
import { RunTable } from "../parts/rows.tsx";
import { Shown } from "../parts/shown.tsx";
import { SpecEditor } from "../parts/spec-editor.tsx";
import { plural } from "../words/format.ts";
import { levelSays } from "../words/when-loop.ts";

export function NewPage() {
  const view = useResource<NewView>("/api/new", ({ kind }) => kind === "loop-known" || kind === "run-opened");
  return (
    <div class="page">
      <div class="head">
        <div>
          <h1>A new loop, and nothing moves before you say so</h1>
          <p class="lead">Choose a repository and a loop to begin with, look at what it does and costs, try one round, then add it.</p>
        </div>
      </div>
      <Loaded resource={view} what="What there is to choose from">
        {(value) => (value.targets.length === 0 ? <NoTargets /> : <Making view={value} />)}
      </Loaded>
    </div>
  );
}

const NoTargets = () => (
  <Panel title="Where it works">
    <Empty
      says="No loop of this home works on a repository yet."
      commands={["lw demo", "lw validate fix-tests.loop.yaml", "lw add fix-tests.loop.yaml"]}
    >
      Write a first spec there and add it; or see one loop go all the way through in a repository of its own. Then it can be chosen here: a
      browser names no folder by itself.
    </Empty>
  </Panel>
);

function Making({ view: { targets, ready, barred } }: { readonly view: NewView }) {
  const { query } = place.value;
  const target = targets.find(({ id }) => id === query.get("target")) ?? (targets.length === 1 ? targets[0] : undefined);
  const chosen = ready.find(({ name }) => name === query.get("ready"));
  const draft = useDraft(target?.id, chosen?.name);
  return (
    <div class="stack">
      <Panel title="Where it works" count={plural(targets.length, "repository", "repositories")}>
        <Targets targets={targets} chosen={target} />
      </Panel>
      <Panel title="Which loop to begin with" count={ready.length}>
        <Ready ready={ready} chosen={chosen} />
      </Panel>
      {target && chosen ? (
        <>
          <Panel
            title="Its spec"
            aside={draft.view?.path ? <Shown text={draft.view.path} /> : <span>{draft.view ? "has problems" : ""}</span>}
          >
            {draft.failed === undefined ? null : (
              <div class="body">
                <StateLine mark="unknown" says={<Shown text={draft.failed} />} />
              </div>
            )}
            {draft.text === undefined ? (
              draft.failed === undefined ? (
                <Skeleton rows={12} />
              ) : null
            ) : (
              <SpecEditor
                text={draft.text}
                problems={draft.view?.problems ?? []}
                warnings={draft.view?.warnings ?? []}
                isFixed={health.value?.isReadOnly ?? true}
                onChange={draft.write}
              />
            )}
          </Panel>
          {draft.view?.says ? <What draft={draft.view} says={draft.view.says} /> : null}
          <Acts key={`${target.id} ${chosen.name}`} draft={draft.view} barred={barred} />
        </>
      ) : (
        <p class="dim body">{target ? "Choose a loop, and its spec is shown here." : "Choose a repository first."}</p>
      )}
    </div>
  );
}

const Targets = ({ targets, chosen }: { readonly targets: readonly NewTarget[]; readonly chosen: NewTarget | undefined }) => (
  <fieldset class="choices">
    <legend class="vh">Repository</legend>
    {targets.map(({ id, path, loops, count }) => (
      <label key={id}>
        <input type="radio" name="target" checked={id === chosen?.id} onChange={() => choose({ target: id })} />
        <span>
          <b>
            <Shown text={path} />
          </b>
          <span class="dim">
            <Shown text={loops.slice(0, 4).join(", ")} />
            {count > 4 ? ` and ${count - 4} more` : ""} {count === 1 ? "works" : "work"} here
          </span>
        </span>
      </label>
    ))}
  </fieldset>
);

const Ready = ({ ready, chosen }: { readonly ready: readonly ReadyLoop[]; readonly chosen: ReadyLoop | undefined }) => (
  <fieldset class="choices wide">
    <legend class="vh">Loop</legend>
    {ready.map(({ name, intent, about, level, trigger }) => (
      <label key={name}>
        <input type="radio" name="ready" checked={name === chosen?.name} onChange={() => choose({ ready: name })} />
        <span>
          <b>{name}</b>
          <span>{intent}</span>
          <span class="dim">{about}</span>
          <span class="dim s">
            {levelSays(level)}; wakes {trigger}
          </span>
        </span>
      </label>
    ))}
  </fieldset>
);

function What({ draft, says }: { readonly draft: DraftView; readonly says: NonNullable<DraftView["says"]> }) {
  return (
    <>
      <Panel title="What it does" aside={<span>drawn from this spec</span>}>
        <div class="body factline">
          <span>
            Level <b>{levelSays(says.level)}</b>
          </span>
          <span>
            Wakes{" "}
            <b>
              <Shown text={says.trigger} />
            </b>
          </span>
        </div>
        {draft.graph ? <Graph graph={draft.graph} /> : null}
      </Panel>
      <Panel title="What it may cost" aside={<span>caps, and no forecast of what it will</span>}>
        <div class="body stack">
          <dl class="facts counts caps">
            {draft.caps.map(({ scope, measure, mostSays, from }) => (
              <div key={`${scope} ${measure}`}>
                <dt>
                  {scopeOf(scope)}, {measureOf(measure)}
                </dt>
                <dd title={from}>at most {mostSays}</dd>
              </div>
            ))}
          </dl>
          {draft.cost ? (
            <p class="dim s">
              <Shown text={draft.cost.because} />
            </p>
          ) : null}
        </div>
      </Panel>
    </>
  );
}

type Wish = "trial" | "loop";
const WORDS: { readonly [W in Wish]: { readonly label: string; readonly sure: string } } = {
  trial: { label: "Try one round", sure: "Run one round of it" },
  loop: { label: "Add it", sure: "Write the file and add it" },
};

type Doing =
  | { readonly kind: "idle" }
  | { readonly kind: "armed" | "sending"; readonly wish: Wish }
  | { readonly kind: "refused"; readonly says: string; readonly hint: string }
  | { readonly kind: "tried"; readonly answer: TrialAnswer }
  | { readonly kind: "added"; readonly answer: AddAnswer };

/** The first press arms, the second sends: a spec says which programs run here. */
function Acts({ draft, barred }: { readonly draft: DraftView | undefined; readonly barred: string | null }) {
  const [doing, setDoing] = useState<Doing>({ kind: "idle" });
  const [trial, setTrial] = useState<TrialAnswer | undefined>(undefined);
  const confirm = useRef<HTMLButtonElement>(null);
  const armed = doing.kind === "armed" ? doing.wish : undefined;
  useLayoutEffect(() => {
    if (armed) confirm.current?.focus();
  }, [armed]);
  useKeys(armed ? { Escape: () => setDoing({ kind: "idle" }) } : {});
  const off = barred ?? draft?.taken ?? null;
  const isOff = off !== null || !canDecide.value || !draft || draft.problems.length > 0 || doing.kind === "sending";
  const press = async (wish: Wish): Promise<void> => {
    if (!draft) return;
    setDoing({ kind: "sending", wish });
    const answer = await send<TrialAnswer | AddAnswer>(`/api/new/${wish}`, { target: draft.target, text: draft.text });
    if (answer.kind === "unreachable")
      return setDoing({ kind: "refused", says: "The server did not answer.", hint: "Look at Loops before you press again." });
    if (answer.kind === "refused")
      return setDoing({ kind: "refused", says: `Not done: ${answer.refusal.error.message}`, hint: answer.refusal.error.hint });
    if ("run" in answer.value) setTrial(answer.value);
    setDoing("run" in answer.value ? { kind: "tried", answer: answer.value } : { kind: "added", answer: answer.value });
  };
  if (doing.kind === "added") return <Added answer={doing.answer} />;
  return (
    <section class="panel" aria-label="Try it, and add it">
      <div class="body stack">
        <p>
          <b>One round</b> works in a copy of its own and moves nothing: what it makes waits in the inbox. <b>Adding</b> writes{" "}
          {draft?.path ? <Shown text={draft.path} /> : "its file"} and this home wakes it from then on; a file that is there is never
          written over.
        </p>
        {off === null || !draft ? null : (
          <StateLine mark="unknown" says={<Shown text={off} />}>
            {barred === null ? "Change its name or its target above." : "Write the spec where this home is, and add it with lw add."}
          </StateLine>
        )}
        <div class="acts">
          {armed ? (
            <>
              <button ref={confirm} class="btn first" type="button" {...onlyEnter} onClick={() => void press(armed)}>
                {WORDS[armed].sure} <kbd>Enter</kbd>
              </button>
              <button class="btn" type="button" onClick={() => setDoing({ kind: "idle" })}>
                Not now <kbd>Esc</kbd>
              </button>
            </>
          ) : (
            (["trial", "loop"] as const).map((wish) => (
              <button
                key={wish}
                class={wish === "trial" ? "btn first" : "btn"}
                type="button"
                disabled={isOff}
                onClick={() => setDoing({ kind: "armed", wish })}
              >
                {doing.kind === "sending" && doing.wish === wish ? "Sending" : WORDS[wish].label}
              </button>
            ))
          )}
        </div>
        <div class="came" role="status">
          {doing.kind === "refused" ? (
            <StateLine mark="waiting" says={<Shown text={doing.says} />}>
              <Shown text={doing.hint} />
            </StateLine>
          ) : null}
          {doing.kind === "tried" ? <StateLine mark="step" says={<Shown text={doing.answer.says} />} /> : null}
        </div>
      </div>
      {trial ? <Tried trial={trial} /> : null}
    </section>
  );
}

/** The run as it goes, and what became of it. */
function Tried({ trial: { loop, run } }: { readonly trial: TrialAnswer }) {
  const runs = useResource<RunsPage>(`/api/runs?loop=${encodeURIComponent(loop)}&most=1`, (record) => record.loop === loop);
  return (
    <>
      {runs.value ? <RunTable rows={runs.value.items} hasLoop={false} caption="The round that was tried" /> : null}
      <p class="body">
        <a class="link" href={runPath(run)}>
          Look at the run
        </a>
      </p>
    </>
  );
}

const Added = ({ answer: { loop, path, isKnown, says } }: { readonly answer: AddAnswer }) => (
  <section class="panel" aria-label="Added">
    <div class="body stack" role="status">
      <StateLine mark={isKnown ? "proven" : "waiting"} says={<Shown text={says} />}>
        <Shown text={path} />
      </StateLine>
      <p>
        <a class="link" href={loopPath(loop)}>
          Go to <Shown text={loop} />
        </a>
      </p>
    </div>
  </section>
);
