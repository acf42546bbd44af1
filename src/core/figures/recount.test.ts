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
  const sum = { asked: 0, answered: 0, expired: 0, withdrawn: 0, dismissed: 0, superseded: 0 };
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
    if (event.type === "decision:withdrawn") add("withdrawn");
    if (event.type === "decision:superseded") add("superseded");
  }
  return { sum, pending: open.size, about };
}

const tallyOf = ({ asked, answered, expired, withdrawn, dismissed, superseded }: Stats) => ({
  asked,
  answered,
  expired,
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
          const counted = events.filter(
            (it) => it.type === "decision:resolved" && it.state === "resolved" && it[key] === name,
          );
          assert.equal(answered, counted.length, `${key} ${name}`);
        }
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
      for (const le of [1, 60, 3600, 86_400])
        assert.equal(
          Number(new RegExp(`oj_answer_seconds_bucket{le="${le}"} (\\d+)`).exec(text)?.[1]),
          waits.filter((it) => it <= le * 1000).length,
          `within ${le} s`,
        );
    }
  });
});
