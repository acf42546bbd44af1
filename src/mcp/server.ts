/** The MCP server for one asker: the tools and their descriptions. */
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { CLIENT_INFO_META_KEY, McpServer } from "@modelcontextprotocol/server";
import { version } from "../version.ts";
import type { Asker } from "./asker.ts";
import type { ToolCall } from "./tools.ts";
import * as tools from "./tools.ts";
import * as words from "./words.ts";

/** The most elements in the arguments of one tool call: a context may be rich, but not endless. */
const MOST_ELEMENTS = 10_000;

const looks = { readOnlyHint: true, openWorldHint: false };
const acts = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

export async function serverOf(asker: Asker): Promise<McpServer> {
  const server = new McpServer(
    { name: "oddjobs", version },
    { instructions: words.INSTRUCTIONS, maxToolInputElements: MOST_ELEMENTS },
  );
  const known = await asker
    .client()
    .templates({ cwd: asker.cwd })
    .catch(() => []);
  server.registerTool(
    "request_decision",
    {
      description: words.REQUEST + words.templatesText(known),
      inputSchema: tools.requestInput,
      annotations: acts,
    },
    (input, context) =>
      told(
        (toolCall) => tools.request(asker, input, toolCall),
        server,
        context,
        "Nothing was asked; correct this and call request_decision again.",
      ),
  );
  server.registerTool(
    "await_decision",
    { description: words.AWAIT, inputSchema: tools.awaitInput, annotations: looks },
    (input, context) => told((toolCall) => tools.awaitAnswer(asker, input, toolCall), server, context),
  );
  server.registerTool(
    "check_decision",
    { description: words.CHECK, inputSchema: tools.checkInput, annotations: looks },
    (input, context) => told((toolCall) => tools.check(asker, input, toolCall), server, context),
  );
  server.registerTool(
    "list_my_decisions",
    { description: words.LIST, inputSchema: tools.listInput, annotations: looks },
    (input, context) => told((toolCall) => tools.list(asker, input, toolCall), server, context),
  );
  server.registerTool(
    "signal",
    { description: words.SIGNAL, inputSchema: tools.signalInput, annotations: acts },
    (input, context) => told((toolCall) => tools.signal(asker, input, toolCall), server, context),
  );
  return server;
}

/** Returns what a tool says, or why it was refused. */
async function told(
  run: (toolCall: ToolCall) => Promise<string>,
  server: McpServer,
  context: ServerContext,
  then = "",
): Promise<CallToolResult> {
  try {
    return { content: [{ type: "text", text: await run(toolCallOf(server, context)) }] };
  } catch (error) {
    return { content: [{ type: "text", text: words.refusalText(error, then) }], isError: true };
  }
}

function toolCallOf({ server }: McpServer, { mcpReq }: ServerContext): ToolCall {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    program: programOf(clientName(mcpReq.envelope) ?? server.getClientVersion()?.name),
    abort: mcpReq.signal,
    progress(progress, total, message) {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total, message };
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {}); // the client is gone
    },
  };
}

/** The name that a client without a handshake sends with each call. */
function clientName(envelope: object | undefined): string | undefined {
  const info = (envelope as Record<string, { name?: unknown } | undefined> | undefined)?.[
    CLIENT_INFO_META_KEY
  ];
  return typeof info?.name === "string" ? info.name : undefined;
}

/** Makes a program's name fit to be part of a name that people see. */
function programOf(name: string | undefined): string {
  const plain = (name ?? "").toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return plain.replace(/^-+|-+$/g, "").slice(0, 40) || "mcp";
}
