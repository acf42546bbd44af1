/** Queues over HTTP: adding to what a session is told next, taking it, and looking at it. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { DrainResult, QueueView } from "../../../api/api.ts";
import type { Recipient } from "../../../core/model/queue-types.ts";
import { nameRecipient, sessionRecipient } from "../../../core/model/queue-types.ts";
import type { State } from "../../../core/model/state/state.ts";
import { drain, drainOf, enqueue } from "../../../core/outbox/queue.ts";
import { drainWords } from "../../../core/text/queue-words.ts";
import * as schemas from "../../views/schemas.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function injectRoutes(app: OpenAPIHono, { engine }: Service): void {
  route(
    app,
    {
      method: "post",
      path: "/inject",
      here: true,
      socket: true,
      summary: "Queue a message for a session or a name. The same id twice is one entry",
      body: schemas.injectBody,
      returns: schemas.queue,
    },
    async ({ body, by }) => {
      const recipient = recipientOf(body);
      const { id, kind, text, project } = body;
      await engine.run((state, moment) =>
        enqueue(state, {
          recipient,
          project,
          kind,
          text,
          id: id ?? moment.id("msg"),
          decision_id: null,
          from: by,
        }),
      );
      return engine.read((state) => queueView(state, recipient));
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/inject/drain",
      here: true,
      socket: true,
      summary: "Take what is waiting, once. The same drain_id returns the same entries again",
      body: schemas.drainBody,
      returns: schemas.drained,
    },
    async ({ body }): Promise<DrainResult> => {
      const { drain_id, limit } = body;
      const recipient = recipientOf(body);
      await engine.run((state, moment) => drain(state, { recipient, drain_id, limit, open: false }, moment));
      return engine.read((state) => {
        const taken = drainOf(state, { recipient, drain_id });
        const waiting = state.queues.get(recipient)?.entries.length ?? 0;
        const { entries, left_out } = taken ?? { entries: [], left_out: 0 };
        const text = taken ? drainWords(taken, waiting) : "";
        return { recipient, drain_id, entries: [...entries], left_out, waiting, text };
      });
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/inject",
      summary: "How many messages wait for whom",
      query: schemas.projectQuery,
      returns: () => schemas.queue().array(),
    },
    ({ query }) =>
      engine.read((state) =>
        [...state.queues.values()]
          .filter((it) => query.project === undefined || it.project === query.project)
          .map((it) => queueView(state, it.recipient)),
      ),
  );
}

interface Given {
  project: string;
  session?: string | undefined;
  as?: string | undefined;
}

function recipientOf({ session, as, project }: Given): Recipient {
  return session === undefined ? nameRecipient(project, as ?? "") : sessionRecipient(session);
}

function queueView(state: Readonly<State>, recipient: Recipient): QueueView {
  const queue = state.queues.get(recipient);
  const [oldest] = queue?.entries ?? [];
  return {
    recipient,
    project: queue?.project ?? "",
    waiting: queue?.entries.length ?? 0,
    answers: queue?.entries.filter((it) => it.kind === "answer").length ?? 0,
    in_hand: queue?.drains.filter((it) => it.open).reduce((sum, it) => sum + it.entries.length, 0) ?? 0,
    left_out: queue?.left_out ?? 0,
    count: queue?.count ?? 0,
    oldest_at_ms: oldest?.at_ms ?? null,
    changed_at_ms: queue?.changed_at_ms ?? 0,
  };
}
