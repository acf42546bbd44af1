/** The clock of a level on the nights when the clocks change: walked by the engine, in virtual time. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { escalated, escalation, HOUR, MINUTE } from "../../../test/fakes/escalated.ts";
import { claimDecision } from "../../core/reach/claim.ts";
import type { ReachConfig } from "../../core/reach/config-types.ts";
import { parseHours } from "../../core/reach/hours-text.ts";

const QUARTER = 15 * MINUTE;

/** Ana is on duty in these hours. */
function onDuty(text: string): ReachConfig {
  const hours = parseHours(text);
  if ("problem" in hours) throw new Error(hours.problem);
  const ana = { name: "ana", addresses: { exec: "ana" }, hours, digest: null };
  const none = {
    groups: new Map(),
    rotas: new Map(),
    channels: new Map(),
    routes: [],
    webUrl: null,
    serveUrl: null,
    oidc: null,
    doors: { ssh: false, proxy: null, tailscale: null },
  };
  return { ...none, people: new Map([["ana", ana]]) };
}

/** When ben is told, if ana has so many minutes of her hours; and when she herself was reminded. */
async function walked(night: { hours: string; asked: string; minutes: number; claimed?: number }) {
  const asked = Date.parse(night.asked);
  const it = await escalated({
    at_ms: asked,
    config: onDuty(night.hours),
    escalation: escalation({
      clock: "working",
      levels: [
        { notify: ["ana"], via: null, remind_ms: HOUR, next_ms: night.minutes * MINUTE },
        { notify: ["ben"], via: null, remind_ms: null, next_ms: null },
      ],
    }),
  });
  if (night.claimed !== undefined) {
    const claim = { id: it.id, by: "ana", via: "cli", for_ms: night.claimed * MINUTE } as const;
    await it.run((state, moment) => claimDecision(state, claim, moment));
  }
  await it.pass(48 * HOUR, QUARTER);
  await it.stop();
  const when = (reason: string, name: string) => {
    const found = it.told.find((one) => one.reason === reason && one.names.includes(name));
    return found ? new Date(asked + found.minute * MINUTE).toISOString().slice(0, 16) : null;
  };
  return { reminded: when("reminder", "ana"), next: when("level", "ben"), count: it.told.length };
}

const NIGHTS = "mon-sun 22:00-04:00";

/**
 * Asked at 22:00 on the wall, when her hours begin. They end at 04:00 on the wall, which is an hour (on Lord Howe, half
 * an hour) sooner or later than on other nights; what is left goes on at 22:00 of the next evening.
 */
const TABLE: [zone: string, change: string, asked: string, minutes: number, next: string][] = [
  ["Europe/Berlin", "no change", "2026-06-10T20:00Z", 330, "2026-06-11T01:30"],
  ["Europe/Berlin", "an hour is skipped", "2026-03-28T21:00Z", 330, "2026-03-29T20:30"],
  ["Europe/Berlin", "an hour comes twice", "2026-10-24T20:00Z", 390, "2026-10-25T02:30"],
  ["America/New_York", "an hour is skipped", "2026-03-08T03:00Z", 330, "2026-03-09T02:30"],
  ["America/New_York", "an hour comes twice", "2026-11-01T02:00Z", 390, "2026-11-01T08:30"],
  ["America/St_Johns", "an hour is skipped", "2026-03-08T01:30Z", 330, "2026-03-09T01:00"],
  ["America/St_Johns", "an hour comes twice", "2026-11-01T00:30Z", 390, "2026-11-01T07:00"],
  ["Australia/Lord_Howe", "half an hour is skipped", "2026-10-03T11:30Z", 345, "2026-10-04T11:15"],
  ["Australia/Lord_Howe", "half an hour comes twice", "2026-04-04T11:00Z", 375, "2026-04-04T17:15"],
  ["Asia/Kolkata", "no change", "2026-03-28T16:30Z", 375, "2026-03-29T16:45"],
];

describe("an escalation that counts working hours, at night", () => {
  it.each(TABLE)("%s, when %s", async (zone, _change, asked, minutes, next) => {
    const reminded = new Date(Date.parse(asked) + HOUR).toISOString().slice(0, 16);
    const walk = await walked({ hours: `${NIGHTS} ${zone}`, asked, minutes });
    assert.deepEqual(walk, { reminded, next, count: 3 });
  });

  it.each([
    ["Europe/Berlin", "2026-03-28T21:00Z", 330, "2026-03-29T21:30"],
    ["Europe/Berlin", "2026-10-24T20:00Z", 390, "2026-10-25T21:30"],
    ["Australia/Lord_Howe", "2026-10-03T11:30Z", 330, "2026-10-04T12:00"],
  ])("goes on with what was left after a claim of an hour: %s, %s", async (zone, asked, minutes, next) => {
    const walk = await walked({ hours: `${NIGHTS} ${zone}`, asked, minutes, claimed: 60 });
    assert.equal(walk.next, next);
  });

  it("waits for the morning after a weekend on which the clocks changed", async () => {
    const asked = "2026-03-27T16:00Z"; // Friday, 17:00 in Berlin
    const walk = await walked({ hours: "mon-fri 08:00-18:00 Europe/Berlin", asked, minutes: 90 });
    assert.equal(walk.reminded, "2026-03-27T17:00");
    assert.equal(walk.next, null, "not in these 48 hours");
  });
});
