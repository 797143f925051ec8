// The frame around every page: where one is, how the page stands to its server, and the ways to everywhere else.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { InboxView, LoopsPage } from "../../src/contract/api.ts";
import { ALL_KEYS, areKeysOff, switchKeys, useKeys } from "../live/keys.ts";
import { useResource } from "../live/resource.ts";
import { go, loopPath, place, type Route, runPath } from "../live/router.ts";
import { connection, dismissBack, health, isStale, nextTryMs, nowMs, tryNow, viewer } from "../live/store.ts";
import { useVerification } from "../live/verification.ts";
import { agoOf, countOf, plural, timeOf } from "../words/format.ts";
import { plainly } from "../words/shown.ts";
import { Glyph, Icon, StateLine } from "./bits.tsx";
import { Shown } from "./shown.tsx";
import { switchTheme, theme } from "./theme.ts";

const PAGES: readonly { readonly path: string; readonly name: string; readonly icon: string; readonly pages: readonly Route["page"][] }[] =
  [
    { path: "/", name: "Now", icon: "now", pages: ["now"] },
    { path: "/inbox", name: "Inbox", icon: "inbox", pages: ["inbox"] },
    { path: "/loops", name: "Loops", icon: "loops", pages: ["loops", "loop", "run"] },
    { path: "/schedule", name: "Schedule", icon: "schedule", pages: ["schedule"] },
    { path: "/spend", name: "Spend", icon: "spend", pages: ["spend"] },
    { path: "/ledger", name: "Ledger", icon: "ledger", pages: ["ledger"] },
  ];

