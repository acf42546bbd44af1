import assert from "node:assert/strict";
import { describe as group, it } from "vitest";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import type { DecisionView } from "../../api/api.ts";
import { describe } from "./describe.ts";

type Notice = DecisionView["notices"][number];
const notice = (more: Partial<Notice>): Notice => ({
  channel: "slack",
  to: "ana",
  state: "sent",
  at_ms: NOW,
  error: null,
  ...more,
});
const facts = (more: Partial<DecisionView>) =>
  Object.fromEntries(describe(decision(more as never), NOW).facts.map((it) => [it.name, it.text]));

group("the card", () => {
  it("says who was told, by what, and what did not get through", () => {
    const notices = [
      notice({}),
      notice({ channel: "mail", state: "failed", error: "mailbox full" }),
      notice({ to: "ben", channel: "push", state: "owed" }),
    ];
    assert.equal(facts({ notices }).told, "ana (slack, mail: mailbox full), ben (push, later)");
  });

  it("says why nobody was", () => {
    const { told, "not notified": why } = facts({ not_notified: "nobody: no route matches" });
    assert.deepEqual([told, why], [undefined, "nobody: no route matches"]);
  });
});
