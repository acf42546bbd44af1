/** `oj mcp`: lets a model ask through MCP, on stdio; and the tokens of those that come over HTTP. */
import { randomBytes } from "node:crypto";
import { processesAbove } from "../client/ancestry.ts";
import { parseDuration } from "../core/text/duration.ts";
import { localTime } from "../inbox/card/times.ts";
import { safeLine } from "../text/safe.ts";
import type { Context } from "./base/command.ts";
import { defineCommand } from "./base/command.ts";
import { usage } from "./base/fail.ts";
import { connectionOf } from "./daemon/process.ts";

export const command = defineCommand({
  name: "mcp",
  local: true,
  summary: "Serve MCP on stdio, so that a model can ask you",
  args: "",
  flags: {
    as: { type: "string", value: "NAME", help: "the name to ask under (default: one for each session)" },
    token: {
      type: "string",
      value: "NAME",
      help: "create a token for a client that connects over HTTP, and exit",
    },
    lasts: { type: "string", value: "D", help: "how long that token counts (default: 90d)" },
    revoke: { type: "string", value: "NAME", help: "revoke that token, and exit" },
    tokens: { type: "boolean", help: "list the names that have a token, and exit" },
  },
  examples: [
    { run: "claude mcp add oddjobs -- oj mcp", does: "lets Claude Code in this project ask" },
    { run: "oj mcp --as reviewer", does: "under a fixed name, which stays the same after a restart" },
    { run: "oj mcp --token desktop", does: "for clients that take a URL: http://127.0.0.1:PORT/mcp" },
  ],

  async run(context, _, { as, token, lasts, revoke, tokens }) {
    if ([as, token, revoke, tokens].filter((it) => it !== undefined).length > 1)
      throw usage("give only one of --as, --token, --revoke and --tokens", "oj mcp --help");
    const lasts_ms = lasts === undefined ? undefined : parseDuration(lasts);
    if (lasts_ms === null || lasts_ms === 0 || (lasts !== undefined && token === undefined))
      throw usage("--lasts takes a time, and goes with --token", "oj mcp --token NAME --lasts 30d");
    if (token !== undefined) return makeToken(context, token, lasts_ms);
    if (revoke !== undefined) return revokeToken(context, revoke);
    if (tokens) return listTokens(context);
    return serve(context, as);
  },
});

async function serve(context: Context, as: string | undefined): Promise<void> {
  const { config, out, abort } = context;
  if (as !== undefined && config.agentToken)
    throw usage("this is an agent's terminal: its token says who it is, so --as is refused", "oj mcp");
  const { project, cwd, stateDir, session = null, mayBeSession, agentToken, agent } = config;
  const suffix = randomBytes(3).toString("hex");
  const named = (program: string) => (agentToken ? null : (as ?? `${program}-${suffix}`));
  // the client may have begun another session since it started us: its process says which one it is in now
  const origin = () => ({
    session,
    ...(mayBeSession ? { processes: processesAbove(stateDir), outlives_session: true } : {}),
  });
  const identity = { project, cwd, named, origin, agent: agentToken ? (agent ?? null) : null };
  const { serveAtStdio } = await import("../mcp/main.ts");
  await serveAtStdio(identity, connectionOf(context), { say: out.say, abort });
}

async function makeToken(
  { client, config, json, out }: Context,
  name: string,
  lasts_ms: number | undefined,
): Promise<void> {
  const { project, cwd } = config;
  const made = await client.makeMcpToken({ name, project, cwd, ...(lasts_ms ? { lasts_ms } : {}) });
  if (json) return out.json(made);
  out.print(made.token);
  out.say(`a token for ${safeLine(name)}, who can ask in project ${safeLine(made.project)} but not answer`);
  out.say(`it is shown only this once; send it as the header  Authorization: Bearer TOKEN  to ${made.url}`);
  out.say(`  ${out.style.cyan("→")} oj mcp --revoke ${safeLine(name)}`);
}

async function revokeToken({ client, json, out }: Context, name: string): Promise<void> {
  await client.revokeMcpToken(name);
  if (json) return out.json({ name });
  out.print(`the token of ${safeLine(name)} is revoked`);
}

async function listTokens({ client, json, out }: Context): Promise<void> {
  const all = await client.mcpTokens();
  if (json) return out.json(all);
  for (const { name, project, expires_at_ms } of all)
    out.print(`${safeLine(name)}  ${safeLine(project)}  until ${localTime(expires_at_ms)}`);
  if (all.length === 0) out.print("nobody has a token");
}
