/** "I'm on it", and "later": claims and snoozes of decisions, and their end. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { DecisionView } from "../../../api/api.ts";
import { findDecision } from "../../../core/model/state/find.ts";
import { claimDecision, releaseDecision, snoozeDecision } from "../../../core/reach/claim.ts";
import type { Rule } from "../../engine/engine.ts";
import * as schemas from "../../views/schemas.ts";
import { decisionView } from "../../views/views.ts";
import { answererOf } from "../principal.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function claimRoutes(app: OpenAPIHono, { engine, people }: Service): void {
  const changed = async (id: string, rule: Rule): Promise<DecisionView> => {
    await engine.run(rule);
    return engine.read((state) => decisionView(findDecision(state, id)));
  };

  route(
    app,
    {
      method: "post",
      path: "/decisions/{id}/claim",
      summary: "Say that you are on it: its escalation pauses",
      answers: true,
      right: "answer",
      params: schemas.idParam,
      body: schemas.claimBody,
      returns: schemas.decision,
    },
    ({ params: { id }, body: { for_ms }, by, via, caller }) =>
      changed(id, (state, moment) =>
        claimDecision(state, { id, by, who: answererOf(caller).who, via, for_ms }, moment),
      ),
  );

  route(
    app,
    {
      method: "post",
      path: "/decisions/{id}/release",
      summary: "End a claim or a snooze: its escalation continues",
      answers: true,
      right: "answer",
      params: schemas.idParam,
      body: schemas.emptyBody,
      returns: schemas.decision,
    },
    ({ params: { id }, by, caller }) =>
      changed(id, (state, moment) =>
        releaseDecision(state, { id, by, who: answererOf(caller).who, config: people() }, moment),
      ),
  );

  route(
    app,
    {
      method: "post",
      path: "/decisions/{id}/snooze",
      summary: "Hear of it later: nobody is reminded until then",
      answers: true,
      right: "answer",
      params: schemas.idParam,
      body: schemas.snoozeBody,
      returns: schemas.decision,
    },
    ({ params: { id }, body: { for_ms }, by, via, caller }) =>
      changed(id, (state, moment) =>
        snoozeDecision(state, { id, by, who: answererOf(caller).who, via, for_ms }, moment),
      ),
  );
}
