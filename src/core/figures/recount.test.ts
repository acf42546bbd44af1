/** The figures against a recount of the log by other code, on random histories in which much was deleted. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { randomHistory } from "../../../test/fakes/histories.ts";
import { metricsText } from "../../daemon/views/metrics.ts";
import type { Event } from "../model/events.ts";
import { replay } from "../model/state/state.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import type { Stats } from "./stats.ts";
import { statsOf } from "./stats.ts";
import { totalsOf } from "./totals.ts";

const EVER = { since_ms: null, until_ms: null, project: null, source: null, zone: "UTC" };
const histories = Array.from({ length: 12 }, (_, seed) => randomHistory(seed + 1, 900));

/** Reads nothing but the log. */
function recount(
  events: readonly Event[],
  wants: (event: Event, project: string, source: string) => boolean,
) {
  const about = new Map<string, { project: string; source: string; at_ms: number }>();
  const open = new Set<string>();
  const sum = { asked: 0, answered: 0, expired: 0, defaulted: 0, withdrawn: 0, dismissed: 0, superseded: 0 };
  for (const event of events) {
    if (event.type === "decision:created") {
      about.set(event.id, { project: event.project, source: event.source, at_ms: event.at_ms });
      open.add(event.id);
    }
    if (!event.type.startsWith("decision:")) continue;
    const { project, source } = about.get((event as { id: string }).id) ?? { project: "", source: "" };
    const isWanted = wants(event, project, source);
    const add = (name: keyof typeof sum) => {
      if (isWanted) sum[name]++;
      if (name !== "asked") open.delete((event as { id: string }).id);
    };
    if (event.type === "decision:created") add("asked");
    if (event.type === "decision:resolved") add(event.state === "dismissed" ? "dismissed" : "answered");
    if (event.type === "decision:expired") add("expired");
    if (event.type === "decision:expired" && event.answer) add("defaulted");
    if (event.type === "decision:withdrawn") add("withdrawn");
    if (event.type === "decision:superseded") add("superseded");
  }
  return { sum, pending: open.size, about };
}

/** Every message that was to be sent, and what became of it. Reads nothing but the log. */
function noticesIn(events: readonly Event[]) {
  const found = new Map<
    string,
    { channel: string; sent: boolean; failures: number; isOver: boolean; id: string }
  >();
  const open = new Set<string>();
  for (const event of events) {
    if (event.type === "decision:created" || event.type === "decision:undone") open.add(event.id);
    else if (/^decision:(held|resolved|expired|withdrawn|superseded|deleted)$/.test(event.type))
      open.delete((event as { id: string }).id);
    if (event.type === "notice:owed")
      for (const { key, kind } of event.notices)
        found.set(`${event.id} ${key}`, {
          channel: kind,
          sent: false,
          failures: 0,
          isOver: false,
          id: event.id,
        });
    if (event.type !== "notice:sent" && event.type !== "notice:failed") continue;
    const notice = found.get(`${event.id} ${event.key}`);
    if (!notice) continue;
    if (event.type === "notice:sent") notice.sent = true;
    else notice.failures++;
    if (event.type === "notice:failed" && event.retry_at_ms === null) notice.isOver = true;
  }
  return [...found.values()].map((it) => ({ ...it, isOwed: open.has(it.id) && !it.sent && !it.isOver }));
}

/** Reads nothing but the log. */
function interruptionsIn(events: readonly Event[]) {
  const people = new Map<string, readonly string[]>();
  return events.flatMap((event) => {
    if (event.type === "notice:owed")
      for (const { key, person, names } of event.notices)
        people.set(`${event.id} ${key}`, person === null ? names : [person]);
    if (event.type !== "notice:sent" || (event.together && event.together[0] !== event.id)) return [];
    const { at_ms, project } = event;
    return (people.get(`${event.id} ${event.key}`) ?? []).map((person) => ({ person, at_ms, project }));
  });
}

