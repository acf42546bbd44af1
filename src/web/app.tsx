/** The page as a whole: its header, the page in view, and whatever is open on top of it. */

import type { Inbox } from "../inbox/model.ts";
import { waiting } from "../inbox/model.ts";
import { safeLine } from "../text/safe.ts";
import { useBadge } from "./base/badge.ts";
import { useFocusKept } from "./base/focus.ts";
import { useKeyboard } from "./base/keyboard.ts";
import { useNotices } from "./base/notify.ts";
import type { Route } from "./base/route.ts";
import { useRoute } from "./base/route.ts";
import { logOut } from "./base/session.ts";
import type { Ui } from "./base/store.ts";
import { dispatch, setUi, useStore } from "./base/store.ts";
import { Dialogs } from "./dialogs.tsx";
import { News } from "./news.tsx";
import { DevicePage } from "./pages/device.tsx";
import { FleetPage } from "./pages/fleet.tsx";
import { HistoryPage } from "./pages/history.tsx";
import { InboxPage } from "./pages/inbox.tsx";
import { JobPage } from "./pages/job.tsx";
import { LoggedOut } from "./pages/logged-out.tsx";
import { PasskeyPage } from "./pages/passkey.tsx";
import { StatsPage } from "./pages/stats.tsx";
import { Bell } from "./parts/bell.tsx";
import { Connection } from "./parts/connection.tsx";
import { Key } from "./parts/key.tsx";

export function App() {
  const { inbox, ui } = useStore();
  const route = useRoute();
  const isOut = ui.login.state === "out";
  useBadge(inbox, ui.login.state === "in");
  useKeyboard(!isOut && route.page === "inbox");
  useNotices(inbox);
  useFocusKept();
  if (ui.login.state === "out") return <LoggedOut {...ui.login} />;
  return (
    <>
      <Head inbox={inbox} me={ui.me} page={route.page} />
      <Connection inbox={inbox} ui={ui} />
      {route.page === "inbox" && <InboxPage inbox={inbox} ui={ui} open={route.id} />}
      {route.page === "fleet" && <FleetPage />}
      {route.page === "history" && <HistoryPage inbox={inbox} query={route.query} id={route.id} />}
      {route.page === "stats" && <StatsPage filter={route.filter} />}
      {route.page === "device" && <DevicePage key={route.code} code={route.code} />}
      {route.page === "passkey" && <PasskeyPage key={route.code} code={route.code} />}
      {route.page === "job" && <JobPage id={route.id} />}
      <News inbox={inbox} />
      <Dialogs inbox={inbox} ui={ui} />
    </>
  );
}

function Head({ inbox, me, page }: { inbox: Inbox; me: Ui["me"]; page: Route["page"] }) {
  const count = waiting(inbox);
  const known = inbox.connection === "live" || inbox.items.size > 0;
  return (
    <header class="head">
      <button type="button" class="skip" onClick={toDecision}>
        Skip to the decision
      </button>
      <h1>
        <span class="brand" aria-hidden="true" />
        Oddjobs
      </h1>
      <nav aria-label="Places">
        <a href="#/" aria-current={page === "inbox" ? "page" : undefined}>
          Inbox <span class="count">{known ? count.toLocaleString("en") : "…"}</span>
          <span class="unseen"> waiting</span>
        </a>
        <a href="#/fleet" aria-current={page === "fleet" ? "page" : undefined}>
          Fleet
        </a>
        <a href="#/history" aria-current={page === "history" ? "page" : undefined}>
          History
        </a>
        <a href="#/stats" aria-current={page === "stats" ? "page" : undefined}>
          Stats
        </a>
      </nav>
      <span class="spacer" />
      {me !== null && me.roles !== null && <LogOut name={me.name} />}
      <Bell />
      <button
        type="button"
        class="second help-button"
        onClick={() => dispatch({ type: "key", key: { command: "help" } })}
      >
        Keys <Key>?</Key>
      </button>
    </header>
  );
}

/** For people who came through `oj serve`. */
function LogOut({ name }: { name: string }) {
  return (
    <button
      type="button"
      class="second log-out"
      title={`You are ${safeLine(name)}`}
      onClick={() =>
        void logOut().then((provider) =>
          setUi({ login: { state: "out", why: "", takesToken: true, provider } }),
        )
      }
    >
      Log out
    </button>
  );
}

function toDecision(): void {
  document.querySelector<HTMLElement>(".pane h2, .page h2")?.focus();
}
