import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { shellText } from "../../core/script/shell-text.ts";
import { scripted } from "../scripted/client.ts";

function lineOf(run: string, message: string | null = null): string[] {
  const { argv } = scripted.launch({
    ...shellText(run, () => "a b"),
    message,
    resume: null,
    conversation: "c",
    hookUrl: "http://127.0.0.1:1/hooks/agent",
    tokenVariable: "OJ_AGENT_TOKEN",
    hooks: "http",
    folder: "/f",
  });
  return argv.slice(2);
}

describe("a client that is started", () => {
  it("becomes the terminal's process, with our arguments after its own", () => {
    const [script, ...args] = lineOf("claude --model opus", "Begin.");
    assert.equal(script, 'exec claude --model opus "$@"');
    assert.deepEqual(args, ["oj", "--settings", "/f/settings.json", "--session-id", "c", "Begin."]);
  });

  it("may have values in its line, and lines that continue", () => {
    const [script] = lineOf("claude \\\n  --model ${var.model}\n");
    assert.match(script ?? "", /^export -n (\w+); exec claude \\\n {2}--model "\$\{\1\}" "\$@"$/);
  });

  it("gets text that looks like a flag or a command as text", () => {
    assert.equal(lineOf("claude", "-p").at(-1), " -p");
    for (const it of ["!ls", "/clear"]) assert.equal(lineOf("claude", it).at(-1), `The user says: ${it}`);
  });
});
