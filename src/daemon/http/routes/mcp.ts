/** Tokens for MCP clients that oj does not run, over HTTP: people make, list and revoke them. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { loadConfig } from "../../../config.ts";
import * as schemas from "../../views/schemas.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

const LASTS_MS = 90 * 86_400_000;

export function mcpRoutes(app: OpenAPIHono, { mcpTokens, ports, port, owner }: Service): void {
  route(
    app,
    {
      method: "get",
      path: "/mcp/tokens",
      here: true,
      summary: "Who has a token for /mcp on the TCP port",
      returns: () => schemas.mcpToken().array(),
    },
    () => mcpTokens.list(),
  );

  route(
    app,
    {
      method: "post",
      path: "/mcp/tokens",
      here: true,
      socket: true,
      summary: "A new token: its name can ask in that project, but not answer",
      body: schemas.mcpTokenBody,
      returns: schemas.mcpTokenMade,
    },
    async ({ body, by }) => {
      const { name, project, cwd, lasts_ms = LASTS_MS } = body;
      const { root } = loadConfig({}, cwd, { lenient: true });
      const token = await mcpTokens.make({ name, bound: { project, root, sponsor: owner() }, lasts_ms, by });
      ports.journal.info("an MCP token was created", { name, project, by });
      return { name, project, token, url: `http://127.0.0.1:${port}/mcp` };
    },
  );

  route(
    app,
    {
      method: "delete",
      path: "/mcp/tokens/{name}",
      here: true,
      socket: true,
      summary: "Revoke a token",
      params: schemas.nameParam,
    },
    async ({ params, by }) => {
      await mcpTokens.revoke(params.name, by);
      ports.journal.info("an MCP token was revoked", { name: params.name, by });
    },
  );
}
