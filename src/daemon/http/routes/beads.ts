/** Decisions as beads, over HTTP: where they are mirrored, what is wrong, and a repair. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { Refusal } from "../../../core/model/errors.ts";
import * as schemas from "../../views/schemas.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function beadsRoutes(app: OpenAPIHono, { mirroring }: Service): void {
  route(
    app,
    {
      method: "get",
      path: "/beads",
      summary: "The projects whose decisions are mirrored as beads, and what is wrong with each now",
      returns: () => schemas.beadsState().array(),
    },
    () => mirroring.states(),
  );

  route(
    app,
    {
      method: "post",
      path: "/beads/sync",
      here: true,
      summary: "Compare every decision of the project in this folder with its bead, and repair what differs",
      body: schemas.beadsBody,
      returns: schemas.beadsSynced,
    },
    async ({ body: { cwd } }) => {
      const home = await mirroring.look(cwd);
      if (!home?.isOn)
        throw new Refusal(
          "request.invalid",
          "the decisions of this project are not mirrored as beads",
          "in .oj/config.toml or ~/.config/oj/config.toml: [beads] mirror = true",
        );
      return mirroring.sync(home.root);
    },
  );
}
