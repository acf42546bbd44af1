/** Runbooks over HTTP: what can be run, what is wrong with it, and running it. */

import type { OpenAPIHono } from "@hono/zod-openapi";
import type { CommandView, TemplateView } from "../../../api/api.ts";
import { startJob } from "../../../core/control/job.ts";
import { startCrew } from "../../../core/flow/agent-start.ts";
import { loosened } from "../../../core/model/fixed.ts";
import type { CrewId } from "../../../core/model/ids.ts";
import { idFrom } from "../../../core/model/ids.ts";
import type { AgentDef, Command, Value } from "../../../core/model/runbook.ts";
import { BUILTIN_TEMPLATES } from "../../../core/template/builtin-templates.ts";
import { exampleRequest } from "../../../core/template/template.ts";
import { checkFiles, loadRunbooks } from "../../../runbook/load.ts";
import { argsOf, commandNamed } from "../../runbooks/command.ts";
import { bundleOf, crewOf } from "../../runbooks/library.ts";
import { configIn, configOf, runbooksOf } from "../../runbooks/project.ts";
import { inherited } from "../../secrets/inherited.ts";
import * as schemas from "../../views/schemas.ts";
import { folderFor } from "../principal.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function runbookRoutes(app: OpenAPIHono, service: Service): void {
  const { engine, ports, people } = service;

  route(
    app,
    {
      method: "get",
      path: "/commands",
      summary: "What `oj run` can start here, and what could not be read",
      agents: true,
      query: schemas.folderQuery,
      returns: schemas.commands,
    },
    async ({ query, caller }) => {
      const { root } = configIn(folderFor(caller, query.cwd));
      const { runbook, problems } = await loadRunbooks(root, ports.readScripts);
      return { commands: runbook.commands.map(commandView), problems };
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/templates",
      summary: "The project's decision templates",
      agents: true,
      services: true,
      query: schemas.folderQuery,
      returns: schemas.templates,
    },
    async ({ query, caller }) => {
      const { runbook } = await runbooksOf(folderFor(caller, query.cwd));
      return runbook.templates.map((it) => loosened<TemplateView>({ ...it, example: exampleRequest(it) }));
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/runbooks/check",
      here: true,
      socket: true,
      summary: "Every problem in the project's runbooks, or in the given files",
      body: schemas.checkBody,
      returns: schemas.checked,
    },
    async ({ body }) => {
      const { root } = configIn(body.cwd);
      const { files, problems, warnings } =
        body.files.length > 0
          ? await checkFiles(root, body.files, ports.readScripts, BUILTIN_TEMPLATES, people())
          : await loadRunbooks(root, ports.readScripts, BUILTIN_TEMPLATES, people());
      return { files, problems, warnings };
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/run",
      here: true,
      socket: true,
      summary: "Start what a runbook's command names",
      body: schemas.runBody,
      returns: schemas.started,
    },
    async ({ body: given, by }) => {
      const body = { ...given, env: inherited(given.env) };
      const { root, settings } = configOf(body.env, body.cwd);
      const loaded = await loadRunbooks(root, ports.readScripts);
      const { runbook } = loaded;
      const command = commandNamed(loaded, body.command);
      const args = argsOf(command, body.argv, body.named, { env: body.env, dir: body.cwd });
      const crew = crewOf(runbook, command);
      if (crew) return startStandingAgent(crew, { ...body, name: command.name, args, root, by });
      const { def, library, env: names } = bundleOf(runbook, command);
      const vars = Object.fromEntries(Object.entries(args).filter(([name]) => def.vars.includes(name)));
      const env = Object.fromEntries(names.map((it) => [it, body.env[it] ?? ""]));
      const id = idFrom("job", ports.random(64));
      const input = {
        id,
        project: body.project,
        def,
        library,
        args,
        vars,
        env,
        invoke: body.cwd,
        root,
        by,
        sponsor: service.owner(),
        max_entries: settings.jobs.max_entries,
        context_timeout_ms: settings.jobs.context_timeout_s * 1000,
        context_max_bytes: settings.jobs.context_max_kb * 1024,
      };
      try {
        await ports.files.saveEnv(id, body.env);
        await engine.run((state, moment) => startJob(state, input, moment));
      } catch (error) {
        await ports.files.purge(id);
        throw error;
      }
      return { job_id: id };
    },
  );

  /** Saves the environment before the agent starts, as for a job. */
  async function startStandingAgent(
    { def, env: names }: { def: AgentDef; env: string[] },
    input: {
      project: string;
      name: string;
      args: Record<string, Value>;
      root: string;
      by: string;
      cwd: string;
      env: Record<string, string>;
    },
  ): Promise<{ crew_id: CrewId }> {
    const id = idFrom("crew", ports.random(64));
    const { project, name, args, root, by, cwd } = input;
    const env = Object.fromEntries(names.map((it) => [it, input.env[it] ?? ""]));
    await ports.files.saveEnv(id, input.env);
    try {
      await engine.run((state, moment) =>
        startCrew(
          state,
          { id, project, name, def, args, env, invoke: cwd, root, by, sponsor: service.owner() },
          moment,
        ),
      );
    } catch (error) {
      await ports.files.purge(id);
      throw error;
    }
    return { crew_id: id };
  }
}

function commandView({ name, usage, description, path, line }: Command): CommandView {
  return { name, usage, description: description ?? null, path, line };
}
