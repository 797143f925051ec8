// The front door of the page: it finds its session, stays connected, and shows the page of the address.
import { type ComponentType, render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { listenToKeys } from "./live/keys.ts";
import { followLinks, place, type Route } from "./live/router.ts";
import { connection, session, stayConnected } from "./live/store.ts";
import { InboxPage } from "./pages/inbox.tsx";
import { LoopsPage } from "./pages/loops.tsx";
import { NowPage } from "./pages/now.tsx";
import { Skeleton, StateLine } from "./parts/bits.tsx";
import { Shell } from "./parts/shell.tsx";
import { Shown } from "./parts/shown.tsx";
import { applyTheme } from "./parts/theme.ts";

type Load<P> = () => Promise<ComponentType<P>>;

/** Loads what was not needed at first, once the first page is there: it is at hand also while the server is away. */
const rest: (() => Promise<unknown>)[] = [];
const REST_MS = 1500;

/** Pages that come with their address, so that the first load stays small. */
function later<P extends object>(load: Load<P>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  const bring = async (): Promise<void> => {
    loaded ??= await load();
  };
  rest.push(bring);
  return function Later(props: P) {
    const [, redraw] = useState(0);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      bring().then(
        () => redraw(1),
        () => setFailed(true),
      );
    }, []);
    const Page = loaded;
    if (hasFailed && !Page) return <NotLoaded />;
    return Page ? (
      <Page {...props} />
    ) : (
      <div class="page">
        <Skeleton rows={8} />
      </div>
    );
  };
}

/** A browser keeps it in mind that a module could not be had: only another load of the whole page helps, as soon as there is a server. */
function NotLoaded() {
  const isLive = connection.value.kind === "live";
  useEffect(() => {
    if (isLive && !sessionStorage.getItem(RELOADED)) {
      sessionStorage.setItem(RELOADED, "1");
      location.reload();
    }
  }, [isLive]);
  return (
    <div class="page">
      <h1 class="vh">This page could not be loaded</h1>
      <StateLine
        mark="unknown"
        says="This page could not be loaded: the server did not answer."
        button={{ label: "Load it again", press: () => location.reload() }}
      >
        It is loaded by itself as soon as the server is back.
      </StateLine>
    </div>
  );
}

const RELOADED = "lw-reloaded";

const RunPage = later(() => import("./pages/run.tsx").then(({ RunPage }) => RunPage));
const LoopPage = later(() => import("./pages/loop.tsx").then(({ LoopPage }) => LoopPage));
const SchedulePage = later(() => import("./pages/schedule.tsx").then(({ SchedulePage }) => SchedulePage));
const SpendPage = later(() => import("./pages/spend.tsx").then(({ SpendPage }) => SpendPage));
const LedgerPage = later(() => import("./pages/ledger.tsx").then(({ LedgerPage }) => LedgerPage));
const NewPage = later(() => import("./pages/new-loop.tsx").then(({ NewPage }) => NewPage));

function Page({ route }: { readonly route: Route }) {
  switch (route.page) {
    case "now":
      return <NowPage />;
    case "inbox":
      return <InboxPage id={route.id} />;
    case "loops":
      return <LoopsPage />;
    case "loop":
      return <LoopPage key={route.loop} loop={route.loop} />;
    case "run":
      return <RunPage key={route.run} run={route.run} />;
    case "schedule":
      return <SchedulePage />;
    case "spend":
      return <SpendPage />;
    case "ledger":
      return <LedgerPage />;
    case "new":
      return <NewPage />;
    case "lost":
      return (
        <div class="page">
          <div class="head">
            <div>
              <h1>There is no such page</h1>
              <p class="lead">
                Nothing is at <Shown text={route.path} quoted />. <a href="/">Go to Now</a>.
              </p>
            </div>
          </div>
        </div>
      );
  }
}

function App() {
  if (session.value === "none") return <NoSession />;
  // Nothing is asked for before it is known who asks.
  if (session.value === "asking") return <main class="page" id="main" aria-busy="true" />;
  return (
    <Shell>
      <Page route={place.value.route} />
    </Shell>
  );
}

const NoSession = () => (
  <main class="page" id="main">
    <div class="head">
      <div>
        <h1>This browser does not know this home yet</h1>
        <p class="lead">Nothing is shown without the home's link. Type this where lw runs, and open what it prints:</p>
      </div>
    </div>
    <p>
      <code class="code">lw open</code>
    </p>
  </main>
);

applyTheme();
followLinks();
listenToKeys();
void stayConnected();
setTimeout(() => {
  sessionStorage.removeItem(RELOADED);
  for (const bring of rest) void bring().catch(() => {});
}, REST_MS);
const root = document.getElementById("app");
if (root) render(<App />, root);
