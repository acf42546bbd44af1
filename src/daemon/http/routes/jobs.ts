/** Jobs and crews over HTTP: list, show, logs, and what a person may do with them. */

import type { OpenAPIHono } from "@hono/zod-openapi";
import type { RunView } from "../../../api/api.ts";
import { cancelCrew, deleteCrew, resumeCrew, suspendCrew } from "../../../core/control/crew.ts";
import { cancelJob, deleteJob, resumeJob, suspendJob } from "../../../core/control/job.ts";
import { seeFailures } from "../../../core/flow/seen.ts";
import { Refusal } from "../../../core/model/errors.ts";
import type { CrewId, JobId, OwnerId } from "../../../core/model/ids.ts";
import { hasEnded } from "../../../core/model/job-types.ts";
import { findRun, isCrew } from "../../../core/model/state/find.ts";
import { followAborts } from "../../engine/abort-any.ts";
import { deadline } from "../../engine/deadline.ts";
import { crewView } from "../../views/crew-view.ts";
import * as schemas from "../../views/schemas.ts";
import { timeline } from "../../views/timeline.ts";
import { jobView, runView } from "../../views/views.ts";
import { refuseElsewhere } from "../elsewhere.ts";
import { projectFor, runFor } from "../principal.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";
import { streamOf } from "../streams/stream-of.ts";

/** What a person may do with each. */
const ofJob = { cancel: cancelJob, suspend: suspendJob, resume: resumeJob, remove: deleteJob };
const ofCrew = { cancel: cancelCrew, suspend: suspendCrew, resume: resumeCrew, remove: deleteCrew };

