import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { clientLine } from "../known/clients.ts";
import { endsWithTurn, launch } from "./launch.ts";
import { olderThanTested } from "./version.ts";

const input = {
  script: "codex -m gpt-6",
  values: {},
  message: "-x is the flag",
  resume: null,
  conversation: "unused",
  hookUrl: "http://127.0.0.1:1/hooks/agent",
  tokenVariable: "OJ_AGENT_TOKEN",
  folder: "/f",
  hooks: "command" as const,
};

describe("starting Codex", () => {
  it("is known by its name, its package and its script", () => {
    for (const run of [
      "codex",
      "/opt/bin/codex --full-auto",
      "npx @openai/codex@0.166.0",
      "env A=1 codex exec",
    ])
      assert.equal(clientLine(run).kind, "codex", run);
    assert.equal(clientLine("codexes").kind, "program");
    assert.deepEqual(
      [
        ["exec", "x"],
        ["-m", "x"],
      ].map(endsWithTurn),
      [true, false],
    );
  });

  it("adds hooks and their trust, no server of its own, and the message as no flag", () => {
    const { argv, saysMessage } = launch(input);
    assert.deepEqual(argv.slice(0, 5), ["bash", "-c", 'exec codex -m gpt-6 "$@"', "oj", "--no-daemon"]);
    assert.deepEqual([argv.slice(-2), saysMessage], [["--", " -x is the flag"], true]);
    const flags = argv.filter((_, n) => argv[n - 1] === "-c").slice(1);
    assert.deepEqual(
      flags.map((it) => it.split("=")[0]),
      [
        ...["SessionStart", "PreModelRequest", "UserPromptSubmit", "PreToolUse", "PermissionRequest"],
        ...["PostToolUse", "Stop"],
      ]
        .map((it) => `hooks.${it}`)
        .concat("hooks.state"),
    );
    assert.ok(!argv.join(" ").includes("dangerously"), "no other hook becomes trusted");
  });

  it("resumes a conversation, and starts `codex exec` without the flag it does not know", () => {
    assert.deepEqual(launch({ ...input, resume: "c1" }).argv.slice(4, 7), ["resume", "c1", "--no-daemon"]);
    assert.ok(!launch({ ...input, script: "codex exec" }).argv.includes("--no-daemon"));
    assert.equal(launch({ ...input, message: null }).saysMessage, false);
  });

  it("says so if the client is older than the tested one", () => {
    assert.match(olderThanTested("codex-cli 0.165.9") ?? "", /^Codex 0\.165\.9 is older than 0\.166\.0,/);
    assert.equal(olderThanTested("codex-cli 0.166.0"), null);
  });
});
