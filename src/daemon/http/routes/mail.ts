/** Mails that come in, over HTTP: what `oj mail receive` hands over. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import * as schemas from "../../views/schemas.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function mailRoutes(app: OpenAPIHono, { receiveMail }: Service): void {
  route(
    app,
    {
      method: "post",
      path: "/mail",
      here: true,
      socket: true,
      summary: "A mail that came in: a reply, or a bounce",
      answers: true,
      body: schemas.mailBody,
      returns: schemas.mailReceipt,
    },
    ({ body: { mail, delivery } }) => receiveMail(mail, delivery),
  );
}