export function Shell({ children }: { readonly children: ComponentChildren }) {
  const inbox = useResource<InboxView>("/api/inbox");
  const waiting = inbox.value?.items.length ?? 0;
  const { page } = place.value.route;
  const title = titleOf(place.value.route);
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${title} · Loopwright`;
  }, [title, waiting]);
  return (
    <>
      <p class="vh" aria-live="polite">
        {title}
      </p>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="frame">
        <aside class="side" aria-label="Loopwright">
          <a class="brand" href="/">
            <svg aria-hidden="true" width="20" height="20" class="b">
              <use href="#i-brand" />
            </svg>
            Loopwright
          </a>
          <nav aria-label="Main">
            <ul>
              {PAGES.map((one) => (
                <li key={one.path}>
                  <PageLink {...one} page={page} waiting={waiting} />
                </li>
              ))}
              <li class="apart">
                <PageLink path="/new" name="New loop" icon="new" pages={["new"]} page={page} waiting={0} />
              </li>
            </ul>
          </nav>
          <Foot />
        </aside>
        <div class="main">
          <header class="top">
            <Crumbs />
            <div class="right">
              <Live />
              <Find />
            </div>
          </header>
          <Away />
          <main id="main" tabIndex={-1}>
            {children}
          </main>
        </div>
      </div>
      <nav class="tabs" aria-label="Main, below">
        {PAGES.slice(0, 4).map((one) => (
          <PageLink key={one.path} {...one} page={page} waiting={waiting} />
        ))}
        <More page={page} />
      </nav>
      <KeySheet />
    </>
  );
}

interface PageLinkProps {
  readonly path: string;
  readonly name: string;
  readonly icon: string;
  readonly pages: readonly Route["page"][];
  readonly page: Route["page"];
  readonly waiting: number;
}

const PageLink = ({ path, name, icon, pages, page, waiting }: PageLinkProps) => (
  <a href={path} aria-current={pages.includes(page) ? "page" : undefined}>
    <Icon name={icon} />
    {name}
    {path === "/inbox" && waiting > 0 ? (
      <span class="n">
        {waiting}
        <span class="vh"> waiting</span>
      </span>
    ) : null}
  </a>
);

/** What has no tab of its own on a narrow screen. */
function More({ page }: { readonly page: Route["page"] }) {
  const isHere = ["spend", "ledger", "new"].includes(page);
  return (
    <details class="more-tabs">
      <summary aria-current={isHere ? "true" : undefined}>
        <Icon name="more" />
        More
      </summary>
      <div>
        <a href="/spend">Spend</a>
        <a href="/ledger">Ledger</a>
        <a href="/new">New loop</a>
        <ThemeChoice />
      </div>
    </details>
  );
}

/** Whether the record is whole, as far as somebody looked. */
function Foot() {
  const verification = useVerification();
  const found = verification.value?.found;
  return (
    <div class="foot">
      {found ? (
        <>
          <p>
            <Glyph mark={found.kind === "broken" ? "tampering" : found.kind === "whole" ? "proven" : "nothing"} />
            <b>{found.kind === "broken" ? "Journal is broken" : found.kind === "whole" ? "Journal whole" : "Journal is empty"}</b>
          </p>
          {found.kind === "broken" ? (
            <p>
              <a class="link" href="/ledger">
                record {countOf(found.firstBad ?? 0)} is the first bad one
              </a>
            </p>
          ) : (
            <p>{found.signedUpTo > 0 ? `signed up to record ${countOf(found.signedUpTo)}` : "nothing is signed yet"}</p>
          )}
          <p>checked {agoOf(verification.value?.at ?? "", nowMs.value)}</p>
        </>
      ) : (
        <p>
          <Glyph mark="unknown" />
          <b>Journal not checked yet</b>
        </p>
      )}
      <ThemeChoice />
    </div>
  );
}

const ThemeChoice = () => (
  <label class="theme">
    <span>Theme</span>
    <select value={theme.value} onChange={(event) => switchTheme(event.currentTarget.value)}>
      <option value="system">as the system</option>
      <option value="light">light</option>
      <option value="dark">dark</option>
    </select>
  </label>
);

function Crumbs() {
  const { route } = place.value;
  const [first, second] = crumbsOf(route);
  return (
    <nav class="crumbs" aria-label="Where you are">
      {second === undefined ? (
        <span aria-current="page">{first.name}</span>
      ) : (
        <>
          <a href={first.path}>{first.name}</a>
          <i>/</i>
          <span aria-current="page">
            <Shown text={second} />
          </span>
        </>
      )}
    </nav>
  );
}

/** As tabs, histories and readers of screens name it. */
function titleOf(route: Route): string {
  const [{ name }, second] = crumbsOf(route);
  return second === undefined ? name : plainly(second, 80);
}

interface Crumb {
  readonly name: string;
  readonly path: string;
}

function crumbsOf(route: Route): readonly [Crumb, string?] {
  switch (route.page) {
    case "loop":
      return [{ name: "Loops", path: "/loops" }, route.loop];
    case "run":
      return [{ name: "Loops", path: "/loops" }, `run ${route.run}`];
    case "lost":
      return [{ name: "Not found", path: "/" }];
    case "new":
      return [{ name: "New loop", path: "/new" }];
    default:
      return [PAGES.find(({ pages }) => pages.includes(route.page)) ?? { name: "Now", path: "/" }];
  }
}

function Live() {
  const { kind, seq } = connection.value;
  const isLive = kind === "live";
  return (
    <span class="live">
      <svg aria-hidden="true" width="8" height="8">
        <circle class={isLive ? "dot on" : "dot"} cx="4" cy="4" r="3.5" />
      </svg>
      {isLive ? "Live" : kind === "connecting" ? "Connecting" : "Not live"}
      <span class="seq dimmer"> record {countOf(seq)}</span>
    </span>
  );
}

/** One assertive voice on the page: the connection was lost. Coming back is told politely. */
function Away() {
  const { back, seq, heardMs } = connection.value;
  const stopped = health.value?.isAllStopped ?? false;
  const [, redraw] = useState(0);
  const until = nextTryMs.value;
  useEffect(() => {
    if (until === undefined) return;
    const timer = setInterval(() => redraw((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [until]);
  const seconds = until === undefined ? 0 : Math.max(0, Math.ceil((until - Date.now()) / 1000));
  return (
    <>
      <div class="banner over" role="alert">
        {isStale.value ? (
          <StateLine
            mark="unknown"
            says={`Shown as of ${timeOf(new Date(heardMs).toISOString(), viewer.value)}. The server does not answer.`}
            button={{ label: "Try now", press: tryNow }}
          >
            Everything here was true at record {countOf(seq)}. Decisions are off until it is back.{" "}
            <span aria-hidden="true">{seconds > 0 ? `It is tried again in ${seconds} s.` : "It is tried now."}</span>
          </StateLine>
        ) : null}
      </div>
      <div class="banner over" role="status">
        {back && !isStale.value && (back.count > 0 || back.wasRestarted || !back.isWhole) ? (
          <StateLine
            mark={back.isWhole ? "proven" : "waiting"}
            says={
              back.isWhole
                ? `Back${back.wasRestarted ? ", after the server was started anew" : ""}. ${plural(back.count, "record")} came in meanwhile; none is missing.`
                : "Back. Too many records came in to be sent one by one; what is shown was read again."
            }
            button={{ label: "Close", press: dismissBack }}
          >
            {back.count > 0 ? `From ${countOf(back.from)} to ${countOf(back.to)}.` : null}
          </StateLine>
        ) : null}
      </div>
      <div class="banner" role="status">
        {stopped ? (
          <StateLine mark="halted" says="Everything is stopped. Nothing runs and nothing moves.">
            Somebody said lw stop --all. lw resume --all lets it go on.
          </StateLine>
        ) : null}
      </div>
    </>
  );
}

/** Finds a loop by part of its name, or goes to a run by its whole one. */
function Find() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState("");
  const open = (): void => {
    setWords("");
    setOpen(true);
    dialog.current?.showModal();
  };
  useKeys({ "/": open });
  const found = useResource<LoopsPage>(isOpen ? `/api/loops?most=12&q=${encodeURIComponent(words.slice(0, 100))}` : null);
  const close = (): void => {
    setOpen(false);
    dialog.current?.close();
  };
  const follow = (path: string): void => {
    close();
    go(path);
  };
  return (
    <>
      <button class="find" type="button" aria-label="Find a loop or run" onClick={open}>
        <Icon name="find" />
        <span>Find a loop or run</span>
        <kbd>/</kbd>
      </button>
      <dialog ref={dialog} class="sheet" aria-label="Find" onClose={() => setOpen(false)}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const first = found.value?.items[0];
            if (first) follow(loopPath(first.loop));
            else if (words.trim()) follow(runPath(words.trim()));
          }}
        >
          <input
            type="search"
            aria-label="Part of a loop's name, or a run"
            placeholder="Part of a loop's name, or a run"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </form>
        <ul class="found">
          {found.value?.items.map(({ loop, intent }) => (
            <li key={loop}>
              <a
                href={loopPath(loop)}
                onClick={(event) => {
                  event.preventDefault();
                  follow(loopPath(loop));
                }}
              >
                <b>
                  <Shown text={loop} />
                </b>{" "}
                <span class="dim cut">
                  <Shown text={intent} />
                </span>
              </a>
            </li>
          ))}
          {found.value && found.value.items.length === 0 ? (
            <li class="dim">No loop has that in its name. Enter looks for a run of that name.</li>
          ) : null}
        </ul>
      </dialog>
    </>
  );
}

function KeySheet() {
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys({ "?": () => dialog.current?.showModal() });
  return (
    <dialog ref={dialog} class="sheet" aria-label="Keys">
      <h2>Keys</h2>
      <div class="keytable">
        {ALL_KEYS.map(({ where, lines }) => (
          <section key={where}>
            <h3>{where}</h3>
            <dl>
              {lines.map(({ keys, does }) => (
                <div key={keys}>
                  <dt>
                    {keys.split(" ").map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <form method="dialog" class="row">
        <label>
          <input type="checkbox" checked={areKeysOff.value} onChange={(event) => switchKeys(event.currentTarget.checked)} /> Single keys off
        </label>
        <button class="btn" type="submit">
          Close
        </button>
      </form>
    </dialog>
  );
}
