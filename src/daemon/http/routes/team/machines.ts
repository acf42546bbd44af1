/** The machines that share the log, over HTTP. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { findMachine, forgetMachine } from "../../../../core/control/machine.ts";
import { Refusal } from "../../../../core/model/errors.ts";
import { machineViews } from "../../../views/machine-view.ts";
import * as schemas from "../../../views/schemas.ts";
import { route } from "../../route.ts";
import type { Service } from "../../service.ts";

export function machineRoutes(app: OpenAPIHono, { engine, machines, ports }: Service): void {
  route(
    app,
    {
      method: "get",
      path: "/machines",
      summary: "The machines that share the log; none if there is only one",
      returns: () => schemas.machine().array(),
    },
    () => engine.read((state) => machineViews(state, machines)),
  );

  route(
    app,
    {
      method: "post",
      path: "/machines/{name}/forget",
      socket: true,
      summary: "A machine won't come back: end what ran there, and let its daemon write no more",
      params: schemas.machineParam,
      body: schemas.emptyBody,
    },
    async ({ params, by }) => {
      await machines.look();
      const name = await engine.read((state) => findMachine(state, params.name));
      if (machines.isPresent(name))
        throw new Refusal("machine.present", `${name} is there`, "stop its daemon first: oj daemon stop");
      await ports.log.banish(name); // first: nothing that it does from now on counts
      await engine.run((state, moment) => forgetMachine(state, { name, by }, moment));
    },
  );
}
