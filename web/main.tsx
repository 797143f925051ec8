// The front door of the page: it finds its session, stays connected, and shows the page of the address.
import { type ComponentType, render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { listenToKeys } from "./live/keys.ts";
import { followLinks, place, type Route } from "./live/router.ts";
import { session, stayConnected } from "./live/store.ts";
import { InboxPage } from "./pages/inbox.tsx";
import { LoopsPage } from "./pages/loops.tsx";
import { NowPage } from "./pages/now.tsx";
import { Skeleton } from "./parts/bits.tsx";
import { Shell } from "./parts/shell.tsx";
import { Shown } from "./parts/shown.tsx";
import { applyTheme } from "./parts/theme.ts";

type Load<P> = () => Promise<ComponentType<P>>;

/** Pages that come with their address, so that the first load stays small. */
function later<P extends object>(load: Load<P>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Later(props: P) {
    const [, redraw] = useState(0);
    useEffect(() => {
      if (loaded) return;
      void load().then((page) => {
        loaded = page;
        redraw(1);
      });
    }, []);
    const Page = loaded;
    return Page ? (
      <Page {...props} />
    ) : (
      <div class="page">
        <Skeleton rows={8} />
      </div>
    );
  };
}

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
const root = document.getElementById("app");
if (root) render(<App />, root);
