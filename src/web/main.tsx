/** The page's start: log in when the address says so, then show what waits. */
import { render } from "preact";
import type { BriefList } from "../api.ts";
import { Refusal } from "../core/errors.ts";
import { webClient } from "./client.ts";
import { logIn, takeCode } from "./session.ts";

const root = document.getElementById("app");
if (!root) throw new Error("the page has no place for the app");
render(<p>Loading…</p>, root);
render(await page(), root);

async function page() {
  const code = takeCode(location, history);
  if (code !== null && !(await logIn(code)))
    return <LoggedOut why="This link was used before, or is too old." />;
  try {
    return <Waiting list={await webClient().briefs()} />;
  } catch (error) {
    if (error instanceof Refusal && error.code === "login.required")
      return <LoggedOut why="You are not logged in." />;
    return <p role="alert">{(error as Error).message}</p>;
  }
}

function LoggedOut({ why }: { why: string }) {
  return (
    <main>
      <p>{why}</p>
      <p>
        Type <code>oj web</code> in a terminal for a new link.
      </p>
    </main>
  );
}

function Waiting({ list }: { list: BriefList }) {
  return (
    <main>
      <h1>{list.decisions.length} waiting</h1>
      <ul>
        {list.decisions.map((it) => (
          <li key={it.id}>{it.title}</li>
        ))}
      </ul>
    </main>
  );
}
