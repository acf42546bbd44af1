/** How every agent and job is doing, with what can be done about each; it follows what happens. */
import { useState } from "preact/hooks";
import type { ProjectFleet } from "../../api/api.ts";
import { shortAge } from "../../core/text/words.ts";
import type { FleetAction, FleetRow } from "../../inbox/fleet/row.ts";
import { actionsOf } from "../../inbox/fleet/row.ts";
import { rowsOf } from "../../inbox/fleet/rows.ts";
import { whenHeard } from "../../inbox/fleet/when-heard.ts";
import { safeLine } from "../../text/safe.ts";
import { client, errorOf } from "../base/api.ts";
import { useNow } from "../base/clock.ts";
import { useFresh } from "../base/fresh.ts";
import { decisionPath, go, jobPath } from "../base/route.ts";
import { dispatch } from "../base/store.ts";

/** Events that come within this time are shown together. */
const QUIET_MS = 200;

export function FleetPage() {
  const { value: fleet, error } = useFresh("fleet", () => client.fleet(), QUIET_MS);
  const now = useNow(1000);
  return (
    <main class="page fleet">
      <h2>Fleet</h2>
      {error !== null && (
        <p class="trouble" role="alert">
          {safeLine(error)}
        </p>
      )}
      {fleet === null && error === null && <p role="status">Loading…</p>}
      {fleet?.every((it) => rowsOf(it, now).length === 0) && (
        <p class="quiet">Nothing is running and nothing is waiting.</p>
      )}
      {fleet?.map((it) => (
        <Project key={it.project} fleet={it} now={now} />
      ))}
    </main>
  );
}

function Project({ fleet, now }: { fleet: ProjectFleet; now: number }) {
  const rows = rowsOf(fleet, now);
  if (rows.length === 0) return null;
  return (
    <section aria-label={safeLine(fleet.project)}>
      <h3>{safeLine(fleet.project)}</h3>
      <ul class="fleet-rows">
        {rows.map((row) => (
          <Row key={row.id} row={row} now={now} />
        ))}
      </ul>
    </section>
  );
}

function Row({ row, now }: { row: FleetRow; now: number }) {
  const { decision, about, waits, line } = row;
  const text = decision ? decision.title : about || waits || line;
  return (
    <li class={`fleet-row fleet-${row.state}`}>
      <details>
        <summary>
          <span class="fleet-state">{row.state}</span>
          <span class="fleet-age">{shortAge(now - row.since_ms)}</span>
          <span class="fleet-name">{row.name}</span>
          <span class={decision || about || waits ? "fleet-about" : "fleet-about printed"}>
            {safeLine(text)}
          </span>
        </summary>
        <div class="fleet-more">
          <p class="quiet">
            <code>{safeLine(row.id)}</code>
            {row.agent_id && <code>{row.agent_id}</code>}
            {decision && <code>{decision.id}</code>}
          </p>
          {waits !== "" && <p>{waits}</p>}
          {line !== "" && line !== text && <pre>{line}</pre>}
          <Actions row={row} />
        </div>
      </details>
    </li>
  );
}

/** What a page can't do, it says how to do in a terminal. */
function Actions({ row }: { row: FleetRow }) {
  const actions = actionsOf(row).map((it) => ({ ...it, call: callOf(it, row) }));
  const others = actions.filter((it) => it.call === null && it.type !== "send");
  return (
    <>
      <div class="fleet-actions">
        {actions.map(
          ({ type, label, call }) =>
            call && (
              <button key={type} type="button" class="second" onClick={() => void call().catch(refused)}>
                {label}
              </button>
            ),
        )}
      </div>
      {row.agent_id !== null && actions.some((it) => it.type === "send") && <Send agentId={row.agent_id} />}
      {others.length > 0 && (
        <ul class="fleet-commands">
          {others.map(({ type, label, command }) => (
            <li key={type}>
              {label}: <code>{command}</code>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function callOf({ type }: FleetAction, row: FleetRow): (() => Promise<void>) | null {
  const { decision, run_id, agent_id } = row;
  if (type === "answer" && decision) return async () => go(decisionPath(decision.id));
  if (type === "peek" && agent_id) return async () => dispatch({ type: "peek", agent_id });
  if (run_id === null) return null;
  if (type === "open") return async () => go(jobPath(run_id));
  if (type === "retry") return async () => void (await client.resumeJob(run_id, { message: null }));
  if (type === "drop") return async () => void (await client.seeFailure(run_id, { how: "dropped" }));
  if (type === "cancel")
    return async () => {
      if (window.confirm(`Cancel ${run_id}?`)) await client.cancelJob(run_id, { reason: null });
    };
  return null;
}

/** Words for an agent, as `oj agent send` takes them; what was typed stays if they are refused. */
function Send({ agentId }: { agentId: string }) {
  const [text, setText] = useState("");
  const [said, setSaid] = useState("");
  const [isSending, setSending] = useState(false);
  const send = async () => {
    setSending(true);
    try {
      const agent = await client.sendToAgent(agentId, { text });
      setText("");
      setSaid(whenHeard(agent));
    } catch (error) {
      const { message, hint } = errorOf(error);
      setSaid(hint === null ? message : `${message}: ${hint}`);
    }
    setSending(false);
  };
  return (
    <form
      class="fleet-send"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "" && !isSending) void send();
      }}
    >
      <input
        type="text"
        aria-label={`Words for ${agentId}`}
        placeholder="Words for the agent"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="second" disabled={text.trim() === "" || isSending}>
        Send
      </button>
      <p class="quiet" role="status">
        {safeLine(said)}
      </p>
    </form>
  );
}

function refused(error: unknown): void {
  dispatch({ type: "noted", text: errorOf(error).message });
}
