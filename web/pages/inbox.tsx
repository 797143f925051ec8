// Inbox: what waits for a human, by risk and age; read, understood and decided about without leaving the keys.
import { useEffect, useRef, useState } from "preact/hooks";
import type { InboxCard, InboxDocument, InboxView } from "../../src/contract/api.ts";
import { useKeys } from "../live/keys.ts";
import { useResource } from "../live/resource.ts";
import { choose, go, inboxPath, place, runPath } from "../live/router.ts";
import { health } from "../live/store.ts";
import { Why } from "../parts/argument.tsx";
import { Age, Empty, Glyph, Loaded, StateLine, Tag } from "../parts/bits.tsx";
import { Decide } from "../parts/decide.tsx";
import { DecideMany } from "../parts/decide-many.tsx";
import { Diff } from "../parts/diff.tsx";
import { MoreRows, useHeldRows } from "../parts/rows.tsx";
import { Shown, ShownBlock } from "../parts/shown.tsx";
import { microMoneyOf, plural } from "../words/format.ts";
import { wordOfItem } from "../words/outcomes.ts";
import { plainly } from "../words/shown.ts";

export function InboxPage({ id }: { readonly id: string | undefined }) {
  const which = place.value.query.get("which") === "all" ? "all" : "due";
  const inbox = useResource<InboxView>(`/api/inbox?which=${which}`);
  const items = inbox.value?.items ?? [];
  // What left the inbox stays where it was, struck, until the reader moves on.
  const { held, frame, watch, showAll } = useHeldRows(items, (card) => card.id, true);
  useEffect(showAll, [id, which]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const shown = held.rows.map(({ item }) => item);
  // Wide screens show the first at once; narrow ones show the list first.
  const isWide = matchMedia("(min-width: 641px)").matches;
  const current = id ?? (isWide ? shown[0]?.id : undefined);
  const move = (step: number): void => {
    const at = shown.findIndex((card) => card.id === current);
    const next = shown[Math.max(0, Math.min(shown.length - 1, at + step))];
    if (next) go(`${inboxPath(next.id)}${location.search}`);
  };
  const toggle = (card: string): void =>
    setSelected((before) => new Set(before.has(card) ? [...before].filter((one) => one !== card) : [...before, card]));
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    x: () => current && toggle(current),
    v: () => current && go(runPath(current)),
    ...(id !== undefined ? { Escape: () => go("/inbox") } : {}),
  });
  const chosen = shown.filter((card) => selected.has(card.id));
  return (
    <>
      <h1 class="vh">{items.length === 0 ? "Inbox, nothing waits for you" : `Inbox, ${items.length} wait for you`}</h1>
      <div class={current === undefined || id === undefined ? "inbox listing" : "inbox reading"}>
        <section class="cards" aria-label="What waits for you, by risk and age">
          <div class="by">
            <b>{items.length} wait</b> by risk, then age
            <span class="end">
              <kbd>j</kbd> <kbd>k</kbd>
            </span>
          </div>
          <div ref={frame} {...watch}>
            <MoreRows waiting={held.waiting} say={(waiting) => `${plural(waiting, "more came", "more came")}.`} show={showAll} />
            <Loaded resource={inbox} what="The inbox">
              {(view) => (
                <>
                  {held.rows.length === 0 ? <NothingWaits view={view} /> : null}
                  <ul>
                    {held.rows.map(({ item, isGone }) => (
                      <CardLine
                        key={item.id}
                        card={item}
                        isGone={isGone}
                        isCurrent={item.id === current}
                        isSelected={selected.has(item.id)}
                        select={() => toggle(item.id)}
                      />
                    ))}
                  </ul>
                  {view.deferred > 0 || which === "all" ? (
                    <p class="by foot-of-list">
                      <button class="btn quiet" type="button" onClick={() => choose({ which: which === "all" ? undefined : "all" })}>
                        {which === "all" ? "Hide what is deferred" : `${view.deferred} deferred. Show too`}
                      </button>
                    </p>
                  ) : null}
                </>
              )}
            </Loaded>
          </div>
        </section>
        {chosen.length > 0 ? (
          <section class="read" aria-label="Several at once">
            <div class="scroll">
              <h2 class="title">{plural(chosen.length, "thing")} at once</h2>
              <p class="dim">Each decision counts for its own tree, and is recorded by itself.</p>
            </div>
            <DecideMany cards={chosen} onDone={() => setSelected(new Set())} />
          </section>
        ) : current === undefined ? (
          <section class="read" aria-label="Nothing is open">
            <div class="scroll" />
          </section>
        ) : (
          <Reader
            key={current}
            id={current}
            count={items.length}
            now={inbox.value ? (items.find((card) => card.id === current) ?? null) : undefined}
          />
        )}
      </div>
    </>
  );
}

const NothingWaits = ({ view }: { readonly view: InboxView }) => (
  <Empty says="Nothing waits for you.">
    {view.deferred > 0 ? `${plural(view.deferred, "thing")} come back later.` : "What a loop proposes, asks or cannot solve comes here."}
  </Empty>
);

interface CardProps {
  readonly card: InboxCard;
  readonly isGone: boolean;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly select: () => void;
}

