/** Agents over HTTP: list, show, watch, talk to, end. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AgentView } from "../../../api/api.ts";
import { killAgent, sendToAgent } from "../../../core/control/agent-send.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import { Refusal } from "../../../core/model/errors.ts";
import { findAgent } from "../../../core/model/state/find.ts";
import { followAborts } from "../../engine/abort-any.ts";
import * as schemas from "../../views/schemas.ts";
import { agentView } from "../../views/views.ts";
import { refuseElsewhere } from "../elsewhere.ts";
import { itself } from "../principal.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";
import { screenStream } from "../streams/screen-stream.ts";
import { streamOf } from "../streams/stream-of.ts";

export function agentRoutes(app: OpenAPIHono, service: Service): void {
  const { engine, machines, ports, agents } = service;
  const find = (id: string): Promise<Agent> => engine.read((state) => findAgent(state, id));
  const viewOf = (id: string): Promise<AgentView> =>
    engine.read((state) => agentView(findAgent(state, id), state));

  route(
    app,
    {
      method: "get",
      path: "/agents",
      summary: "Agents, newest first",
      query: schemas.projectQuery,
      returns: () => schemas.agent().array(),
    },
    ({ query }) =>
      engine.read((state) =>
        [...state.agents.values()]
          .filter((it) => query.project === undefined || it.project === query.project)
          .reverse()
          .map((it) => agentView(it, state)),
      ),
  );

  route(
    app,
    {
      method: "get",
      path: "/agents/{id}",
      summary: "One agent; an agent sees itself",
      agents: true,
      params: schemas.idParam,
      returns: schemas.agent,
    },
    ({ params, caller }) => viewOf(itself(caller, params.id)),
  );

  route(
    app,
    {
      method: "post",
      path: "/agents/{id}/send",
      summary: "Send a message to an agent; it gets it when it next waits for input",
      answers: true,
      params: schemas.idParam,
      body: schemas.sendBody,
      returns: schemas.agent,
    },
    async ({ params, body }) => {
      const agent = await alive(params.id);
      await engine.run((state, moment) => sendToAgent(state, { id: agent.id, text: body.text }, moment));
      return viewOf(agent.id);
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/agents/{id}/signal",
      summary: "The agent says that it is done, needs a person or has failed",
      agents: true,
      params: schemas.idParam,
      body: schemas.signalBody,
      returns: schemas.agent,
    },
    async ({ params, body, caller }) => {
      const agent = await alive(itself(caller, params.id));
      await agents.catchUpWith(agent.id);
      await agents.hooks.saw(agent.id, { type: "signalled", signal: body.signal, message: body.message });
      return viewOf(agent.id);
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/agents/{id}/kill",
      summary: "Kill an agent and every process in its terminal",
      params: schemas.idParam,
      body: schemas.emptyBody,
      returns: schemas.agent,
    },
    async ({ params }) => {
      const agent = await alive(params.id);
      await engine.run((state, moment) => killAgent(state, { id: agent.id }, moment));
      return viewOf(agent.id);
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/agents/{id}/screen",
      summary: "What is on the agent's screen",
      params: schemas.idParam,
      query: schemas.screenQuery,
      returns: "text/plain",
    },
    async ({ params, query, context }) => {
      await here(params.id);
      const agent = await alive(params.id);
      const screen = await ports.terminals.screen(agent.id, {
        ansi: query.ansi ?? false,
        history: query.history ?? 0,
      });
      return context.text(`${screen}\n`);
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/agents/{id}/screens",
      summary: "What is on the agent's screen, again whenever it changes: server-sent events",
      waits: () => {},
      holds: "screens",
      params: schemas.idParam,
      query: schemas.screensQuery,
      returns: "text/event-stream",
    },
    async ({ params, query, abort }) => {
      await here(params.id);
      const agent = await alive(params.id);
      const look = { ansi: query.ansi ?? false, history: query.history ?? 0 };
      const { signal, end } = followAborts(abort, service.stopping);
      const screens = screenStream(ports, agent.id, look, signal, end);
      return new Response(screens, {
        headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
      });
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/agents/{id}/logs",
      summary: "Everything the agent's terminal printed",
      waits: () => {},
      holds: "logs",
      params: schemas.idParam,
      query: schemas.logQuery,
      returns: "text/plain",
    },
    async ({ params, query, abort }) => {
      const agent = await here(params.id);
      const { signal, end } = followAborts(abort, service.stopping);
      const parts = ports.terminals.output(agent.id, {
        lines: query.tail ?? null,
        follow: query.follow ?? false,
        abort: signal,
      });
      return new Response(streamOf(parts, end), { headers: { "content-type": "text/plain; charset=utf-8" } });
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/agents/{id}/attach",
      here: true,
      summary: "The command that attaches to the agent's terminal",
      params: schemas.idParam,
      returns: schemas.attached,
    },
    async ({ params }) => {
      await here(params.id);
      const agent = await alive(params.id);
      return { argv: ports.terminals.attachCommand(agent.id) };
    },
  );

  /** Its terminal and what it printed are on its own machine. */
  async function here(id: string): Promise<Agent> {
    const agent = await find(id);
    await engine.read((state) => refuseElsewhere(state, agent.id, machines.self));
    return agent;
  }

  async function alive(id: string): Promise<Agent> {
    const agent = await find(id);
    if (agent.status === "ended")
      throw new Refusal("agent.ended", `${agent.id} has ended`, `oj agent logs ${agent.id}`);
    return agent;
  }
}
