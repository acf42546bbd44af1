/** How things are, over HTTP: everything for `oj status`, and what a fleet view refreshes often. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { DecisionView, LiveAgent, ProjectStatus } from "../../../api/api.ts";
import { fleetView, statusView } from "../../views/fleet-view.ts";
import * as schemas from "../../views/schemas.ts";
import type { Principal } from "../callers.ts";
import { isTheirs, mayRead, projectFor } from "../principal.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function statusRoutes(app: OpenAPIHono, { engine, ports, agents, machines }: Service): void {
  route(
    app,
    {
      method: "get",
      path: "/status",
      scoped: true,
      summary: "Jobs in progress, agents and pending decisions, by project; an agent sees its own",
      agents: true,
      query: schemas.projectQuery,
      returns: schemas.projects,
    },
    async ({ query, caller }) => {
      const project = projectFor(caller, query.project);
      const all = await engine.read((state) => statusView(state, project, ports.clock.now()));
      return live(all.filter((it) => mayRead(caller, it.project)).map((it) => own(it, caller)));
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/fleet",
      summary: "The same in short, without decisions that no job, crew, agent or session waits for",
      query: schemas.projectQuery,
      returns: schemas.fleetProjects,
    },
    async ({ query }) =>
      live(await engine.read((state) => fleetView(state, query.project, ports.clock.now()))),
  );

  /** Adds what is known of the agents' terminals, and of their machines. */
  async function live<P extends { agents: LiveAgent[]; owed: DecisionView[] }>(projects: P[]): Promise<P[]> {
    const ids = projects.flatMap((it) => it.agents).map((it) => it.id);
    const lines = await agents.lastLines.of(ids);
    const now = ports.clock.now();
    return projects.map((it) => ({
      ...it,
      owed: it.owed.map(machines.placed),
      agents: it.agents.map((agent) => {
        const silentMs = agents.quiet.silentMs(agent.id);
        const heard_at_ms = silentMs === null ? agent.hung_since_ms : Math.round(now - silentMs);
        return machines.placed({ ...agent, last_line: lines.get(agent.id) ?? "", heard_at_ms });
      }),
    }));
  }
}

/** What an agent may see of its project: itself, its job or crew, and the decisions that belong to them. */
function own(status: ProjectStatus, caller: Principal): ProjectStatus {
  if (caller.kind !== "agent") return status; // it is not for services
  return {
    project: status.project,
    jobs: status.jobs.filter((it) => it.id === caller.owner_id),
    crews: status.crews.filter((it) => it.id === caller.owner_id),
    pending: status.pending.filter((it) => isTheirs(caller, it)),
    agents: status.agents.filter((it) => it.id === caller.agent_id),
    owed: status.owed.filter((it) => isTheirs(caller, it)),
    sessions: [],
    failed: [],
  };
}