function CardLine({ card, isGone, isCurrent, isSelected, select }: CardProps) {
  const { mark, word } = wordOfItem(card);
  const frame = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) frame.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <li ref={frame} class="cardline">
      <input
        class="pick"
        type="checkbox"
        aria-label={`Select ${plainly(card.loop, 60)}, ${card.id}`}
        checked={isSelected}
        onChange={select}
      />
      <a
        class={`card ${mark}${isGone ? " gone" : ""}`}
        href={`${inboxPath(card.id)}${location.search}`}
        aria-current={isCurrent ? "true" : undefined}
      >
        <Glyph mark={mark} />
        <div>
          <div class="l1">
            <span class="name clamp">
              <Shown text={card.loop} />
            </span>
            <Age at={card.since} />
          </div>
          <p class="l2 clamp">
            <Shown text={card.why} />
          </p>
          <div class="l3">
            {isGone ? <Tag>decided, or deferred</Tag> : null}
            <Tag>{card.kind === "proposal" ? `${card.risk} risk` : word}</Tag>
            {card.files > 0 ? <Tag>{plural(card.files, "file")}</Tag> : null}
            {card.votes.of > 0 ? (
              <Tag>
                {card.votes.yes} of {card.votes.of} opinions for it
              </Tag>
            ) : null}
            {card.isTainted ? <Tag>read an outsider's text</Tag> : null}
            {card.findings > 0 ? <Tag>{plural(card.findings, "finding")}</Tag> : null}
            {card.approvedBy.map((name) => (
              <Tag key={name}>
                <span>
                  <Shown text={name} /> said yes
                </span>
              </Tag>
            ))}
          </div>
        </div>
      </a>
    </li>
  );
}

/** What was opened stays as it was while one reads it; what changed since is said in the bar. */
function Reader({ id, now, count }: { readonly id: string; readonly now: InboxCard | null | undefined; readonly count: number }) {
  const fresh = useResource<InboxDocument>(`/api/inbox/${encodeURIComponent(id)}`, ({ run }) => run === id);
  const [shown, setShown] = useState<InboxDocument | undefined>(undefined);
  const [decided, setDecided] = useState<string | undefined>(undefined);
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    const { value } = fresh;
    if (!value) return;
    // The same tree with newer words around it may come in; another tree waits until it is asked for.
    if (!shown || (shown.card.tree === value.card.tree && decided === undefined)) setShown(value);
  }, [fresh.value]);
  const gone = fresh.failed !== undefined && fresh.failed !== "unreachable" && fresh.failed.status === 404;
  if (!shown)
    return (
      <section class="read" aria-label="What waits">
        <div class="scroll">
          {gone ? (
            <StateLine
              mark="unknown"
              says="This does not wait, or not any more."
              button={{ label: "All that wait", press: () => go("/inbox") }}
            >
              Somebody decided, or it never was here. The run has everything that is on record.
            </StateLine>
          ) : (
            <Loaded resource={fresh} what="What waits">
              {() => null}
            </Loaded>
          )}
        </div>
      </section>
    );
  const latest = gone ? null : (fresh.value?.card ?? now ?? null);
  return (
    <section class="read" aria-label={`What waits: ${plainly(shown.card.loop, 60)}`}>
      <div class="scroll" tabIndex={0}>
        <a class="btn quiet backlink" href="/inbox">
          All {count} that wait
        </a>
        <Reading document={shown} onShown={setIsShown} />
      </div>
      <Decide
        key={shown.card.tree ?? "none"}
        card={shown.card}
        now={now === null && decided === undefined ? null : latest}
        who={shown.who ?? health.value?.who}
        isShown={isShown || shown.diff === null}
        onDecided={(says) => {
          setDecided(says);
          fresh.again();
        }}
        onShowNow={() => {
          setDecided(undefined);
          setShown(fresh.value);
          fresh.again();
        }}
      />
    </section>
  );
}

function Reading({
  document: { card, run, amendedBy, claims, unseen, diff },
  onShown,
}: {
  readonly document: InboxDocument;
  readonly onShown: (isShown: boolean) => void;
}) {
  const last = run?.rounds.findLast(({ evidence }) => evidence !== null);
  const talk = last?.evidence?.proposal.kind === "commit" ? last.evidence.proposal.talk : undefined;
  return (
    <>
      <h2 class="title">
        <Shown text={card.why} />
      </h2>
      <p class="dim">
        <Shown text={card.loop} />,{" "}
        <a class="link" href={runPath(card.id)}>
          run <Shown text={card.id} />
        </a>
        {last ? `, round ${last.number}` : ""}. {card.intent ? "Intent: " : ""}
        <Shown text={card.intent} />{" "}
        {run ? `Cost ${microMoneyOf(run.cost.usd * 1_000_000)}${run.cost.basis ? `, ${run.cost.basis}` : ""}.` : ""}
      </p>
      {card.risks.length > 0 ? (
        <p class="risks">
          {card.risks.map((risk) => (
            <Tag key={risk}>
              <Shown text={risk} />
            </Tag>
          ))}
        </p>
      ) : null}
      <Why claims={claims} unseen={unseen} />
      {talk?.question ? (
        <>
          <h3>The maker asks</h3>
          <p class="talk">
            <ShownBlock text={talk.question} />
          </p>
        </>
      ) : null}
      {diff ? (
        <>
          <h3>
            What changed
            {amendedBy === null ? null : (
              <>
                , as amended by <Shown text={amendedBy} />
              </>
            )}
          </h3>
          <div class="inset">
            <Diff
              key={diff.sha256}
              path={`/api/artifacts/${diff.sha256}`}
              findings={amendedBy === null ? (last?.evidence?.findings ?? []) : []}
              isPaired={false}
              onShown={onShown}
            />
          </div>
        </>
      ) : null}
      {talk && talk.summary.trim() !== "" ? (
        <>
          <h3>What the maker said</h3>
          <p class="talk">
            <span class="who">Talk, no evidence: </span>
            <ShownBlock text={talk.summary} />
          </p>
        </>
      ) : null}
    </>
  );
}
