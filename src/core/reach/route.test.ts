import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Person, ReachConfig, RouteDef } from "./config-types.ts";
import type { Routed } from "./route.ts";
import { mismatchesOf, routeFor } from "./route.ts";
import { nameProblem, peopleOf } from "./who.ts";

const route = (given: Partial<RouteDef>): RouteDef => ({
  project: null,
  source: null,
  urgency: null,
  escalation: null,
  notify: [],
  via: null,
  ...given,
});
const person = (name: string): [string, Person] => [name, { name, addresses: {}, hours: null, digest: null }];
const config: ReachConfig = {
  people: new Map([person("ana"), person("ben"), person("carla")]),
  groups: new Map([["backend", ["ben", "carla"]]]),
  rotas: new Map([
    [
      "primary",
      { people: ["ana", "ben"], turn_ms: 86_400_000, from: { local: "2026-06-01T09:00", zone: "UTC" } },
    ],
  ]),
  channels: new Map(),
  routes: [
    route({ project: ["web"], source: ["approval", "plan"], urgency: ["high"], notify: ["ana"] }),
    route({ project: ["web"], notify: ["ben"] }),
    route({ source: ["question"], notify: ["carla"] }),
  ],
  webUrl: null,
  serveUrl: null,
  oidc: null,
  doors: { ssh: false, proxy: null, tailscale: null },
};
const decision: Routed = { project: "web", source: "approval", urgency: "high" };

describe("a route", () => {
  it("is the first that matches in everything it asks for", () => {
    const notified = (given: Partial<Routed>) => routeFor(config, { ...decision, ...given })?.notify;
    assert.deepEqual(notified({}), ["ana"]);
    assert.deepEqual(notified({ urgency: "low" }), ["ben"]);
    assert.deepEqual(notified({ project: "shop", source: "question" }), ["carla"]);
    assert.equal(notified({ project: "shop" }), undefined);
  });

  it("says what it misses", () => {
    const missed = mismatchesOf(config.routes[0] as RouteDef, {
      project: "shop",
      source: "gate",
      urgency: "high",
    });
    assert.deepEqual(missed, ["project is shop, not web", "source is gate, not approval or plan"]);
  });
});

describe("names", () => {
  const at = Date.parse("2026-06-02T10:00Z");
  const names = (...given: string[]) => peopleOf(config, given, at).map((it) => it.name);

  it("stand for people, groups and whose turn it is, each person once", () => {
    assert.deepEqual(names("@primary"), ["ben"]);
    assert.deepEqual(names("carla", "backend", "@primary", "ana"), ["carla", "ben", "ana"]);
    assert.deepEqual(names("nobody", "@nothing", "ana"), ["ana"]);
  });

  it("that nobody has come with a suggestion", () => {
    assert.equal(nameProblem(config, "backend"), null);
    assert.equal(nameProblem(config, "@primary"), null);
    assert.equal(
      nameProblem(config, "primary"),
      'unknown person or group "primary"; did you mean "@primary"?',
    );
    assert.equal(nameProblem(config, "@primry"), 'unknown rota "@primry"; did you mean "@primary"?');
  });
});
