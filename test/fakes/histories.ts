/** Random histories of decisions, made by the rules themselves over months, with retention at work; the seed repeats one. */
import { clients } from "../../src/agents/known/clients.ts";
import { cancelJob, startJob } from "../../src/core/control/job.ts";
import { acknowledge, cancelDecision, deliver } from "../../src/core/decision/decision.ts";
import { holdAnswer, releaseAnswer, resolveDecision } from "../../src/core/decision/give.ts";
import { seeDecision } from "../../src/core/decision/seen.ts";
import { undoAnswer } from "../../src/core/decision/undo.ts";
import type { Via } from "../../src/core/model/decision-types.ts";
import type { Event, Fact } from "../../src/core/model/events.ts";
import type { DecisionId, JobId, Moment } from "../../src/core/model/ids.ts";
import type { State, WholeState } from "../../src/core/model/state/state.ts";
import { apply, emptyState } from "../../src/core/model/state/state.ts";
import { noticeFailed, noticeTold, oweNotices } from "../../src/core/reach/notices.ts";
import { autoClose } from "../../src/core/request/auto-close.ts";
import { requestDecision } from "../../src/core/request/request.ts";
import { forgetOld } from "../../src/core/retention.ts";
import { asker, jobDef, jobInput, requestInput } from "./core.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

export interface History {
  state: WholeState;
  events: Event[];
  now: number;
}

export function randomHistory(seed: number, steps: number): History {
  const random = randomFrom(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const state = emptyState();
  const events: Event[] = [];
  let now = Date.UTC(2026, 0, 5, 8);
  let ids = 0;

  function play(rule: (state: State, moment: Moment) => Fact[]): void {
    const moment: Moment = { at_ms: now, id: (kind) => `${kind}-${String(++ids).padStart(5, "0")}`, clients };
    for (const fact of rule(state, moment)) {
      const event = { seq: state.seq + 1, at_ms: now, ...fact } as Event;
      apply(state, event);
      events.push(event);
    }
  }

  const given = (id: string) => ({
    id,
    choices: [[1 + Math.floor(random() * 2)]],
    text: null,
    message: random() < 0.2 ? "please" : null,
    by: pick(["ana", "ben", 'c"y\\']),
    via: pick<Via>(["cli", "tui", "web", "slack", "mail"]),
  });
  const open = () => [...state.pending].filter((it) => !state.held.has(it));

  const moves: (() => void)[] = [
    () => {
      const project = pick(["shop", "bank", 'a "b"\n']);
      const requester = asker(`bot${Math.floor(random() * 1e6)}`);
      const prompt = `Question ${pick(["one", "two", "three"])} of run ${Math.floor(random() * 100)}?`;
      const recommend = random() < 0.5 ? 1 : null;
      play((it, moment) =>
        requestDecision(it, requestInput({ project, requester, prompt, recommend }), moment),
      );
    },
    () => {
      const id: JobId = `job-${String(++ids).padStart(5, "0")}`;
      const input = { ...jobInput(jobDef({ ask: { decision: { prompt: "Ship it?" } } })), id };
      play((it, moment) => startJob(it, input, moment));
    },
    () => withOpen((id) => play((it, moment) => resolveDecision(it, given(id), moment))),
    () =>
      withOpen((id) =>
        play((it, moment) => resolveDecision(it, { ...given(id), choices: [], option: "dismiss" }, moment)),
      ),
    () => withOpen((id) => play((it, moment) => holdAnswer(it, { ...given(id), delay_ms: 5000 }, moment))),
    () => withHeld((id) => play((it, moment) => undoAnswer(it, { id, by: "ana" }, moment))),
    () => withHeld((id) => play((it, moment) => releaseAnswer(it, { id }, moment))),
    () => withOpen((id) => play((it) => seeDecision(it, { id, by: "ana", via: "web" }))),
    () =>
      withOpen((id) => {
        if (state.decisions.get(id)?.owner.kind === "requester")
          play((it, moment) => cancelDecision(it, { id, by: "bot", reason: null }, moment));
      }),
    () =>
      withOpen((id) => {
        const { project = "" } = state.decisions.get(id) ?? {};
        play(() => [{ type: "decision:superseded", id, project, superseded_by: "dec-99999" }]);
      }),
    () =>
      withOpen((id) => {
        const { project = "" } = state.decisions.get(id) ?? {};
        const [by, via] = ["escalation:prod", "escalation"] as const;
        const words = { chosen: 1, choices: [[1]], labels: ["No"], text: null, message: null };
        const answer = { ...words, by, via, resolved_at_ms: now };
        const facts: Fact[] = [
          { type: "decision:expired", id, project, reason: "late", by, default: "no", answer },
        ];
        if (random() < 0.5) play(() => facts);
      }),
    () => {
      const input = { project: pick(["shop", "bank"]), threshold_ms: 3 * DAY, asked_at_ms: now };
      if (random() < 0.3) play((it, moment) => autoClose(it, input, moment));
    },
    () =>
      withOpen((id) => {
        const decision = state.decisions.get(id);
        const person = pick(["ana", "ben", null]);
        const names = person === null ? pick([["ana", "ben"], []]) : [person];
        const kind = pick(["slack", "mail", "push"] as const);
        const notice = {
          channel: kind,
          kind,
          person,
          names,
          to: person ?? "#room",
          reason: "asked",
        } as const;
        if (decision) play(() => oweNotices(decision, { notices: [notice], missed: [] }));
      }),
    () =>
      withNotice((id, key) => {
        const others = open().filter((it) => it !== id);
        const [first, second] = random() < 0.5 ? [id, ...others] : [...others.slice(0, 1), id];
        const together = random() < 0.3 && first && second ? { together: [first, second] } : {};
        play((it) => noticeTold(it, { id, key, ref: "r", shows: `${pick(["a", "b"])}`, ...together }));
      }),
    () =>
      withNotice((id, key) => {
        const retry_at_ms = random() < 0.5 ? now + MINUTE : null;
        play((it) => noticeFailed(it, { id, key, error: "451", face: null, retry_at_ms, instead: null }));
      }),
    () => {
      const owed = [...state.decisions.values()].filter((it) => it.delivery.state === "owed");
      const id = owed.length > 0 ? pick(owed).id : null;
      if (id) play((it, moment) => deliver(it, { id }, moment));
      now += 1000;
      if (id) play((it, moment) => acknowledge(it, { id }, moment));
    },
    () => {
      const jobs = [...state.active];
      if (jobs.length > 0 && random() < 0.3)
        play((it, moment) => cancelJob(it, { id: pick(jobs), by: "ana", reason: null }, moment));
    },
    () => {
      if (random() < 0.2)
        play((it) => forgetOld(it, { before_ms: now - 20 * DAY, max_decisions: 60, limit: 100 }));
    },
  ];

  function withOpen(act: (id: DecisionId) => void): void {
    const all = open();
    if (all.length > 0) act(pick(all));
  }
  function withNotice(act: (id: DecisionId, key: string) => void): void {
    withOpen((id) => {
      const notices = state.decisions.get(id)?.reach?.notices ?? [];
      if (notices.length > 0) act(id, pick(notices).key);
    });
  }
  function withHeld(act: (id: DecisionId) => void): void {
    const all = [...state.held];
    if (all.length > 0) act(pick(all));
  }

  for (let step = 0; step < steps; step++) {
    now += Math.floor(random() ** 4 * DAY) + Math.floor(random() * MINUTE);
    pick(moves)();
  }
  return { state, events, now };
}

/** mulberry32. */
function randomFrom(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
