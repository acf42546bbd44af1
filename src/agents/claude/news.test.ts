import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { newsIn } from "./news.ts";

const at = (entry: object, timestamp = "2026-11-16T00:00:02.000Z") =>
  `${JSON.stringify({ timestamp, ...entry })}\n`;
const user = (content: unknown, more: object = {}) =>
  at({ type: "user", message: { role: "user", content }, ...more });
const result = (id: string, more: object = {}) => ({
  type: "tool_result",
  tool_use_id: id,
  content: "x",
  ...more,
});
/** Said of a call that was refused, and of one that was interrupted while it ran. */
const NO = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. …).";
const news = (...lines: string[]) => newsIn(lines.join(""), Date.parse("2026-11-16T00:00:01.000Z"));

describe("a conversation file", () => {
  it("reports what was said, word for word", () => {
    assert.deepEqual(news(user("Go on."), user([{ type: "text", text: "The user says: !ls" }])), [
      { type: "submitted", text: "Go on." },
      { type: "submitted", text: "!ls" },
    ]);
  });

  it("reports how a call ended: it ran, with which answers, or was refused", () => {
    const answers = { "Which database?": "Postgres" };
    const lines = [
      user([result("t1"), { type: "text", text: "Then test it." }]),
      user([result("t2", { is_error: true })], { toolUseResult: "User rejected tool use" }),
      user([result("t3")], { toolUseResult: { answers } }),
      user([
        result("t4", { is_error: true, content: NO }),
        result("t5", {
          is_error: true,
          content: `${NO} To tell you how to proceed, the user said:\nnot here`,
        }),
      ]),
    ];
    assert.deepEqual(news(...lines), [
      { type: "answered", key: "t1", ran: true },
      { type: "answered", key: "t2", result: "x" },
      { type: "answered", key: "t3", ran: true, answers },
      { type: "answered", key: "t4", refused: true },
      { type: "answered", key: "t5", refused: true, rejected: true, result: "not here" },
    ]);
  });

  it("ignores what nobody said: the client's own notes, a subagent's words, anything earlier", () => {
    const lines = [
      user("[Request interrupted by user for tool use]"),
      user("<command-name>/clear</command-name>"),
      user("<local-command-stdout>x</local-command-stdout>"),
      user("a reminder", { isMeta: true }),
      user("all that was said", { isCompactSummary: true }),
      user("for a subagent", { isSidechain: true }),
      at({ type: "assistant", message: { content: [{ type: "text", text: "Hello" }] } }),
      at({ type: "user", message: { content: "long ago" } }, "2026-11-16T00:00:00.000Z"),
    ];
    assert.deepEqual(news(...lines), []);
    assert.deepEqual(news(user("<task-notification>\n<task-id>b1</task-id>")), [{ type: "worked" }]);
  });

  it("ignores what can't be read", () => {
    const hostile = ["", "{", "[]", "null", `{"type":"user"}`, `{"type":"user","message":{"content":7}}`];
    const blocks = [user([null, 7, { type: "tool_result", tool_use_id: 7 }, { type: "text", text: {} }])];
    assert.deepEqual(news(...hostile.map((it) => `${it}\n`), ...blocks), []);
  });
});
