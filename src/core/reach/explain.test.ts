import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { escalation } from "../../../test/fakes/escalated.ts";
import { reachOf } from "../../../test/fakes/reach.ts";
import { explainRoute } from "./explain.ts";

const config = reachOf({
  person: { ana: { mail: "ana@example.com" }, ben: { mail: "ben@example.com" } },
  channel: { mail: { smtp: "smtp://localhost", from: "oj@example.com" } },
  route: [{ notify: ["ana", "ben"], via: ["mail"] }],
});
const def = escalation();

/** Who is told, in order, as "level names via". */
function steps(own?: { def: typeof def; is_given?: true }): string[] {
  const asked: string[] = [];
  const planFor = ({ names, via }: { names: readonly string[]; via: readonly string[] | null }) => {
    asked.push(`${names.join(" ")} by ${via?.join(" ") ?? "any channel"}`);
    return { notices: [], missed: [] };
  };
  const decision = { project: "web", source: "request", urgency: "medium" } as const;
  const given = own ? { ...decision, escalation: own } : decision;
  const explained = explainRoute(config, given, { planFor, at_ms: 0 });
  return explained.steps.map((it, index) => `${it.level ?? "route"}: ${asked[index]}`);
}

describe("what is said of a route", () => {
  it("is whom it names", () => assert.deepEqual(steps(), ["route: ana ben by mail"]));

  it("is the levels alone where the decision has an escalation of its own", () =>
    assert.deepEqual(steps({ def }), ["1: ana by any channel", "2: ben by any channel"]));

  it("is both where the route gave the escalation", () =>
    assert.deepEqual(steps({ def, is_given: true }), [
      "route: ana ben by mail",
      "1: ana by any channel",
      "2: ben by any channel",
    ]));
});
