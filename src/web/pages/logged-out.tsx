/** Shown to a browser that is not logged in: how to log in. */
import { safeLine } from "../../text/safe.ts";

export function LoggedOut({ why }: { why: string }) {
  return (
    <main class="page out">
      <h1>
        <span class="brand" aria-hidden="true" />
        Oddjobs
      </h1>
      <p role="alert">{why === "" ? "You are not logged in here." : safeLine(why)}</p>
      <p>In a terminal, on the machine where Oddjobs runs:</p>
      <pre class="plain">oj web</pre>
      <p class="quiet">It prints a link that works once, and opens it if it can.</p>
    </main>
  );
}
