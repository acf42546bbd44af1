/** The audit over HTTP. Both calls are recorded before anything is shown. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { auditRead } from "../../../../core/control/audit.ts";
import { findDecision } from "../../../../core/model/state/find.ts";
import { auditView } from "../../../views/audit-view.ts";
import * as schemas from "../../../views/schemas.ts";
import { timeline } from "../../../views/timeline.ts";
import { decisionFor } from "../../principal.ts";
import { route } from "../../route.ts";
import type { Service } from "../../service.ts";

export function auditRoutes(app: OpenAPIHono, { engine, ports }: Service): void {
  route(
    app,
    {
      method: "post",
      path: "/decisions/{id}/audit",
      right: "read",
      scoped: true,
      summary: "What is proven about a decision; who reads it is recorded",
      params: schemas.idParam,
      body: schemas.emptyBody,
      returns: schemas.audit,
    },
    async ({ params, by, via, abort, caller }) => {
      let of = params.id;
      await engine.run((state) => {
        const { id, project } = decisionFor(state, caller, params.id);
        of = id;
        return auditRead({ of: id, project, by, via });
      });
      const decision = await engine.read((state) => findDecision(state, of));
      const how = { tip: engine.seq(), after: null, abort };
      const { events } = await timeline(ports.log, decision, how);
      return auditView(decision, events);
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/audit/exports",
      socket: true,
      summary: "Record that somebody exports the whole audit",
      body: schemas.emptyBody,
    },
    async ({ by, via }) => {
      await engine.run(() => auditRead({ of: null, project: "", by, via }));
    },
  );
}
