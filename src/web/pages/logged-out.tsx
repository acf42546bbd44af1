/** Shown to a browser that is not logged in: how to log in, or the place to do it. */
import { useState } from "preact/hooks";
import { safeLine } from "../../text/safe.ts";
import { leaveForProvider, logInWith } from "../base/session.ts";
import type { Out } from "../base/store.ts";

export function LoggedOut({ why, takesToken, provider }: Out) {
  if (takesToken) return <Elsewhere why={why} provider={provider} />;
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

/** On another machine: with the provider, or with a person's token. */
function Elsewhere({ why, provider }: Pick<Out, "why" | "provider">) {
  const [trouble, setTrouble] = useState(why);
  return (
    <main class="page out">
      <h1>
        <span class="brand" aria-hidden="true" />
        Oddjobs
      </h1>
      {trouble !== "" && <p role="alert">{safeLine(trouble)}</p>}
      {provider !== null && <WithProvider name={provider} setTrouble={setTrouble} />}
      <WithToken isSecond={provider !== null} setTrouble={setTrouble} />
      <p class="quiet">Whoever runs this server makes it:</p>
      <pre class="plain">oj token create --for NAME --scope answer</pre>
    </main>
  );
}

interface Way {
  setTrouble(why: string): void;
}

function WithProvider({ name, setTrouble }: Way & { name: string }) {
  const [isBusy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    setTrouble((await leaveForProvider(location)) ?? "");
    setBusy(false); // the provider's page comes; whoever goes back finds the button as it was
  };
  return (
    <>
      <p>
        <button type="button" class="send" disabled={isBusy} onClick={() => void leave()}>
          Log in with {safeLine(name)}
        </button>
      </p>
      <p class="quiet">or with a token:</p>
    </>
  );
}

/** It is sent once, and not kept. */
function WithToken({ isSecond, setTrouble }: Way & { isSecond: boolean }) {
  const [token, setToken] = useState("");
  const send = async () => {
    const refused = await logInWith(token.trim());
    if (refused === null) location.reload();
    else setTrouble(refused);
  };
  return (
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
      <button type="submit" class={isSecond ? "second" : "send"}>
        Log in
      </button>
    </form>
  );
}
