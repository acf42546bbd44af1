/** Erasing the texts of a decision over HTTP: reads what there is of it, and has it erased in one turn. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Remnant } from "../../../../core/control/erase.ts";
import { basisOf, eraseTexts, refuseUnfinished, remnantIn } from "../../../../core/control/erase.ts";
import type { Decision } from "../../../../core/model/decision-types.ts";
import { eraserOf } from "../../../../core/model/erased/remnant.ts";
import { Refusal } from "../../../../core/model/errors.ts";
import type { Event } from "../../../../core/model/events.ts";
import type { DecisionId } from "../../../../core/model/ids.ts";
import { findDecision } from "../../../../core/model/state/find.ts";
import { replay } from "../../../../core/model/state/state.ts";
import type { Log } from "../../../../ports.ts";
import * as schemas from "../../../views/schemas.ts";
import { route } from "../../route.ts";
import type { Service } from "../../service.ts";

/** Events that are looked at in one go, so that appends never wait long. */
const SLICE = 1000;
/** So often what is erased may change while it is read. */
const TRIES = 5;

export function eraseRoutes(app: OpenAPIHono, { engine, ports }: Service): void {
  route(
    app,
    {
      method: "post",
      path: "/decisions/{id}/erase",
      summary: "Erase the texts of a decision that is over; who did it is recorded",
      params: schemas.idParam,
      body: schemas.eraseBody,
      returns: schemas.erased,
    },
    async ({ params, body, by, via, abort }) => {
      const { log, journal } = ports;
      for (let left = TRIES; left > 0; left--) {
        const decision = await decisionIn(log, await inState(params.id), params.id, abort);
        const basis = await engine.read((state) => basisOf(state, decision));
        const remnants = await remnantsOf(log, decision, abort);
        const forget = log.leaving(remnants);
        try {
          const { id, project } = decision;
          const events = await engine.run((state) => {
            if (basisOf(state, decision) !== basis) return [];
            return eraseTexts(state, { id, project, by, via, reason: body.reason, records: remnants });
          });
          if (events.length === 0) continue;
          const problem = await log.scour().then(
            () => null,
            (error: Error) => error.message,
          );
          if (problem !== null) journal.warn("erased texts are still on disk", { error: problem });
          return { id, events: remnants.length, problem };
        } finally {
          forget();
        }
      }
      throw new Refusal("decision.not-over", `${params.id} keeps changing.`, "try again in a moment");
    },
  );

  /** Null: it was deleted long ago, and only the log has it. */
  async function inState(text: string): Promise<Decision | null> {
    return engine.read((state) => {
      const isThere = state.decisions.gist(text as DecisionId) !== undefined;
      if (!isThere && /^dec-\w{10}$/.test(text)) return null;
      const decision = findDecision(state, text);
      refuseUnfinished(state, decision);
      return decision;
    });
  }
}

async function decisionIn(
  log: Pick<Log, "find">,
  known: Decision | null,
  id: string,
  abort: AbortSignal,
): Promise<Decision> {
  if (known !== null) return known;
  const own: Event[] = [];
  for await (const event of naming(log, [id], abort))
    if ((event as { id?: unknown }).id === id && event.type !== "decision:deleted") own.push(event);
  const decision = replay(own).decisions.get(id as DecisionId);
  if (!decision) throw new Refusal("decision.not-found", `There is no decision ${id}.`, "oj decisions --all");
  return decision;
}

async function remnantsOf(
  log: Pick<Log, "find">,
  decision: Decision,
  abort: AbortSignal,
): Promise<Remnant[]> {
  const eraser = eraserOf(decision);
  const remnants: Remnant[] = [];
  for await (const event of naming(log, eraser.ids, abort)) {
    const left = eraser.remnantOf(event);
    if (left !== null) remnants.push(remnantIn(left));
  }
  return remnants;
}

/** Every event that names one of these, from the beginning. */
async function* naming(
  log: Pick<Log, "find">,
  ids: readonly string[],
  abort: AbortSignal,
): AsyncGenerator<Event> {
  for (let after: number | null = 0; after !== null; ) {
    if (abort.aborted) throw new Refusal("request.invalid", "The caller has gone; nothing was erased.", null);
    const { events, last }: { events: Event[]; last: number | null } = await log.find(after, SLICE, ids);
    yield* events;
    after = last;
  }
}
