/**
 * How a route is declared: its words and shapes are written once, for validation, for the types and for /openapi.json.
 */

import type { ServerResponse } from "node:http";
import type { OpenAPIHono, z } from "@hono/zod-openapi";
import { createRoute } from "@hono/zod-openapi";
import type { Context, Next } from "hono";
import { HEADERS } from "../../api/api.ts";
import type { Via } from "../../core/model/decision-types.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { State } from "../../core/model/state/state.ts";
import type { Right } from "../../core/rights/rights.ts";
import { ANYWHERE, may, maySomewhere, refuseUnless } from "../../core/rights/rights.ts";
import { version } from "../../version.ts";
import * as schemas from "../views/schemas.ts";
import type { Principal } from "./callers.ts";
import { webUser } from "./callers.ts";
import { holderOf, refuseAgents, viaOf } from "./principal.ts";
import { refuseAgentsWork } from "./step-caller.ts";
import type { Kind } from "./streams/places.ts";
import { inPlace } from "./streams/places.ts";
import type { Keeper } from "./while-trusted.ts";
import { canEnd, whileTrusted } from "./while-trusted.ts";

declare module "hono" {
  interface ContextVariableMap {
    keeper: Keeper;
  }
}

type Shape = z.ZodObject;

/**
 * The shape of a success, made when /openapi.json asks for it; without it the response is 204. A string is a content
 * type other than JSON.
 */
type Returns = (() => z.ZodType) | string | undefined;

/** What a handler returns, so that what is described is what is sent. */
type Sent<R extends Returns> = R extends () => z.ZodType
  ? Promise<z.output<ReturnType<R>> | Response>
  : R extends string
    ? Promise<Response>
    : Promise<void>;

export interface Spec<P extends Shape, Q extends Shape, B extends z.ZodType, R extends Returns> {
  method: "get" | "post" | "delete";
  /** As OpenAPI writes it: /decisions/{id} */
  path: string;
  summary: string;
  /**
   * Agents may call it too: the handler makes sure that they get only what is theirs. Without this, it is for people
   * only.
   */
  agents?: true;
  /** Programs with a token for MCP may call it too, and get only what is theirs. */
  services?: true;
  /** With this call a person speaks to an asker or an agent. A step that may run what an agent wrote can't use it. */
  answers?: true;
  /**
   * What a caller with a token must have the right to. Without this: to read for a GET, to administer for anything
   * else. Null: any token will do.
   */
  right?: Right | null;
  /** It is enough to have that right in one project: the handler looks at which. Otherwise it must be everywhere. */
  scoped?: true;
  /** It is about folders and programs of this machine: no token will do, whatever its rights. */
  here?: true;
  /** Only through the socket: it has more power than a page in a browser needs. */
  socket?: true;
  /**
   * The call may wait, so it ends when its caller is trusted no more. Throws a refusal if a caller with these rights may
   * not wait for this; what the route takes anyway is checked before.
   */
  waits?: (state: Readonly<State>, caller: Principal, params: z.output<P>) => void;
  /** It stays open: it takes a place of this kind, of which each caller has a share. */
  holds?: Kind;
  params?: P;
  query?: Q;
  body?: B;
  returns?: R;
}

export interface Given<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  caller: Principal;
  /** The caller's name; `via` is the door it came through. */
  by: string;
  via: Via;
  context: Context;
  /** Aborted when the caller goes away, or may wait no longer. */
  abort: AbortSignal;
  /** The caller with the rights they have by now: these may change while a call waits. */
  current(): Principal;
}

