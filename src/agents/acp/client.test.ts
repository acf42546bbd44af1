import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { clientLine } from "../known/clients.ts";
import { acp } from "./client.ts";

const given = {
  values: {},
  message: "Go",
  resume: null,
  conversation: "c1",
  hookUrl: "http://127.0.0.1:1/hooks/agent",
  tokenVariable: "OJ_AGENT_TOKEN",
  folder: "/state/agents/a",
  hooks: "http",
} as const;

describe("a run line that begins with acp:", () => {
  it("is known, behind variables and quotes too", () => {
    for (const run of ["acp:gemini --acp", "A=1 acp:opencode acp", '"acp:/opt/my tools/x" --acp'])
      assert.equal(clientLine(run).kind, "acp", run);
    assert.notEqual(clientLine("gemini --acp").kind, "acp");
  });

  it("becomes the runner with the program's words, and then ours", () => {
    const line = (script: string) => acp.launch({ ...given, script }).argv[2];
    assert.equal(line("acp:gemini --acp"), 'exec oj-acp gemini --acp --oj "$@"');
    assert.equal(line('export -n x; "acp:/my tools/x"'), 'export -n x; exec oj-acp "/my tools/x" --oj "$@"');
    assert.equal(line("A=1 acp:x"), 'exec env A=1 oj-acp x --oj "$@"');
    const { argv, saysMessage } = acp.launch({ ...given, script: "acp:x" });
    assert.deepEqual([argv.slice(4).includes("c1"), argv.at(-1), saysMessage], [true, "Go", true]);
  });

  it("takes words with its start and its prompts alone", () => {
    const hook = { session_id: "s", hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: {} };
    assert.equal(acp.read(hook)?.tell, null);
    assert.ok(acp.read({ session_id: "s", hook_event_name: "SessionStart", source: "startup" })?.tell);
  });
});