export function jobRoutes(app: OpenAPIHono, service: Service): void {
  const { engine, hub, ports } = service;
  const viewOf = (id: string): Promise<RunView> => engine.read((state) => runView(findRun(state, id), state));
  const idOf = (id: string): Promise<OwnerId> => engine.read((state) => findRun(state, id).id);
  const rulesOf = (id: OwnerId) => (id.startsWith("crew-") ? ofCrew : ofJob);

  route(
    app,
    {
      method: "get",
      path: "/jobs",
      summary: "Jobs, newest first; an agent sees the one it works for",
      agents: true,
      query: schemas.jobQuery,
      returns: () => schemas.job().array(),
    },
    ({ query, caller }) => {
      const project = projectFor(caller, query.project);
      return engine.read((state) =>
        [...state.jobs.values()]
          .filter(
            (it) =>
              (query.status === undefined || it.status === query.status) &&
              (project === undefined || it.project === project) &&
              (caller.kind !== "agent" || it.id === caller.owner_id),
          )
          .reverse()
          .map((it) => jobView(it, state)),
      );
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/jobs/{id}/events",
      summary: "What is recorded about a job and its decisions, oldest first",
      params: schemas.idParam,
      query: schemas.timelineQuery,
      returns: schemas.timeline,
    },
    async ({ params, query, abort }) => {
      const about = await engine.read((state) => {
        const { id, created_at_ms } = findRun(state, params.id);
        return { id, created_at_ms };
      });
      return timeline(ports.log, about, { tip: engine.seq(), after: query.after ?? null, abort });
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/jobs/wait",
      summary: "Wait until one of the jobs or crews has ended, or all of them",
      waits: () => {},
      holds: "waits",
      body: schemas.waitBody,
      returns: () => schemas.run().array(),
    },
    async ({ body, abort, by }) => {
      const ids = await engine.read((state) => body.ids.map((id) => findRun(state, id).id));
      const until = deadline(ports.clock, body.timeout_ms ?? null, abort, service.stopping);
      try {
        for (;;) {
          const changed = hub.next(ids, until.abort);
          const jobs = await engine.read((state) => ids.map((id) => runView(findRun(state, id), state)));
          const ended = jobs.filter(hasEnded);
          if (ended.length === jobs.length || (ended.length > 0 && !body.all)) {
            await told(ended, by);
            return body.all ? jobs : ended;
          }
          if (until.passed())
            throw new Refusal(
              "timeout",
              `${jobs
                .filter((it) => !hasEnded(it))
                .map((it) => `${it.id} is ${it.status}`)
                .join(", ")}`,
              `oj ${ids[0]?.startsWith("crew-") ? "crew" : "job"} show ${ids[0]}`,
            );
          if (abort.aborted) return new Response(null, { status: 499 });
          until.check();
          await changed;
        }
      } finally {
        until.disarm();
      }
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/jobs/{id}",
      summary: "One job, or one crew by its id; the same goes for the calls below",
      agents: true,
      params: schemas.idParam,
      returns: schemas.run,
    },
    ({ params, caller }) => engine.read((state) => runView(runFor(state, caller, params.id), state)),
  );

  route(
    app,
    {
      method: "post",
      path: "/jobs/{id}/cancel",
      summary: "Cancel a job: what it runs is stopped, then its on_cancel step runs",
      params: schemas.idParam,
      body: schemas.cancelBody,
      returns: schemas.run,
    },
    async ({ params, body, by }) => {
      const id = await idOf(params.id);
      await engine.run((state, moment) => rulesOf(id).cancel(state, { id, by, ...body }, moment));
      return viewOf(id);
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/jobs/{id}/suspend",
      summary: "Start no further steps until the job is resumed",
      params: schemas.idParam,
      body: schemas.emptyBody,
      returns: schemas.run,
    },
    async ({ params, by }) => {
      const id = await idOf(params.id);
      await engine.run((state, moment) => rulesOf(id).suspend(state, { id, by }, moment));
      return viewOf(id);
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/jobs/{id}/resume",
      summary: "Resume a suspended or failed job, or ask a dismissed question again",
      answers: true,
      params: schemas.idParam,
      body: schemas.messageBody,
      returns: schemas.run,
    },
    async ({ params, body, by }) => {
      const id = await idOf(params.id);
      await engine.run((state, moment) =>
        rulesOf(id).resume(state, { id, by, message: body.message }, moment),
      );
      return viewOf(id);
    },
  );

  route(
    app,
    {
      method: "delete",
      path: "/jobs/{id}",
      summary: "Delete a job that has ended, with its decisions and files",
      params: schemas.idParam,
    },
    async ({ params, by }) => {
      const id = await idOf(params.id);
      await engine.run((state, moment) => rulesOf(id).remove(state, { id, by }, moment));
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/jobs/{id}/logs",
      summary: "The job's output, or that of a crew's agent or gates; with follow, until it ends",
      waits: () => {},
      holds: "logs",
      agents: true,
      params: schemas.idParam,
      query: schemas.jobLogQuery,
      returns: "text/plain",
    },
    async ({ params, query, abort, caller }) => {
      const { id, agent_id } = await engine.read((state) => {
        const run = runFor(state, caller, params.id);
        refuseElsewhere(state, run.id, service.machines.self);
        return { id: run.id, agent_id: isCrew(run) && !query.gates ? run.agent_id : null };
      });
      const { signal, end } = followAborts(abort, service.stopping);
      const wanted = { lines: query.tail ?? null, follow: query.follow ?? false, abort: signal };
      const parts =
        agent_id === null ? ports.files.read(id, wanted) : ports.terminals.output(agent_id, wanted);
      if (query.follow) void untilEnded(id, signal).finally(end);
      return new Response(streamOf(parts, end), {
        headers: { "content-type": "text/plain; charset=utf-8" },
      });
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/crews",
      summary: "Crews, newest first; a single crew is at /jobs/{id}, like a job",
      query: schemas.crewQuery,
      returns: () => schemas.crew().array(),
    },
    ({ query }) =>
      engine.read((state) =>
        [...state.crews.values()]
          .filter(
            (it) =>
              (query.status === undefined || it.status === query.status) &&
              (query.project === undefined || it.project === query.project),
          )
          .reverse()
          .map((it) => crewView(it, state)),
      ),
  );

  /** Whoever waited for a job that failed has seen it. */
  async function told(ended: readonly RunView[], by: string): Promise<void> {
    const ids = ended.filter((it) => it.status === "failed").map((it) => it.id);
    if (ids.length > 0) await engine.run((state) => seeFailures(state, { ids, by, how: "waited" }));
  }

  /** Returns once the job has ended (or is gone), so that following it ends as well. */
  async function untilEnded(id: OwnerId, abort: AbortSignal): Promise<void> {
    while (!abort.aborted) {
      const changed = hub.next([id], abort);
      const ended = await engine.read((state) => {
        const run = state.jobs.get(id as JobId) ?? state.crews.get(id as CrewId);
        return !run || hasEnded(run);
      });
      if (ended) return;
      await changed;
    }
  }
}
