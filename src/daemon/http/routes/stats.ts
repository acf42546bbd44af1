/** The figures, over HTTP: for people as JSON, for programs that watch in Prometheus' text format. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { totalsOf } from "../../../core/figures/totals.ts";
import { version } from "../../../version.ts";
import { METRICS_TYPE, metricsText } from "../../views/metrics.ts";
import * as schemas from "../../views/schemas.ts";
import { statsView } from "../../views/stats-view.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function statsRoutes(app: OpenAPIHono, service: Service): void {
  const { engine, ports } = service;
  route(
    app,
    {
      method: "get",
      path: "/stats",
      summary: "What was asked and answered in a span of time, how long it took, what keeps coming back",
      query: schemas.statsQuery,
      returns: schemas.stats,
    },
    ({ query }) => {
      const { since_ms = null, until_ms = null, project = null, source = null, zone = "UTC" } = query;
      const wanted = { since_ms, until_ms, project, source, zone };
      return engine.read((state) => statsView(state, wanted, ports.clock.now()));
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/metrics",
      summary: "Counts since the beginning and what waits now, in Prometheus' text format",
      returns: "text/plain",
    },
    async () => new Response(await metrics(service), { headers: { "content-type": METRICS_TYPE } }),
  );
}

export function metrics({ engine, ports, started_at_ms }: Service): Promise<string> {
  return engine.read((state) => {
    const now = ports.clock.now();
    return metricsText(totalsOf(state), {
      version,
      uptime_ms: now - started_at_ms,
      seq: state.seq,
      memory_bytes: process.memoryUsage.rss(),
      live_agents: [...state.agents.values()].filter((it) => it.spawned).length,
      now,
    });
  });
}
