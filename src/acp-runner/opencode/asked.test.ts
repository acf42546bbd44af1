/** What the real opencode said, recorded with the version in the file's name: read as the runner reads it. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { UsageError } from "../../scripted-agent/args.ts";
import { calledBy as calledIn } from "../calls.ts";
import { waysOf } from "../programs.ts";
import type { Params } from "../wire/rpc.ts";
import { isObject } from "../wire/rpc.ts";
import type { ToolCall } from "./asked.ts";
import { answersTo, errorWords, permissionParams, questionsIn } from "./asked.ts";
import { readOpencodeLine } from "./line.ts";

const calledBy = (call: Params) => calledIn(call, waysOf("opencode"), "/home/ana/shop");

const file = path.join(import.meta.dirname, "../../../test/fixtures/recorded/opencode-1.18.33.jsonl");
const recorded = fs
  .readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .map((it) => JSON.parse(it) as { type: string; properties: Params });
const asked = recorded.filter((it) => it.type === "permission.asked").map((it) => it.properties);
const calls = new Map(
  recorded.flatMap(({ properties: { part } }) =>
    isObject(part) && isObject(part.state) && part.state.status === "running"
      ? [[part.callID, { tool: part.tool, input: part.state.input } as ToolCall] as const]
      : [],
  ),
);
const shown = (it: Params) => {
  const { toolCall } = permissionParams(it, calls.get((it.tool as Params).callID));
  return calledBy(toolCall as Params);
};

describe("a permission that opencode asks for", () => {
  it("is shown as the command or the change that it is for", () => {
    const [bash, write, edit] = asked.map(shown);
    assert.deepEqual(
      [bash?.name, bash?.input],
      ["Bash", { command: "touch one && ls", description: "Make it" }],
    );
    assert.deepEqual(
      [write?.name, write?.input],
      ["Write", { file_path: "/home/ana/shop/x.txt", content: "hi\n" }],
    );
    assert.deepEqual(
      [edit?.name, edit?.input],
      ["Edit", { file_path: "/home/ana/shop/x.txt", old_string: "hi", new_string: "ho" }],
    );
  });

  it("is shown with all that is known if it is not the tool's own", () => {
    const outside = shown(asked[3] ?? {});
    assert.equal(outside.name, "External_directory");
    assert.equal(outside.title, "external_directory /etc/*");
    assert.deepEqual([outside.input.tool, outside.input.input], ["read", { filePath: "/etc/hostname" }]);
  });

  it("is shown with all that is known if it changes every place, or its call is unknown", () => {
    const it = asked[2] ?? {};
    const everywhere = { filePath: "/a", oldString: "x", newString: "y", replaceAll: true };
    const all = calledBy(permissionParams(it, { tool: "edit", input: everywhere }).toolCall as Params);
    assert.deepEqual([all.input.input, typeof all.input.diff], [everywhere, "string"]);
    const unknown = calledBy(permissionParams(it, undefined).toolCall as Params);
    assert.match(String(unknown.input.diff), /-hi\n\+ho/);
  });

  it("offers what opencode takes, and says what Always stands for", () => {
    const options = permissionParams(asked[0] ?? {}, undefined).options as { name: string; kind: string }[];
    assert.deepEqual(
      options.map((it) => it.kind),
      ["allow_once", "allow_always", "reject_once"],
    );
    assert.equal(options[1]?.name, "Allow always: touch *, ls *");
  });
});

describe("a question that opencode asks", () => {
  const questions = questionsIn(recorded.find((it) => it.type === "question.asked")?.properties ?? {});

  it("is read with its options", () => {
    assert.deepEqual(
      questions.map((it) => [it.question, it.multiSelect, it.options.map((one) => one.label)]),
      [
        ["Which?", false, ["A", "B"]],
        ["Many?", true, ["X", "Y"]],
      ],
    );
    assert.deepEqual(questionsIn({ questions: [7, {}, { question: "Q", options: "no" }] }), [
      { question: "Q", header: "Question", multiSelect: false, options: [] },
    ]);
  });

  it("gets the labels that were chosen, whatever is in them, and own words", () => {
    assert.deepEqual(answersTo(questions, { "Which?": "A", "Many?": "X, own words" }), [
      ["A"],
      ["X", "own words"],
    ]);
    assert.deepEqual(answersTo(questions, { "Which?": "Something, else" }), [["Something, else"], []]);
    const labels = ["Export, with dates", "Export", "Login"].map((label) => ({ label, description: "" }));
    const parts = [{ question: "P", header: "P", multiSelect: true, options: labels }];
    assert.deepEqual(answersTo(parts, { P: "Export, with dates, Login" }), [["Export, with dates", "Login"]]);
    assert.deepEqual(answersTo(parts, { P: '"Export, with dates", Export' }), [
      ["Export, with dates", "Export"],
    ]);
  });
});

describe("an error of opencode's", () => {
  it("has its status in its words", () => {
    const data = { message: "Too many", statusCode: 429 };
    assert.equal(errorWords({ name: "APIError", data }), "429 Too many");
    assert.equal(errorWords({ name: "UnknownError" }), "UnknownError");
    assert.equal(errorWords(null), "unknown error");
  });
});

describe("a line that starts opencode", () => {
  const ours = ["--hostname", "127.0.0.1", "--port", "0"];

  it("starts its server, and keeps what a prompt has to say", () => {
    assert.deepEqual(readOpencodeLine(["opencode"]), { server: ["opencode", "serve", ...ours], prompt: {} });
    const words = ["npx", "opencode-ai@1.18", "-m", "a/b/c", "--agent=plan", "--pure"];
    assert.deepEqual(readOpencodeLine(words), {
      server: ["npx", "opencode-ai@1.18", "serve", "--pure", ...ours],
      prompt: { model: { providerID: "a", modelID: "b/c" }, agent: "plan" },
    });
  });

  it("is refused if it says what the server can't do", () => {
    for (const words of [["opencode", "--continue"], ["opencode", "-m"], ["opencode", "-m", "x"], ["x"]])
      assert.throws(() => readOpencodeLine(words), UsageError, words.join(" "));
  });
});
