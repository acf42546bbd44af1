/** What there is to say about an agent that asks nothing: what it has not received, or what it waits for. */
import type { AgentView } from "../../api/api.ts";
import { silentBriefly } from "../../core/text/hook-settings.ts";
import { shortAge } from "../../core/text/words.ts";
import { safeLine } from "../../text/safe.ts";

type Owed = AgentView["owed"][number];

/** "answered, not delivered yet: dec-… (3 attempts)". Null if it has every answer that it is owed. */
function undelivered({ owed }: Pick<AgentView, "owed">): string | null {
  const waiting = owed.filter((it) => it.state === "owed" && it.decision_id !== null);
  const [first] = waiting;
  if (!first) return null;
  const more = waiting.length > 1 ? ` and ${waiting.length - 1} more` : "";
  return `answered, not delivered yet: ${first.decision_id}${more}${triesOf(first)}`;
}

function triesOf({ attempts }: Owed): string {
  return attempts > 0 ? ` (${attempts} ${attempts === 1 ? "attempt" : "attempts"})` : "";
}

/** A program reads its task when it first waits for words: that takes some seconds, and no longer. */
const TASK_MS = 60_000;

type Reader = Pick<AgentView, "owed" | "status" | "changed_at_ms">;

/** What was said to it and it doesn't have yet. Its own task is none of that until it is late. */
export function waitingMessages({ owed, status, changed_at_ms }: Reader, now: number): Owed[] {
  const isStarting = status === "starting" || (status === "working" && now - changed_at_ms < TASK_MS);
  return owed.filter((it) => it.decision_id === null && it.state === "owed" && !(it.task && isStarting));
}

/** "a message waits: the agent is working; it gets this when it stops". Empty if it has all that was said to it. */
export function messageWords(agent: Reader, now: number): string {
  const waiting = waitingMessages(agent, now);
  const [first] = waiting;
  if (!first) return "";
  const what = waiting.length === 1 ? "a message waits" : `${waiting.length} messages wait`;
  const { waits_for } = agent.owed.find((it) => it.state === "owed") ?? first; // what holds up all that is behind it
  const why = waits_for ? `: ${safeLine(waits_for)}` : ""; // a daemon of before doesn't say it
  return `${what}${why}${triesOf(first)}`;
}

/** Text that was typed to it without any reaction: a client that waits for text has not heard it. */
function unheard({ id, status, owed }: AgentView): string | null {
  const first = owed.find((it) => it.state === "delivered");
  if (!first || (status !== "idle" && status !== "errored")) return null;
  const what = first.decision_id ? `the answer to ${first.decision_id}` : "a message";
  return `has not acknowledged ${what}; look with oj agent peek ${id}, or send it again with oj agent send ${id}`;
}

/** What there is to say about an agent that asks nothing: what it has not received, what it waits for, or nothing. */
export function agentRemark(agent: AgentView, now: number): string {
  const said = messageWords(agent, now);
  return said === "" || undelivered(agent) !== null ? remarkBesides(agent, now) : said;
}

/** The same without messages, for those who show them by themselves. */
export function remarkBesides(agent: AgentView, now: number): string {
  const owed = undelivered(agent) ?? unheard(agent);
  if (owed !== null) return owed;
  if (agent.gate !== null) return `running its gate: ${safeLine(agent.gate)}`;
  if (agent.cooling_until_ms !== null)
    return `retries in ${shortAge(Math.max(5000, agent.cooling_until_ms - now))}`;
  if (agent.dismissed) return "its decision was dismissed";
  return agent.silent ? safeLine(silentBriefly(agent.silent)) : "";
}
