/** The daemon about itself: its health, the overview, and stopping it. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { DaemonStatus } from "../../api.ts";
import { version } from "../../version.ts";
import { route } from "../route.ts";
import * as schemas from "../schemas.ts";
import type { Service } from "../service.ts";
import { activeJobs, statusView } from "../views.ts";

export function daemonRoutes(app: OpenAPIHono, service: Service): void {
  const { engine, ports, socket } = service;

  route(
    app,
    {
      method: "get",
      path: "/health",
      summary: "Whether the daemon is well, and what it runs",
      returns: schemas.health,
    },
    () =>
      engine.read((state): DaemonStatus => {
        const trouble = engine.trouble();
        return {
          running: true,
          pid: process.pid,
          version,
          uptime_ms: ports.clock.now() - service.started_at_ms,
          socket,
          port: service.port,
          seq: state.seq, // of what is counted here: the answer goes out once that is on disk
          pending: state.pending.size,
          running_jobs: activeJobs(state).filter((job) =>
            job.steps.some((it) => it.status === "running" && it.agent_id === null),
          ).length,
          memory_bytes: process.memoryUsage.rss(),
          warnings: [
            ...service.warnings,
            ...(trouble === null ? [] : [`the store can't be written: ${trouble}`]),
          ],
        };
      }),
  );

  route(
    app,
    {
      method: "get",
      path: "/status",
      summary: "Jobs under way and decisions that wait, by project",
      query: schemas.projectQuery,
      returns: schemas.projects,
    },
    ({ query }) => engine.read((state) => statusView(state, query.project)),
  );

  route(
    app,
    {
      method: "post",
      path: "/daemon/stop",
      summary: "Stop the daemon; what runs is ended first",
      body: schemas.stopBody,
    },
    async ({ body }) => {
      service.stop(body);
    },
  );
}
