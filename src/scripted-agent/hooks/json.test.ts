import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Common } from "./json.ts";
import {
  beforeTool,
  blockOf,
  contextOf,
  permissionOf,
  permissionRequest,
  postToolBatch,
  postToolUse,
  preToolUse,
  sessionEnd,
  sessionStart,
  stop,
  stopFailure,
  userPromptSubmit,
} from "./json.ts";
import { answersText, rejectedWith } from "./result-text.ts";
import { filledHeaders, handlersFor, readSettings } from "./settings.ts";

const common: Common = {
  session_id: "s1",
  transcript_path: "/t.jsonl",
  cwd: "/w",
  prompt_id: "p1",
  permission_mode: "default",
};
const head = {
  session_id: "s1",
  transcript_path: "/t.jsonl",
  cwd: "/w",
  prompt_id: "p1",
  permission_mode: "default",
};
const call = { name: "Bash", input: { command: "make" }, id: "toolu_1" };

describe("the JSON of a hook", () => {
  it("has the fields that Claude Code sends", () => {
    assert.deepEqual(sessionStart(common, "startup"), {
      session_id: "s1",
      transcript_path: "/t.jsonl",
      cwd: "/w",
      hook_event_name: "SessionStart",
      source: "startup",
      model: "scripted",
    });
    assert.deepEqual(userPromptSubmit(common, "Go"), {
      ...head,
      hook_event_name: "UserPromptSubmit",
      prompt: "Go",
    });
    assert.deepEqual(preToolUse(common, call), {
      ...head,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "make" },
      tool_use_id: "toolu_1",
    });
    assert.deepEqual(stopFailure(common, "rate_limit", "429"), {
      ...head,
      hook_event_name: "StopFailure",
      error: "rate_limit",
      last_assistant_message: "429",
    });
    assert.deepEqual(sessionEnd(common, "other"), {
      session_id: "s1",
      transcript_path: "/t.jsonl",
      cwd: "/w",
      hook_event_name: "SessionEnd",
      reason: "other",
    });
    assert.deepEqual(stop(common, { active: true, last: "done", tasks: [] }), {
      ...head,
      hook_event_name: "Stop",
      stop_hook_active: true,
      last_assistant_message: "done",
      background_tasks: [],
      session_crons: [],
    });
  });

  it("does not name the call in a permission request, and adds suggestions", () => {
    const asked = permissionRequest(common, call);
    assert.equal("tool_use_id" in asked, false);
    assert.deepEqual(asked.permission_suggestions, [
      { type: "addDirectories", directories: ["/w"], destination: "session" },
      { type: "setMode", mode: "acceptEdits", destination: "session" },
    ]);
    assert.equal(
      "permission_suggestions" in permissionRequest(common, { ...call, name: "AskUserQuestion" }),
      false,
    );
  });

  it("has what ran after the call, and what the model asked for in the batch", () => {
    const result = { call, input: { command: "make -j" }, response: { stdout: "ok" }, text: "ok" };
    assert.deepEqual(postToolUse(common, result, 5), {
      ...head,
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_input: { command: "make -j" },
      tool_response: { stdout: "ok" },
      tool_use_id: "toolu_1",
      duration_ms: 5,
    });
    assert.deepEqual(postToolBatch(common, [result]).tool_calls, [
      { tool_name: "Bash", tool_input: { command: "make" }, tool_use_id: "toolu_1", tool_response: "ok" },
    ]);
  });
});

