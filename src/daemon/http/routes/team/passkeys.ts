/** Passkeys over HTTP: links to register one, registering, listing, removing; and what an answer has to sign. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { Refusal } from "../../../../core/model/errors.ts";
import { findDecision } from "../../../../core/model/state/find.ts";
import { passkeysOf, removePasskey } from "../../../../core/rights/passkey.ts";
import * as schemas from "../../../views/schemas.ts";
import { answerableFor, answererOf, refuseSessions } from "../../principal.ts";
import { route } from "../../route.ts";
import type { Service } from "../../service.ts";

export function passkeyRoutes(app: OpenAPIHono, service: Service): void {
  const { engine, passkeys, logins, owner, webUrl, port, localhost, people } = service;

  route(
    app,
    {
      method: "get",
      path: "/passkeys",
      right: "admin",
      summary: "The passkeys of people; their secrets are on people's devices alone",
      returns: () => schemas.passkey().array(),
    },
    () =>
      engine.read((state) =>
        passkeysOf(state).map(({ member, passkey }) => {
          const { id, label, rp_id, added_at_ms, used_at_ms } = passkey;
          return { id, person: member.id, label, rp_id, added_at_ms, used_at_ms: used_at_ms ?? null };
        }),
      ),
  );

  route(
    app,
    {
      method: "post",
      path: "/passkeys/links",
      right: "admin",
      socket: true,
      answers: true,
      summary: "A link with which a person registers one passkey, within ten minutes",
      body: schemas.passkeyLinkBody,
      returns: schemas.passkeyLink,
    },
    async ({ body: { person }, by, caller }) => {
      refuseSessions(caller);
      const isOwner = person === owner() && caller.kind === "person" && caller.rights === null;
      const elsewhere = isOwner ? webUrl() : people().serveUrl;
      if (elsewhere === null && !(await localhost.isOurs())) throw notOurs(port);
      const base = elsewhere ?? `http://localhost:${port}`; // a passkey needs a name: it can't be for an address
      const { code } = await passkeys.invite(person);
      const fragment = new URLSearchParams({ passkey: code });
      // in a browser, the machine's own user is let in by the same link; everybody else logs in themselves
      if (isOwner) fragment.set("login", logins.makeCode(by).code);
      return { url: `${base}/#${fragment}` };
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/passkeys/begin",
      right: null,
      answers: true,
      summary: "What a browser is asked for, to register a passkey with that link",
      body: schemas.passkeyBeginBody,
      returns: schemas.passkeyBegun,
    },
    ({ body }) => passkeys.begin(body.code),
  );

  route(
    app,
    {
      method: "post",
      path: "/passkeys",
      right: null,
      answers: true,
      summary: "Register the passkey that a browser has made",
      body: schemas.passkeyBody,
    },
    ({ body, by }) => passkeys.register(body, by),
  );

  route(
    app,
    {
      method: "post",
      path: "/passkeys/remove",
      right: "admin",
      answers: true,
      summary: "Remove a passkey, by its id or the beginning of it",
      body: schemas.passkeyRemoveBody,
    },
    async ({ body, by }) => {
      await engine.run((state) => removePasskey(state, { id: body.id, by }));
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/decisions/{id}/challenge",
      right: "answer",
      scoped: true,
      answers: true,
      summary: "What a passkey has to sign for exactly this answer",
      params: schemas.idParam,
      body: schemas.answerBody,
      returns: schemas.passkeyAsked,
    },
    async ({ params, body, caller }) => {
      const id = await engine.read((state) => answerableFor(state, caller, params.id).id);
      const decision = await engine.read((state) => findDecision(state, id));
      return passkeys.ask(decision, answererOf(caller).who ?? "", body);
    },
  );
}

/** Whoever listens there would read the codes in the link. */
function notOurs(port: number): Refusal {
  return new Refusal(
    "login.refused",
    `somebody else on this machine listens at [::1]:${port}, where localhost may lead`,
    `see who it is: ss -ltnp 'sport = :${port}'; or set web.url to a name of your own`,
  );
}
