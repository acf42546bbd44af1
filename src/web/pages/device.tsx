/** Approving a login that was asked for with a code on another machine. What that machine says of itself is not trusted. */
import { useEffect, useState } from "preact/hooks";
import type { DeviceWaiting } from "../../api/api.ts";
import { formatDuration } from "../../core/text/duration.ts";
import { localTime } from "../../inbox/card/times.ts";
import { safeLine } from "../../text/safe.ts";
import { client, errorOf } from "../base/api.ts";

export function DevicePage({ code: given }: { code: string }) {
  const [code, setCode] = useState(given);
  const [waiting, setWaiting] = useState<DeviceWaiting | null>(null);
  const [said, setSaid] = useState<{ isError: boolean; text: string } | null>(null);
  const tell = (error: unknown) => setSaid({ isError: true, text: errorOf(error).message });
  const look = () => {
    setSaid(null);
    setWaiting(null);
    client.device(code).then(setWaiting, tell);
  };
  const done = (text: string) => {
    setWaiting(null);
    setCode("");
    setSaid({ isError: false, text });
  };
  return (
    <main class="page device">
      <h2 tabIndex={-1}>Approve a login</h2>
      <p class="quiet">
        On a machine without a browser, <code>oj login</code> shows a code of eight letters.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          look();
        }}
      >
        <label>
          Code{" "}
          <input
            type="text"
            value={code}
            autocomplete="off"
            spellcheck={false}
            maxLength={20}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        </label>{" "}
        <button type="submit" class="second" disabled={code.trim() === ""}>
          Look it up
        </button>
      </form>
      {said && <p role={said.isError ? "alert" : "status"}>{safeLine(said.text)}</p>}
      {waiting && <Asked waiting={waiting} onDone={done} onError={tell} />}
    </main>
  );
}

interface AskedGiven {
  waiting: DeviceWaiting;
  onDone(text: string): void;
  onError(error: unknown): void;
}

function Asked({ waiting, onDone, onError }: AskedGiven) {
  const [people, setPeople] = useState<string[]>([]);
  const [person, setPerson] = useState(waiting.person);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    // only who administers may see them, and log others in
    client.people().then(
      (all) => {
        const names = all.map((it) => it.name);
        setPeople(names);
        if (!names.includes(waiting.person)) setPerson(names[0] ?? "");
      },
      () => setPeople([waiting.person]),
    );
  }, [waiting]);
  const act = (work: Promise<unknown>, text: string) => {
    setBusy(true);
    work.then(() => onDone(text), onError).finally(() => setBusy(false));
  };
  const label = safeLine(waiting.label);
  return (
    <section aria-label="The login">
      <p>
        <strong>{label}</strong> asks to log in. It calls itself that: make sure that it is you who asks, just
        now.
      </p>
      <dl class="facts">
        <dt>From</dt>
        <dd>
          {safeLine(waiting.address)}, {localTime(waiting.asked_at_ms)}
        </dd>
        <dt>It could</dt>
        <dd>{waiting.scopes.join(", ")}, as far as the person's roles allow</dd>
        <dt>For</dt>
        <dd>{formatDuration(waiting.lasts_ms)} at most</dd>
        <dt>As</dt>
        <dd>
          <select aria-label="As" value={person} onChange={(event) => setPerson(event.currentTarget.value)}>
            {people.map((name) => (
              <option key={name} value={name}>
                {safeLine(name)}
              </option>
            ))}
          </select>
        </dd>
      </dl>
      <div class="confirm">
        <button
          type="button"
          class="second"
          disabled={isBusy}
          onClick={() => act(client.denyDevice(waiting.code), `${waiting.code} is denied.`)}
        >
          Deny
        </button>
        <button
          type="button"
          class="send"
          disabled={isBusy || person === ""}
          onClick={() =>
            act(client.approveDevice(waiting.code, person), `${label} is logged in as ${person}.`)
          }
        >
          Approve
        </button>
      </div>
    </section>
  );
}