/** Declares a route and what it does. The handler returns a value for JSON, nothing for 204, or its own Response. */
export function route<P extends Shape, Q extends Shape, B extends z.ZodType, R extends Returns = undefined>(
  app: OpenAPIHono,
  spec: Spec<P, Q, B, R>,
  handle: (given: Given<z.output<P>, z.output<Q>, z.output<B>>) => Sent<R>,
): void {
  const { method, path, summary, agents, answers, socket, scoped, here, params, query, body, returns } = spec;
  const { waits, holds, right = method === "get" ? "read" : "admin" } = spec;
  const declared = createRoute({
    method,
    path,
    summary,
    middleware: [
      ...(agents ? [] : [peopleOnly]),
      ...(spec.services ? [] : [noServices]),
      ...(answers ? [noAgentsWork] : []),
      ...(socket ? [socketOnly] : []),
      ...(socket || here ? [hereOnly] : []),
      permitted(right, scoped === true),
    ],
    request: {
      ...(params ? { params } : {}),
      ...(query ? { query } : {}),
      ...(body ? { body: { content: { "application/json": { schema: body } }, required: true } } : {}),
    },
    responses: responsesOf(summary, returns),
  });
  app.openapi(declared, (async (context: Context) => {
    const caller = context.get("caller");
    const valid = (target: string): unknown => context.req.valid(target as never);
    const given = {
      params: (params ? valid("param") : {}) as z.output<P>,
      query: (query ? valid("query") : {}) as z.output<Q>,
      body: (body ? valid("json") : {}) as z.output<B>,
      caller,
      by: caller.name,
      via: viaOf(context, caller),
      context,
      current: () => caller,
      get abort() {
        return context.req.raw.signal; // created on demand: most calls don't need it
      },
    };
    const { outgoing } = context.env as { outgoing?: ServerResponse };
    const keeper = context.get("keeper");
    const handled = async (): Promise<unknown> =>
      waits && canEnd(caller)
        ? whileTrusted(keeper, {
            caller,
            check(state, now) {
              checkRight(now, right, scoped === true);
              waits(state, now, given.params);
            },
            abort: given.abort,
            outgoing,
            run: (abort, current) => handle({ ...given, abort, current }),
          })
        : handle(given);
    const result = await (holds === undefined
      ? handled()
      : inPlace(
          keeper.places.take(holds, holderOf(caller)),
          { outgoing, abort: given.abort, isHead: context.req.method === "HEAD" },
          handled,
        ));
    if (result instanceof Response) {
      // headers set on the context are not in a response made elsewhere
      result.headers.set(HEADERS.version, version);
      return result;
    }
    return result === undefined ? context.body(null, 204) : context.json(result as object);
  }) as never);
}

function responsesOf(summary: string, returns: Returns) {
  const refused = { default: { description: "refused", content: json(schemas.error) } };
  if (returns === undefined) return { 204: { description: "done" }, ...refused };
  const text = { schema: { type: "string" as const } };
  const content = typeof returns === "string" ? { [returns]: text } : json(returns);
  return { 200: { description: summary, content }, ...refused };
}

/** The schema is made when this is read. */
function json(made: () => z.ZodType) {
  return {
    get "application/json"() {
      return { schema: made() };
    },
  };
}

async function socketOnly(context: Context, next: Next): Promise<void> {
  if (webUser(context) !== null)
    throw new Refusal("request.forbidden", "do this in a terminal, not in a browser", "oj --help");
  await next();
}

async function hereOnly(context: Context, next: Next): Promise<void> {
  const caller = context.get("caller");
  if (caller.kind === "person" && caller.rights !== null)
    throw new Refusal("request.forbidden", "this can only be done on the machine itself", null);
  await next();
}

/** The gate for callers with a token: what a route needs is checked here, before it runs, for every route there is. */
function permitted(right: Right | null, scoped: boolean) {
  return async (context: Context, next: Next): Promise<void> => {
    checkRight(context.get("caller"), right, scoped);
    await next();
  };
}

function checkRight(caller: Principal, right: Right | null, scoped: boolean): void {
  if (right === null || caller.kind === "agent") return;
  if (caller.kind === "service")
    return refuseUnless(maySomewhere(caller.rights, right), caller, right, ANYWHERE);
  const is = scoped ? maySomewhere(caller.rights, right) : may(caller.rights, right, null);
  refuseUnless(is, caller, right, scoped ? ANYWHERE : null);
}

async function noAgentsWork(context: Context, next: Next): Promise<void> {
  const caller = context.get("caller");
  if (caller.kind === "person" && caller.step) refuseAgentsWork(caller.step);
  await next();
}

async function noServices(context: Context, next: Next): Promise<void> {
  const caller = context.get("caller");
  if (caller.kind === "service") refuseAgents(caller);
  await next();
}

/** Runs before anything else in the call is read. */
async function peopleOnly(context: Context, next: Next): Promise<void> {
  refuseAgents(context.get("caller"));
  await next();
}