describe("the output of a hook", () => {
  const request = (decision: unknown) =>
    permissionOf({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });

  it("allows and denies", () => {
    assert.deepEqual(request({ behavior: "allow" }), {
      allow: true,
      input: null,
      mode: null,
      always: false,
      message: null,
      interrupt: false,
    });
    const updates = [
      { type: "setMode", mode: "acceptEdits" },
      { type: "addRules", rules: [] },
    ];
    assert.deepEqual(request({ behavior: "allow", updatedInput: { a: 1 }, updatedPermissions: updates }), {
      allow: true,
      input: { a: 1 },
      mode: "acceptEdits",
      always: true,
      message: null,
      interrupt: false,
    });
    assert.deepEqual(request({ behavior: "deny", message: "no", interrupt: true }), {
      allow: false,
      input: null,
      mode: null,
      always: false,
      message: "no",
      interrupt: true,
    });
  });

  it("means nothing if it makes no sense", () => {
    for (const it of [undefined, null, 7, {}, { behavior: "maybe" }]) assert.equal(request(it), null);
    assert.equal(
      permissionOf({ hookSpecificOutput: { hookEventName: "PreToolUse", decision: { behavior: "allow" } } }),
      null,
    );
    assert.deepEqual(beforeTool({ hookSpecificOutput: "x" }), { decision: null, reason: "", input: null });
    assert.equal(blockOf({ reason: "x" }), null);
    assert.equal(
      contextOf({ hookSpecificOutput: { hookEventName: "Stop", additionalContext: "x" } }, "SessionStart"),
      null,
    );
  });

  it("decides before a tool runs, and can send the agent back", () => {
    const before = beforeTool({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "drift",
      },
    });
    assert.deepEqual(before, { decision: "deny", reason: "drift", input: null });
    assert.equal(beforeTool({ decision: "block", reason: "old style" }).decision, "deny");
    assert.equal(blockOf({ decision: "block", reason: "tests" }), "tests");
  });
});

describe("settings", () => {
  const http = {
    type: "http",
    url: "http://x/",
    headers: { token: "$A", both: "${A}-$B" },
    allowedEnvVars: ["A"],
    timeout: 5,
  };
  const group = (matcher?: string) => [{ ...(matcher === undefined ? {} : { matcher }), hooks: [http] }];

  it("fill in allowed variables only", () => {
    const [handler] = handlersFor(readSettings({ hooks: { Stop: group() } }), "Stop", "");
    assert.ok(handler?.type === "http");
    assert.deepEqual(filledHeaders(handler, { A: "secret", B: "hidden" }), {
      token: "secret",
      both: "secret-",
    });
    assert.equal(handler.timeoutMs, 5000);
  });

  it("match tools, and have no HTTP hook for SessionStart", () => {
    const settings = readSettings({
      hooks: { PreToolUse: [...group("Bash|Write"), ...group("*")], SessionStart: group() },
    });
    assert.equal(handlersFor(settings, "PreToolUse", "Bash").length, 2);
    assert.equal(handlersFor(settings, "PreToolUse", "BashX").length, 1);
    assert.equal(handlersFor(settings, "SessionStart", "startup").length, 0);
  });

  it("may contain anything at all", () => {
    for (const it of [
      null,
      [],
      7,
      { hooks: 7 },
      { hooks: { Stop: 7 } },
      { hooks: { Stop: [{ hooks: [7, { type: "http" }] }] } },
    ])
      assert.deepEqual(Object.values(readSettings(it).hooks).flat(), []);
  });
});

describe("what the model is told", () => {
  const questions = [
    {
      question: "Which?",
      header: "",
      multiSelect: false,
      options: [
        { label: "A", description: "" },
        { label: "B", description: "" },
      ],
    },
    {
      question: "What?",
      header: "",
      multiSelect: true,
      options: [
        { label: "X", description: "" },
        { label: "Y", description: "" },
      ],
    },
  ];

  it("depends on whether the answers are among the options", () => {
    assert.equal(
      answersText(questions, { "Which?": "B", "What?": "X, Y" }, {}),
      `Your questions have been answered: "Which?"="B", "What?"="X, Y". You can now continue with these answers in mind.`,
    );
    assert.match(
      answersText(questions, { "Which?": "C" }, {}),
      /^The user answered: "Which\?"="C"\. Read the answers carefully/,
    );
    assert.match(
      answersText(questions, { "Which?": "B" }, { "Which?": { notes: "soon" } }),
      /^The user answered: "Which\?"="B" notes: soon/,
    );
    assert.equal(answersText(questions, {}, {}), "The user did not answer the questions.");
  });

  it("includes the reason for a No", () => {
    assert.match(rejectedWith("use mktemp"), /the user said:\nuse mktemp$/);
  });
});
