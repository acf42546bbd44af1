/** Streams events as they are committed: resumed by sequence number, filtered, never faster than they are read. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { Refusal } from "../../../core/model/errors.ts";
import type { Event } from "../../../core/model/events.ts";
import { idsOf } from "../../../core/model/events.ts";
import { followAborts } from "../../engine/abort-any.ts";
import * as schemas from "../../views/schemas.ts";
import type { Principal } from "../callers.ts";
import { decisionFor, mayRead, runFor } from "../principal.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

/** How many events may wait for a slow reader before its stream is ended; it can resume where it was. */
const MAX_WAITING = 10_000;
const PAGE = 500;
const KEEP_ALIVE_MS = 30_000;

export function eventRoutes(app: OpenAPIHono, service: Service): void {
  const { engine, ports } = service;

  route(
    app,
    {
      method: "get",
      path: "/events",
      scoped: true,
      waits: () => {},
      holds: "events",
      summary: "Server-sent events, after a sequence number (or `last-event-id`), then live",
      query: schemas.eventQuery,
      returns: "text/event-stream",
    },
    async ({ query, context, abort, current }) => {
      const filter = await filterOf(query, current());
      const wanted: Wanted = (event) => mayRead(current(), event.project) && filter(event);
      const after = query.after ?? lastId(context.req.header("last-event-id"));
      await refuseGone(after);
      const { signal, end } = followAborts(abort, service.stopping);
      return new Response(stream(after, wanted, signal, end), {
        headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
      });
    },
  );

  async function refuseGone(after: number | null): Promise<void> {
    const last = engine.seq();
    if (after !== null && after > last)
      throw new Refusal(
        "events.gone",
        `the last event is ${last}; there is no event ${after}`,
        `start again: /events?after=${last}`,
        { last },
      );
    if (after === null || after === 0) return; // from now on, or everything that is kept
    const [oldest] = await ports.log.look(after, 1);
    if (!oldest || oldest.seq <= after + 1) return;
    throw new Refusal(
      "events.gone",
      `events before ${oldest.seq} are no longer kept`,
      `start again: /events?after=${oldest.seq - 1}`,
      { first: oldest.seq },
    );
  }

  type Wanted = (event: Event) => boolean;

  async function filterOf(
    query: {
      types?: string | undefined;
      project?: string | undefined;
      job?: string | undefined;
      decision?: string | undefined;
    },
    caller: Principal,
  ): Promise<Wanted> {
    const types =
      query.types
        ?.split(",")
        .map((it) => it.trim())
        .filter((it) => it !== "") ?? [];
    const { job, decision } = query;
    const ids = await engine.read((state) => [
      ...(job === undefined ? [] : [runFor(state, caller, job).id]),
      ...(decision === undefined ? [] : [decisionFor(state, caller, decision).id]),
    ]);
    return (event) =>
      (types.length === 0 || types.some((it) => matches(it, event.type))) &&
      (query.project === undefined || event.project === query.project) &&
      ids.every((id) => idsOf(event).includes(id));
  }

  /** First the events in the log, page by page as they are read; then what is committed from now on. */
  function stream(
    from: number | null,
    wanted: Wanted,
    abort: AbortSignal,
    leave: () => void,
  ): ReadableStream<Uint8Array> {
    const waiting: Event[] = [];
    let sent = from ?? engine.seq();
    let wake = () => {};
    let tooSlow = false;
    let closed = false;
    const unwatch = engine.watch((events) => {
      if (waiting.length > MAX_WAITING) tooSlow = true;
      else for (const event of events) waiting.push(event);
      wake();
    });
    const beat = setInterval(() => wake(), KEEP_ALIVE_MS);
    const close = () => {
      closed = true;
      leave();
      unwatch();
      clearInterval(beat);
      wake();
    };
    if (abort.aborted)
      close(); // the caller left before the stream began
    else abort.addEventListener("abort", close, { once: true });
    let live = from === null;
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          controller.enqueue(bytes(": oj\n\n"));
        },
        async pull(controller) {
          let text = "";
          while (text === "" && !closed) {
            if (tooSlow) break;
            const events = live ? waiting.splice(0, PAGE) : await ports.log.look(sent, PAGE);
            if (!live && events.length === 0) live = true;
            for (const event of events) {
              if (event.seq <= sent) continue;
              sent = event.seq;
              if (wanted(event))
                text += `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
            }
            if (text !== "" || !live || waiting.length > 0) continue;
            const before = performance.now();
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
            if (waiting.length === 0 && performance.now() - before >= KEEP_ALIVE_MS / 2)
              text = ": still here\n\n";
          }
          if (text !== "") controller.enqueue(bytes(text));
          if (tooSlow) controller.enqueue(bytes(": too slow; resume after the last id\n\n"));
          if (tooSlow || closed) {
            close();
            controller.close();
          }
        },
        cancel: close,
      },
      { highWaterMark: 1 },
    );
  }
}

function lastId(header: string | undefined): number | null {
  if (header === undefined) return null;
  const id = Number(header);
  if (!Number.isInteger(id)) throw new Refusal("request.invalid", "last-event-id must be a sequence number");
  return id;
}

/** `decision:*` means every type that begins with `decision:`. */
function matches(pattern: string, type: string): boolean {
  return pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
