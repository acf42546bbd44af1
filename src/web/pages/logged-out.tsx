/** Shown to a browser that is not logged in: how to log in, or the place to do it. */
import { useState } from "preact/hooks";
import { safeLine } from "../../text/safe.ts";
import { logInWith } from "../base/session.ts";

export function LoggedOut({ why, takesToken }: { why: string; takesToken: boolean }) {
  if (takesToken) return <WithToken why={why} />;
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

/** On another machine: a person's token. It is sent once, and not kept. */
function WithToken({ why }: { why: string }) {
  const [token, setToken] = useState("");
  const [trouble, setTrouble] = useState(why);
  const send = async () => {
    const refused = await logInWith(token.trim());
    if (refused === null) location.reload();
    else setTrouble(refused);
  };
  return (
    <main class="page out">
      <h1>
        <span class="brand" aria-hidden="true" />
        Oddjobs
      </h1>
      {trouble !== "" && <p role="alert">{safeLine(trouble)}</p>}
      <form
        class="log-in"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <label for="token">Your token</label>
        <input
          id="token"
          class="log-in-token"
          type="password"
          autocomplete="current-password"
          required
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <button type="submit" class="send">
          Log in
        </button>
      </form>
      <p class="quiet">Whoever runs this server makes it:</p>
      <pre class="plain">oj token create --for NAME --scope answer</pre>
    </main>
  );
}
