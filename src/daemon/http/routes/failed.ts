/** Failures that nobody has seen yet, over HTTP. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { dropFailure, seeFailures } from "../../../core/flow/seen.ts";
import { findRun } from "../../../core/model/state/find.ts";
import { failedRuns } from "../../views/failed-view.ts";
import * as schemas from "../../views/schemas.ts";
import { runView } from "../../views/views.ts";
import { mayRead } from "../principal.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function failedRoutes(app: OpenAPIHono, { engine }: Service): void {
  route(
    app,
    {
      method: "get",
      path: "/failed",
      summary: "Jobs and crews that failed and nobody has seen, newest first",
      scoped: true,
      query: schemas.projectQuery,
      returns: () => schemas.failedRun().array(),
    },
    ({ query, caller }) =>
      engine.read((state) => failedRuns(state, query.project).filter((it) => mayRead(caller, it.project))),
  );

  route(
    app,
    {
      method: "post",
      path: "/jobs/{id}/seen",
      summary: "Take a failed job out of the inboxes: somebody opened it, or drops it",
      params: schemas.idParam,
      body: schemas.seenBody,
      returns: schemas.run,
    },
    async ({ params, body: { how }, by }) => {
      const id = await engine.read((state) => findRun(state, params.id).id);
      await engine.run((state) =>
        how === "dropped" ? dropFailure(state, { id, by }) : seeFailures(state, { ids: [id], by, how }),
      );
      return engine.read((state) => runView(findRun(state, id), state));
    },
  );
}
