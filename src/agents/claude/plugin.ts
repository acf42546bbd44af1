/** The plugin that `oj init claude --plugin` writes: hooks, the MCP server, a skill, and a command. Pure. */
import { askingLines } from "../../core/text/asking-words.ts";
import type { WantedHooks } from "../setup.ts";
import { sessionHooks } from "./session-hooks.ts";

/** A marketplace of one plugin, as the client wants it: by path in its folder. */
export function pluginFiles(wanted: WantedHooks, version: string): Record<string, string> {
  const description = "Decisions of people for coding agents, by Oddjobs (oj)";
  const owner = { name: "Oddjobs" };
  return {
    ".claude-plugin/marketplace.json": json({
      name: "oddjobs",
      description,
      owner,
      plugins: [{ name: "oj", source: "./oj", description }],
    }),
    "oj/.claude-plugin/plugin.json": json({
      name: "oj",
      version,
      description,
      author: owner,
      license: "Apache-2.0",
    }),
    "oj/hooks/hooks.json": json({
      hooks: Object.fromEntries(
        Object.entries(sessionHooks(wanted)).map(([event, group]) => [event, [group]]),
      ),
    }),
    "oj/.mcp.json": json({ mcpServers: { oj: { command: "oj", args: ["mcp"] } } }),
    "oj/skills/ask/SKILL.md": SKILL,
    "oj/commands/decide.md": COMMAND,
  };
}

const SKILL = `---
name: ask
description: When and how to ask the people you work for to decide something, with oj. Use it before a step that is theirs to choose, when you are stuck, and before you finish.
---

${askingLines().join("\n\n")}

If you have the tool \`request_decision\` of the MCP server \`oj\`, use it instead of the command, and \`await_decision\` for the answer.
`;

const COMMAND = `---
description: Offer the person a decision about what happens next
argument-hint: [what it is about]
---

Offer me a decision with oj, as the skill \`ask\` says: $ARGUMENTS

If I did not say what it is about, it is about what should happen next. Then wait for my answer (\`--wait\`, or \`await_decision\`) and go on with what I chose.
`;

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
