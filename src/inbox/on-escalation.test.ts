/** What an open card says of its escalation without loading it again: the same as the daemon would say. */
import assert from "node:assert/strict";
import { it, onTestFinished } from "vitest";
import { escalated, escalation, HOUR, MINUTE } from "../../test/fakes/escalated.ts";
import { A, desk } from "../../test/fakes/inbox.ts";
import type { DecisionView } from "../api/api.ts";
import { claimDecision, releaseDecision, snoozeDecision } from "../core/reach/claim.ts";
import { decisionView } from "../daemon/views/views.ts";

const waitsIn = ({ escalation, claimed, snoozed, deadline_at_ms, default: key }: DecisionView) => ({
  escalation,
  claimed,
  snoozed,
  deadline_at_ms,
  key,
});

it("levels, claims and their ends show on an open card as they happen", async () => {
  const world = await escalated({
    escalation: escalation({ repeat: 1, deadline_ms: 5 * HOUR, default: "stop" }),
  });
  onTestFinished(() => world.stop());
  const { id } = world;
  const card = desk(decisionView(await world.decision()));
  let heard = world.events().length;
  const told: (string | null)[] = [];
  const compare = async () => {
    card.put({ type: "events", events: world.events().slice(heard) });
    heard = world.events().length;
    const shown = card.inbox.details.get(id) ?? assert.fail("the card is gone");
    assert.deepEqual(waitsIn(shown), waitsIn(decisionView(await world.decision())));
    const { escalation, claimed, snoozed } = shown;
    told.push(`${escalation?.round} ${escalation?.level} ${claimed?.by ?? snoozed?.by ?? "nobody"}`);
  };
  const who = { id, by: "ben", via: "web" } as const;
  await compare();
  await world.pass(20 * MINUTE);
  await compare();
  await world.run((state, moment) => claimDecision(state, { ...who, for_ms: HOUR }, moment));
  await compare();
  await world.pass(10 * MINUTE);
  await world.run((state, moment) => snoozeDecision(state, { ...who, for_ms: HOUR }, moment));
  await compare();
  await world.run((state, moment) => releaseDecision(state, { ...who, config: null }, moment));
  await compare();
  await world.pass(30 * MINUTE);
  await compare();
  await world.pass(2 * HOUR);
  await compare();
  assert.deepEqual(told, [
    "0 1 nobody",
    "0 2 nobody",
    "0 2 ben",
    "0 2 ben",
    "0 2 nobody",
    "1 1 nobody",
    "1 2 nobody",
  ]);
});

it("an escalation that a route gives shows with its deadline and default", () => {
  const world = desk(A);
  const given = escalation({ name: "night" });
  world.put({
    type: "events",
    events: [
      {
        type: "escalation:given",
        seq: 1,
        at_ms: 5,
        id: A.id,
        project: A.project,
        escalation: given,
        deadline_at_ms: 900,
        default: "no",
      },
    ],
  });
  const shown = world.inbox.details.get(A.id);
  assert.deepEqual(
    [shown?.escalation?.name, shown?.escalation?.levels, shown?.deadline_at_ms, shown?.default],
    ["night", 2, 900, "no"],
  );
});
