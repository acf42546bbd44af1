/**
 * Logging in on a machine without a browser, over HTTP (after RFC 8628). The first two routes are for strangers: all
 * that they can do is to ask, and to hear what became of it.
 */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { HEADERS } from "../../../../api/api.ts";
import { Refusal } from "../../../../core/model/errors.ts";
import { approveDevice } from "../../../../core/rights/device.ts";
import { findToken } from "../../../../core/rights/people.ts";
import { may } from "../../../../core/rights/rights.ts";
import type { Waiting } from "../../../secrets/device-codes.ts";
import { INTERVAL_S } from "../../../secrets/device-codes.ts";
import { isHashOf, tokenIdIn } from "../../../secrets/person-tokens.ts";
import * as schemas from "../../../views/schemas.ts";
import type { Principal } from "../../callers.ts";
import { refuseAgents, refuseSessions } from "../../principal.ts";
import { route } from "../../route.ts";
import type { Service } from "../../service.ts";

export function deviceRoutes(app: OpenAPIHono, service: Service): void {
  const { engine, devices, owner, people, ports } = service;

  route(
    app,
    {
      method: "post",
      path: "/device/codes",
      right: null,
      summary: "Ask for a login: a person approves its code elsewhere. Takes no token",
      body: schemas.deviceBody,
      returns: schemas.deviceCode,
    },
    async ({ body, context }) => {
      const { id, sha256, scopes, lasts_ms, label } = body;
      const address = context.req.header(HEADERS.address)?.slice(0, 64) || "this machine";
      const made = devices.ask({ id, sha256, scopes, lasts_ms, device: { label, address } });
      ports.journal.info("a login was asked for", { address, label });
      const { webUrl, serveUrl, oidc } = people();
      const base = webUrl ?? serveUrl;
      const page = oidc === null ? "/#/device/" : "/oidc/login?code=";
      return {
        code: made.code,
        url: base === null ? null : `${base}${page}${made.code}`,
        expires_at_ms: made.expires_at_ms,
        expires_in_s: Math.round((made.expires_at_ms - made.asked_at_ms) / 1000),
        interval_s: INTERVAL_S,
      };
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/device/polls",
      right: null,
      summary: "What became of a login that was asked for, for whoever has its token. Takes no other token",
      body: schemas.devicePollBody,
      returns: schemas.devicePoll,
    },
    async ({ body: { token } }) => {
      const id = tokenIdIn(token) ?? "";
      const found = await engine.read((state) => findToken(state, id, ports.clock.now()));
      if (found !== null && isHashOf(found.token.sha256, token))
        return { state: "approved" as const, interval_s: INTERVAL_S, person: found.member.id };
      return { ...devices.poll(id, token), person: null };
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/device/look",
      right: null,
      answers: true,
      summary: "Which login waits for this code: from where, and what it could do",
      body: schemas.deviceCodeBody,
      returns: schemas.deviceWaiting,
    },
    async ({ body, caller }) => {
      refuseSessions(caller);
      return viewOf(devices.find(body.code, whoOf(caller)), caller, owner());
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/device/approve",
      right: null,
      answers: true,
      summary: "Approve the login with this code; only who administers may do it for somebody else",
      body: schemas.deviceApproveBody,
      returns: schemas.deviceWaiting,
    },
    async ({ body, caller, by }) => {
      refuseSessions(caller);
      const who = whoOf(caller);
      const rights = caller.kind === "person" ? caller.rights : null;
      const isAdmin = may(rights, "admin", null);
      const person = body.person ?? (rights === null ? owner() : who);
      if (!isAdmin && person !== who)
        throw new Refusal("request.forbidden", `only who administers may log ${person} in`, null);
      const parent = isAdmin || caller.kind !== "person" ? null : (caller.trust?.token ?? null);
      const approved = await devices.approve(body.code, who, async (it) => {
        const { id, sha256, scopes, lasts_ms, device } = it;
        const input = { person, id, sha256, scopes, lasts_ms, device, parent, by };
        await engine.run((state, moment) => approveDevice(state, input, moment));
      });
      ports.journal.info("a login was approved", { person, by, address: approved.device.address });
      return { ...viewOf(approved, caller, owner()), person };
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/device/deny",
      right: null,
      answers: true,
      summary: "Deny the login with this code",
      body: schemas.deviceCodeBody,
    },
    async ({ body, caller, by }) => {
      refuseSessions(caller);
      const { device } = devices.deny(body.code, whoOf(caller));
      ports.journal.info("a login was denied", { by, address: device.address });
    },
  );
}

function whoOf(caller: Principal): string {
  refuseAgents(caller);
  return caller.kind === "person" ? caller.who : "";
}

function viewOf({ code, scopes, lasts_ms, device, ...times }: Waiting, caller: Principal, owner: string) {
  const isHere = caller.kind === "person" && caller.rights === null;
  const { asked_at_ms, expires_at_ms } = times;
  const person = isHere ? owner : whoOf(caller);
  return { code, scopes, lasts_ms, ...device, asked_at_ms, expires_at_ms, person };
}
