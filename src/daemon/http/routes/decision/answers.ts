/** Decisions over HTTP: answer one or several, take an answer back. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { BatchResult, DecisionView } from "../../../../api/api.ts";
import { AS_IS, notEditable } from "../../../../core/decision/edited.ts";
import type { ResolveInput } from "../../../../core/decision/give.ts";
import { holdAnswer, resolveDecision } from "../../../../core/decision/give.ts";
import { undoAnswer } from "../../../../core/decision/undo.ts";
import { Refusal } from "../../../../core/model/errors.ts";
import { findDecision } from "../../../../core/model/state/find.ts";
import type { State } from "../../../../core/model/state/state.ts";
import * as schemas from "../../../views/schemas.ts";
import type { Principal } from "../../callers.ts";
import { errorBody } from "../../errors.ts";
import { answerableFor, answererOf, refuseOwn } from "../../principal.ts";
import { proofOf } from "../../proof.ts";
import { route } from "../../route.ts";
import type { Service } from "../../service.ts";
import { undoMs } from "../../undo-window.ts";

import { unheld, viewOf } from "./view.ts";

const UNHELD = "no hook waits for the answer any more, and keys take what is shown as it is";

export function answerRoutes(app: OpenAPIHono, service: Service): void {
  const { engine } = service;

  async function resolve(input: ResolveInput, caller: Principal): Promise<DecisionView> {
    const delay_ms = undoMs(service.settings, input.via);
    let { id } = input;
    await engine.run((state, moment) => {
      id = answerableFor(state, caller, input.id).id; // what the caller meant: others may begin like it
      refuseOwn(state, caller, id);
      if (input.input != null) refuseUnheld(state, id);
      const given = { ...input, id, ...answererOf(caller) };
      return delay_ms > 0
        ? holdAnswer(state, { ...given, delay_ms }, moment)
        : resolveDecision(state, given, moment);
    });
    return viewOf(service, id);
  }

  function refuseUnheld(state: Readonly<State>, text: string): void {
    const decision = findDecision(state, text);
    const why = unheld(state, decision, service);
    if (why !== null) throw notEditable(decision, why === "client" ? AS_IS : UNHELD);
  }

  route(
    app,
    {
      method: "post",
      path: "/decisions/{id}/resolve",
      right: "answer",
      scoped: true,
      summary: "Answer a decision: a choice, a message, or both",
      answers: true,
      params: schemas.idParam,
      body: schemas.resolveBody,
      returns: schemas.resolved,
    },
    async ({ params, body: { passkey, ...body }, by, via, caller }) => {
      const input = { id: params.id, ...body, by, via };
      const proof = passkey === null ? {} : { proof: await proofOf(service, input, caller, passkey) };
      const decision = await resolve({ ...input, ...proof }, caller);
      const chosen = (decision.answer ?? decision.held?.answer)?.chosen;
      const option = decision.options.find((it) => it.number === chosen) ?? null;
      return { decision, option };
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/decisions/{id}/undo",
      right: "answer",
      scoped: true,
      summary: "Take back an answer that has not been sent yet",
      answers: true,
      params: schemas.idParam,
      body: schemas.emptyBody,
      returns: schemas.decision,
    },
    async ({ params, by, caller }) => {
      let { id } = params;
      await engine.run((state, moment) => {
        id = answerableFor(state, caller, params.id).id;
        return undoAnswer(state, { id, by, ...answererOf(caller) }, moment);
      });
      return viewOf(service, id);
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/decisions/resolve",
      right: "answer",
      scoped: true,
      summary: "Answer several decisions the same way, each with its own result",
      answers: true,
      body: schemas.batchBody,
      returns: schemas.batch,
    },
    ({ body, by, via, caller }) => {
      const { ids, ...answer } = body;
      return Promise.all(
        ids.map(async (id): Promise<BatchResult> => {
          try {
            return { id, decision: await resolve({ id, ...answer, by, via }, caller) };
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            return { id, ...errorBody(error) };
          }
        }),
      );
    },
  );
}