const tallyOf = ({ asked, answered, expired, defaulted, withdrawn, dismissed, superseded }: Stats) => ({
  asked,
  answered,
  expired,
  defaulted,
  withdrawn,
  dismissed,
  superseded,
});

describe("the figures equal a recount of the log", () => {
  it("on histories in which everything happens and most is deleted", () => {
    const types = new Set(histories.flatMap(({ events }) => events.map((it) => it.type)));
    for (const type of [
      "resolved",
      "expired",
      "withdrawn",
      "superseded",
      "undone",
      "seen",
      "deleted",
      "acknowledged",
    ])
      assert.ok(types.has(`decision:${type}` as Event["type"]), type);
    for (const type of ["owed", "sent", "changed", "failed"])
      assert.ok(types.has(`notice:${type}` as Event["type"]), type);
    for (const { state, events } of histories) {
      const asked = events.filter((it) => it.type === "decision:created").length;
      assert.ok(state.decisions.size < asked / 2, "much was deleted");
    }
  });

  it("since ever, in all and by project and source", () => {
    for (const { state, events, now } of histories) {
      const all = recount(events, () => true);
      assert.deepEqual(tallyOf(statsOf(state, EVER, now)), all.sum);
      assert.equal(statsOf(state, EVER, now).pending, all.pending);
      for (const project of ["shop", "bank", 'a "b"\n']) {
        const own = recount(events, (_, it) => it === project);
        assert.deepEqual(tallyOf(statsOf(state, { ...EVER, project }, now)), own.sum, project);
      }
      for (const group of statsOf(state, EVER, now).by_source) {
        const { name, answer: _, ...tally } = group;
        assert.deepEqual(tally, recount(events, (__, ___, source) => source === name).sum, name);
      }
    }
  });

  it("in any span that begins and ends with a day, and says when it had to round", () => {
    const DAY = 86_400_000;
    for (const { state, events, now } of histories) {
      for (const days of [1, 3, 10, 30]) {
        const since_ms = Math.floor(now / DAY) * DAY - days * DAY;
        const stats = statsOf(state, { ...EVER, since_ms }, now);
        const recounted = recount(events, (event) => event.at_ms >= since_ms).sum;
        if (!stats.is_rounded) assert.deepEqual(tallyOf(stats), recounted, `${days} days`);
        else assert.ok(stats.asked >= recounted.asked);
        const sum = (of: (it: Stats["days"][number]) => number) =>
          stats.days.reduce((it, day) => it + of(day), 0);
        if (!stats.is_rounded)
          assert.equal(
            sum((it) => it.asked),
            stats.asked,
          );
      }
      assert.equal(statsOf(state, { ...EVER, since_ms: Math.floor(now / DAY) * DAY }, now).is_rounded, false);
    }
  });

  it("by who answered and where", () => {
    for (const { state, events, now } of histories) {
      const stats = statsOf(state, EVER, now);
      for (const [groups, key] of [
        [stats.by_person, "by"],
        [stats.by_channel, "via"],
      ] as const)
        for (const { name, answered } of groups) {
          const parts = stats.answers.filter((it) => (key === "by" ? it.person : it.channel) === name);
          assert.equal(
            answered,
            parts.reduce((sum, it) => sum + it.answered, 0),
            name,
          );
          const counted = events.filter(
            (it) => it.type === "decision:resolved" && it.state === "resolved" && it[key] === name,
          );
          assert.equal(answered, counted.length, `${key} ${name}`);
        }
    }
  });

  it("by whom messages interrupted: one message once, however many decisions it was about", () => {
    for (const { state, events, now } of histories) {
      const counted = interruptionsIn(events);
      const stats = statsOf(state, EVER, now);
      assert.equal(
        stats.interruptions.reduce((sum, it) => sum + it.count, 0),
        counted.length,
      );
      for (const { person, hours } of stats.interruptions)
        for (const [hour, count] of hours.entries())
          assert.equal(
            count,
            counted.filter((it) => it.person === person && new Date(it.at_ms).getUTCHours() === hour).length,
            `${person} at ${hour}`,
          );
      const project = "shop";
      const own = statsOf(state, { ...EVER, project }, now).interruptions;
      assert.equal(
        own.reduce((sum, it) => sum + it.count, 0),
        counted.filter((it) => it.project === project).length,
      );
    }
  });

  it("after a restart from a snapshot, and whatever the log is folded from", () => {
    for (const { state, events, now } of histories) {
      const half = replay(events.slice(0, events.length / 2));
      const restarted = replay(events.slice(events.length / 2), decodeState(encodeState(half)));
      assert.equal(encodeState(restarted), encodeState(state));
      assert.deepEqual(statsOf(restarted, EVER, now), statsOf(state, EVER, now));
    }
  });

  it("in Prometheus' format: what became stale, until it is answered", () => {
    const [history] = histories.filter(({ state }) => state.pending.size > 0);
    assert.ok(history);
    const { state, events, now: at_ms } = history;
    const [id] = state.pending;
    assert.ok(id);
    const project = state.decisions.get(id)?.project ?? "";
    const facts = [
      { type: "decision:stale", id, project, since_ms: at_ms },
      { type: "decision:withdrawn", id, project, reason: "enough", by: "ana" },
    ];
    const counts = [0, 1, 2].map((happened) => {
      const more = facts
        .slice(0, happened)
        .map((it, at) => ({ ...it, at_ms, seq: state.seq + 1 + at }) as Event);
      return totalsOf(replay([...events, ...more])).stale.map((it) => [it.project, it.count]);
    });
    assert.deepEqual(counts, [[], [[project, 1]], []]);
  });

  it("in Prometheus' format: asked, ended, pending, and how long answers took", () => {
    for (const { state, events, now } of histories) {
      const running = { version: "1", uptime_ms: 1, seq: state.seq, memory_bytes: 1, live_agents: 0, now };
      const text = metricsText(totalsOf(state), running);
      const sumOf = (name: string) =>
        text
          .split("\n")
          .filter((it) => it.startsWith(`${name}{`) || it.startsWith(`${name} `))
          .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
      const { sum, pending, about } = recount(events, () => true);
      assert.equal(sumOf("oj_decisions_total"), sum.asked);
      assert.equal(sumOf("oj_decisions_pending"), pending);
      assert.equal(
        sumOf("oj_decisions_settled_total"),
        sum.answered + sum.expired + sum.withdrawn + sum.dismissed + sum.superseded,
      );
      assert.equal(sumOf("oj_answers_total"), sum.answered);
      assert.equal(sumOf("oj_answer_seconds_count"), sum.answered);
      const waits = events.flatMap((it) =>
        it.type === "decision:resolved" && it.state === "resolved"
          ? it.at_ms - (about.get(it.id)?.at_ms ?? 0)
          : [],
      );
      assert.equal(sumOf("oj_answer_seconds_sum"), waits.reduce((a, b) => a + b, 0) / 1000);
      const notices = noticesIn(events);
      assert.equal(sumOf("oj_interruptions_total"), interruptionsIn(events).length);
      for (const channel of ["slack", "mail", "push"]) {
        const of = (name: string) => sumOf(`${name}{channel="${channel}"}`);
        const counted = notices.filter((it) => it.channel === channel);
        assert.equal(of("oj_notices_sent_total"), counted.filter((it) => it.sent).length, channel);
        assert.equal(
          of("oj_notices_failed_total"),
          counted.reduce((sum, it) => sum + it.failures, 0),
          channel,
        );
        assert.equal(of("oj_notices_owed"), counted.filter((it) => it.isOwed).length, channel);
      }
      for (const le of [1, 60, 3600, 86_400])
        assert.equal(
          Number(new RegExp(`oj_answer_seconds_bucket{le="${le}"} (\\d+)`).exec(text)?.[1]),
          waits.filter((it) => it <= le * 1000).length,
          `within ${le} s`,
        );
    }
  });
});
