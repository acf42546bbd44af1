/** The browser inbox as people at a terminal manage it, over HTTP: links to it, and which browsers are logged in. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { Refusal } from "../../../core/model/errors.ts";
import { findDecision } from "../../../core/model/state/find.ts";
import * as schemas from "../../views/schemas.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function webRoutes(app: OpenAPIHono, { engine, logins, port, webUrl, browsers }: Service): void {
  /** Whoever is logged out gets no messages either. */
  async function logOut(id: string | null): Promise<{ ended: number }> {
    const ended = await logins.end(id);
    await (await browsers())?.remove({ login: id });
    return { ended };
  }

  route(
    app,
    {
      method: "post",
      path: "/web/links",
      here: true,
      socket: true,
      summary: "A link that logs one browser in, once, within two minutes",
      answers: true,
      body: schemas.webLinkBody,
      returns: schemas.webLink,
    },
    async ({ body: { decision, elsewhere }, by }) => {
      const base = elsewhere ? webUrl() : `http://127.0.0.1:${port}`;
      if (base === null)
        throw new Refusal(
          "config.invalid",
          "your config does not say where the inbox is reached from elsewhere",
          '[web] url = "https://…"; see docs/web.md',
        );
      const shown =
        decision === undefined ? null : await engine.read((state) => findDecision(state, decision).id);
      const { code, expires_at_ms } = logins.makeCode(by);
      // In the fragment, which browsers never send: it ends up in no log and no referrer.
      const fragment = new URLSearchParams({ login: code, ...(shown ? { decision: shown } : {}) });
      return { url: `${base}/#${fragment}`, expires_at_ms };
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/web/logins",
      here: true,
      summary: "The browsers that are logged in",
      returns: () => schemas.webLogin().array(),
    },
    async () => logins.list(),
  );

  route(
    app,
    {
      method: "delete",
      path: "/web/logins",
      here: true,
      summary: "Log out every browser, and void unused links",
      returns: schemas.webLoginsEnded,
    },
    () => logOut(null),
  );

  route(
    app,
    {
      method: "delete",
      path: "/web/logins/{id}",
      here: true,
      summary: "Log out one browser",
      params: schemas.idParam,
      returns: schemas.webLoginsEnded,
    },
    ({ params }) => logOut(params.id),
  );
}
