/** Push messages over HTTP: the browsers that get them, and how a browser joins. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { Refusal } from "../../../core/model/errors.ts";
import * as schemas from "../../views/schemas.ts";
import type { Browsers } from "../browsers.ts";
import { webLogin } from "../callers.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function pushRoutes(app: OpenAPIHono, { browsers, knows }: Service): void {
  /** Messages go to people of the config: a login has its person by name. */
  function whyNot(known: Browsers | null, person: string): string | null {
    if (known === null) return "your config has no people to send to";
    return knows(person) ? null : `your config has no [person.${person}]`;
  }

  route(
    app,
    {
      method: "get",
      path: "/push/subscriptions",
      here: true,
      summary: "The browsers that get push messages, and the key that a browser joins with",
      returns: schemas.pushStatus,
    },
    async ({ by }) => {
      const known = await browsers();
      const why = whyNot(known, by);
      return {
        public_key: why === null ? (known?.publicKey ?? null) : null,
        why,
        subscriptions: known?.list() ?? [],
      };
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/push/subscriptions",
      here: true,
      summary: "Send push messages for the caller to this browser",
      answers: true, // a message may carry the right to answer
      body: schemas.pushSubscriptionBody,
      returns: schemas.pushSubscription,
    },
    async ({ body, by, context }) => {
      const known = await browsers();
      const why = whyNot(known, by);
      if (known === null || why !== null)
        throw new Refusal("request.not-found", `push messages are not set up for ${by}: ${why}`, SETUP);
      const browser = context.req.header("user-agent") ?? "";
      return known.add({ person: by, login: webLogin(context), browser, body });
    },
  );

  route(
    app,
    {
      method: "delete",
      path: "/push/subscriptions/{id}",
      here: true,
      summary: "Send this browser no more push messages",
      params: schemas.idParam,
    },
    async ({ params: { id } }) => {
      const removed = await (await browsers())?.remove({ id });
      if (!removed) throw new Refusal("request.not-found", `there is no browser ${id}`, "oj web --devices");
    },
  );
}

const SETUP = "see docs/channels/push.md";
