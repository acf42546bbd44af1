/** Registering a passkey, with a link that was made in a terminal. */
import { useState } from "preact/hooks";
import { safeLine } from "../../text/safe.ts";
import { errorOf } from "../base/api.ts";
import { register } from "../base/passkey.ts";

export function PasskeyPage({ code }: { code: string }) {
  const [label, setLabel] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ isError: boolean; text: string } | null>(null);
  const add = () => {
    setBusy(true);
    register(code, label.trim() || "a browser")
      .then(
        (person) => setSaid({ isError: false, text: `The passkey of ${person} is registered.` }),
        (error: unknown) => setSaid({ isError: true, text: errorOf(error).message }),
      )
      .finally(() => setBusy(false));
  };
  return (
    <main class="page device">
      <h2 tabIndex={-1}>Register a passkey</h2>
      <p class="quiet">
        With it you sign answers that can't be undone: your device asks for your finger, face or PIN each
        time.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <label>
          What to call it{" "}
          <input
            type="text"
            value={label}
            maxLength={100}
            placeholder="phone"
            onInput={(event) => setLabel(event.currentTarget.value)}
          />
        </label>{" "}
        <button type="submit" class="send" disabled={isBusy || (said !== null && !said.isError)}>
          Register
        </button>
      </form>
      {said && <p role={said.isError ? "alert" : "status"}>{safeLine(said.text)}</p>}
    </main>
  );
}
