/** A job or crew: its steps and their decisions, as a timeline that grows while the page is open. */
import { useEffect, useState } from "preact/hooks";
import type { RunView, StepView } from "../../api/api.ts";
import type { Event } from "../../core/model/events.ts";
import { describeAge } from "../../core/text/words.ts";
import { safe, safeLine } from "../../text/safe.ts";
import { client } from "../base/api.ts";
import { duration, localTime, useNow } from "../base/clock.ts";
import { watchEvents } from "../base/connect.ts";
import { decisionPath, jobPath } from "../base/route.ts";
import { allEvents, Events } from "../decision/timeline.tsx";

export function JobPage({ id }: { id: string }) {
  const { job, events, error } = useJob(id);
  const now = useNow(1000);
  if (error !== null)
    return (
      <main class="page">
        <p class="trouble" role="alert">
          {safeLine(error)}
        </p>
        <a href="#/">Back to the inbox</a>
      </main>
    );
  if (!job)
    return (
      <main class="page">
        <p role="status">Loading…</p>
      </main>
    );
  const vars = Object.entries(job.vars);
  return (
    <main class="page job">
      <div class="decision-head">
        <span class={`tag status-${job.status}`}>{job.status}</span>
        <span class="tag">{safeLine(job.project)}</span>
        <code class="id">{job.id}</code>
      </div>
      <h2>{safeLine(job.name)}</h2>
      <dl class="facts">
        <Fact name="started" value={`${describeAge(now - job.created_at_ms)}, by ${job.by}`} />
        <Fact
          name="took"
          value={job.finished_at_ms === null ? "" : duration(job.finished_at_ms - job.created_at_ms)}
        />
        <Fact name="folder" value={job.workspace ?? job.cwd} />
        <Fact name="branch" value={job.branch ?? ""} />
        <Fact name="reason" value={job.reason ?? ""} />
        {vars.map(([name, value]) => (
          <Fact key={name} name={name} value={typeof value === "string" ? value : value.join(" ")} />
        ))}
        {job.parent && (
          <div>
            <dt>part of</dt>
            <dd>
              <a href={jobPath(job.parent)}>{job.parent}</a>
            </dd>
          </div>
        )}
      </dl>
      {job.error && <p class="trouble">{safe(job.error)}</p>}
      {job.blocked_by.length > 0 && (
        <p class="blocked">
          Waiting for{" "}
          {job.blocked_by.map((it) => (
            <a key={it.decision_id} href={decisionPath(it.decision_id)}>
              {safeLine(it.title)}
            </a>
          ))}
        </p>
      )}
      {job.steps.length === 0 && job.pending_decision && (
        <p class="blocked">
          Waiting for <a href={decisionPath(job.pending_decision)}>{job.pending_decision}</a>
        </p>
      )}
      {job.steps.length > 0 && <h3>Steps</h3>}
      <ol class="steps">
        {job.steps.map((step) => (
          <Step key={step.name} step={step} events={events} now={now} isCurrent={job.step === step.name} />
        ))}
      </ol>
      <details class="timeline-box">
        <summary>Everything that happened ({events.length})</summary>
        <Events events={events} of="job" />
      </details>
    </main>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return value === "" ? null : (
    <div>
      <dt>{safeLine(name)}</dt>
      <dd>{safeLine(value)}</dd>
    </div>
  );
}

interface StepGiven {
  step: StepView;
  events: readonly Event[];
  now: number;
  isCurrent: boolean;
}

function Step({ step, events, now, isCurrent }: StepGiven) {
  const { name, status, started_at_ms, finished_at_ms, error, exit_code, entries, child_id } = step;
  const took = started_at_ms === null ? "" : duration((finished_at_ms ?? now) - started_at_ms);
  return (
    <li class={`step ${status}`} aria-current={isCurrent ? "step" : undefined}>
      <div class="step-head">
        <strong>{safeLine(name)}</strong>
        <span class={`tag status-${status}`}>{status}</span>
        {entries > 1 && <span class="quiet">entered {entries} times</span>}
        {took !== "" && (
          <span class="quiet" title={started_at_ms === null ? "" : localTime(started_at_ms)}>
            {took}
          </span>
        )}
        {exit_code !== null && exit_code !== 0 && <span class="quiet">exit {exit_code}</span>}
      </div>
      {error && <p class="trouble">{safe(error)}</p>}
      {child_id && <a href={jobPath(child_id)}>{child_id}</a>}
      <StepDecisions step={name} events={events} />
    </li>
  );
}

interface Met {
  id: string;
  title: string;
  source: string;
  at_ms: number;
  end: string;
}

function StepDecisions({ step, events }: { step: string; events: readonly Event[] }) {
  const met = decisionsOf(events, step);
  if (met.length === 0) return null;
  return (
    <ol class="met">
      {met.map((it) => (
        <li key={it.id}>
          <span class={`tag source-${it.source}`}>{it.source}</span>{" "}
          <a href={decisionPath(it.id)}>{safeLine(it.title)}</a> <span class="quiet">{safeLine(it.end)}</span>
        </li>
      ))}
    </ol>
  );
}

/** The decisions of this step, each with its outcome. */
function decisionsOf(events: readonly Event[], step: string): Met[] {
  const met = new Map<string, Met>();
  for (const event of events) {
    if (event.type === "decision:created") {
      const { id, title, source, owner, at_ms } = event;
      if (owner.kind === "job" && owner.step === step)
        met.set(id, { id, title, source, at_ms, end: "waits" });
    } else if (event.type.startsWith("decision:") && "id" in event) {
      const one = met.get(event.id as string);
      if (one) one.end = endOf(event) ?? one.end;
    }
  }
  return [...met.values()];
}

function endOf(event: Event): string | null {
  switch (event.type) {
    case "decision:resolved":
      return `${event.labels.join(", ") || event.text || "a message"}, by ${event.by}`;
    case "decision:held":
      return `${event.answer.labels.join(", ")}, to be sent soon`;
    case "decision:undone":
      return "waits";
    case "decision:superseded":
      return "replaced";
    case "decision:withdrawn":
    case "decision:expired":
      return event.reason;
    default:
      return null;
  }
}

function useJob(id: string) {
  const [job, setJob] = useState<RunView | null>(null);
  const [events, setEvents] = useState<readonly Event[]>([]);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    let wanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      timer = undefined;
      try {
        const [view, all] = await Promise.all([
          client.job(id),
          allEvents((after) => client.jobEvents(id, { after })),
        ]);
        if (!wanted) return;
        setJob(view);
        if (view.status === "failed") void client.seeFailure(id, { how: "opened" }).catch(() => {});
        setEvents(all);
        setError(null);
      } catch (problem) {
        if (wanted) setError((problem as Error).message);
      }
    };
    void look();
    const stop = watchEvents((heard) => {
      if (heard.some((it) => JSON.stringify(it).includes(id))) timer ??= setTimeout(() => void look(), 100);
    });
    return () => {
      wanted = false;
      clearTimeout(timer);
      stop();
    };
  }, [id]);
  return { job, events, error };
}
