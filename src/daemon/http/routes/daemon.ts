/** The daemon itself over HTTP: its health, and stopping it. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { DaemonStatus } from "../../../api/api.ts";
import { may } from "../../../core/rights/rights.ts";
import { version } from "../../../version.ts";
import * as schemas from "../../views/schemas.ts";
import { selectPending } from "../../views/select-decisions.ts";
import { activeJobs } from "../../views/views.ts";
import { isTheirs, mayRead } from "../principal.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function daemonRoutes(app: OpenAPIHono, service: Service): void {
  const { engine, ports, socket } = service;

  route(
    app,
    {
      method: "get",
      path: "/health",
      summary: "How the daemon is, and what it is running",
      agents: true,
      scoped: true,
      returns: schemas.health,
    },
    ({ caller }) =>
      engine.read((state): DaemonStatus => {
        const trouble = engine.trouble();
        // whoever may only read some projects gets the figures of those
        const isPartial = caller.kind === "person" && !may(caller.rights, "read", null);
        const sees = (project: string) => !isPartial || mayRead(caller, project);
        const unseen = service.agents.finding.trouble();
        return {
          running: true,
          pid: process.pid,
          version,
          uptime_ms: ports.clock.now() - service.started_at_ms,
          socket,
          port: service.port,
          seq: state.seq, // of the state counted here: the response goes out once that is on disk
          pending:
            caller.kind === "person" && !isPartial
              ? state.pending.size
              : selectPending(state, {}).filter((it) => isTheirs(caller, it)).length,
          running_jobs: activeJobs(state).filter(
            (job) =>
              sees(job.project) && job.steps.some((it) => it.status === "running" && it.agent_id === null),
          ).length,
          live_agents: [...state.agents.values()].filter((it) => it.spawned && sees(it.project)).length,
          memory_bytes: process.memoryUsage.rss(),
          quiet: service.isQuiet(),
          warnings: [
            ...(isPartial ? [] : service.warnings),
            ...(trouble === null ? [] : [`the store can't be written to: ${trouble}`]),
            ...(unseen === null ? [] : [`the agents can't be seen: ${unseen}`]),
            ...(isPartial ? [] : service.chores.late()).map(
              ({ key, ms }) => `${key} has been running for ${Math.round(ms / 1000)} s`,
            ),
          ],
        };
      }),
  );

  route(
    app,
    {
      method: "post",
      path: "/daemon/stop",
      here: true,
      socket: true,
      summary: "Stop the daemon (only the one with this pid, if given); running steps are ended first",
      query: schemas.stopQuery,
      body: schemas.stopBody,
    },
    async ({ query, body }) => {
      if (query.pid === undefined || query.pid === process.pid) service.stop(body);
    },
  );
}
