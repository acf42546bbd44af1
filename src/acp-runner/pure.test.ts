import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { readLine } from "./args.ts";
import * as calls from "./calls.ts";
import { earlierWords } from "./earlier.ts";
import { contentOf, fieldsOf } from "./form.ts";
import { CANCELLED, isApproval, optionsIn, selected } from "./options.ts";
import { waysOf } from "./programs.ts";
import { kindOf } from "./turn.ts";
import type { Params } from "./wire/rpc.ts";
import { wordsOf } from "./wire/rpc.ts";

const calledBy = (call: Params, ways = waysOf("")) => calls.calledBy(call, ways, "/w");
const option = (kind: string, id = kind) => ({ optionId: id, name: `Name of ${id}`, kind });
const formOf = (properties: object, required: string[] = []) =>
  fieldsOf({ message: "M", requestedSchema: { properties, required } });

describe("the options of a permission", () => {
  it("are a Yes and a No if there is one of each, and else a question", () => {
    const cases: [string[], boolean, string?][] = [
      [["allow_once", "reject_once"], true],
      [["allow_once", "allow_always", "reject_once", "reject_always"], true],
      [["allow_once", "reject_always"], true],
      [["allow_always", "reject_once"], false],
      [["allow_once", "allow_once", "reject_once"], false],
      [["allow_once"], false],
      [["allow_once", "reject_once", "something_new"], false],
      [[], false],
      [["allow_always", "allow_always", "allow_once", "reject_once"], false], // a plan, or what it is is not known
      [["allow_always", "allow_always", "allow_once", "reject_once"], false, "switch_mode"],
      [["allow_always", "allow_always", "allow_once", "reject_once"], true, "execute"], // as Qwen Code asks
      [["allow_always", "allow_once", "allow_once", "reject_once"], false, "execute"],
      [["allow_always", "allow_always", "reject_once"], false, "execute"],
    ];
    for (const [kinds, approval, deed = ""] of cases) {
      const options = optionsIn({ options: kinds.map((kind, n) => option(kind, `${n}`)) });
      assert.equal(isApproval(options, deed), approval, kinds.join(" "));
    }
  });

  it("are those that have a name, and none can be selected that is not there", () => {
    assert.deepEqual(optionsIn({ options: [{ optionId: "x" }, 7, null, option("allow_once")] }).length, 1);
    assert.deepEqual(optionsIn({ options: "all" }), []);
    assert.equal(selected(null), CANCELLED);
  });
});

describe("an update", () => {
  it("says that the turn has failed, where the program says that", () => {
    // recorded with codex-acp 2.6.0
    const update = (type: string) => ({
      sessionUpdate: "session_info_update",
      _meta: { codex: { threadStatus: { type } } },
    });
    const codex = waysOf("@agentclientprotocol/codex-acp");
    assert.equal(codex.saysFailed(update("systemError")), true);
    assert.equal(codex.saysFailed(update("active")), false);
    assert.equal(codex.saysFailed({ sessionUpdate: "plan" }), false);
    assert.equal(waysOf("").saysFailed(update("systemError")), false);
  });
});

describe("a call", () => {
  it("is shown as a command or as a change of a file where it is one", () => {
    const command = { kind: "execute", title: "t", rawInput: { command: "ls", description: "Look" } };
    assert.deepEqual(calledBy(command).input, { command: "ls", description: "Look" });
    const words = { kind: "execute", rawInput: { command: ["sh", "-c", "echo 'a'"] } };
    assert.equal(calledBy(words).input.command, "sh -c 'echo '\\''a'\\'''");
    const diff = { type: "diff", path: "/w/a", oldText: "x", newText: "y" };
    assert.deepEqual(calledBy({ kind: "edit", content: [diff] }).name, "Edit");
    assert.deepEqual(calledBy({ kind: "edit", content: [{ ...diff, oldText: null }] }).name, "Write");
  });

  it("is a command with the folder that it runs in, if that is another one", () => {
    const run = (raw: object) =>
      calledBy({ kind: "execute", rawInput: { command: "rm -rf build", ...raw } }).input;
    assert.deepEqual(run({ workdir: "/home/ana" }), { command: "rm -rf build", cwd: "/home/ana" });
    assert.deepEqual(run({ cwd: "packages/a" }), { command: "rm -rf build", cwd: "packages/a" });
    for (const same of [{ cwd: "/w" }, { workdir: "." }, { cwd: "" }, {}])
      assert.deepEqual(run(same), { command: "rm -rf build" });
  });

  it("is the command in its title, for a program that gives it there", () => {
    // recorded with Gemini CLI 0.61.0
    const explained = { type: "text", text: "[current working directory /w] (Make it)" };
    const call = {
      toolCallId: "run_shell_command__run_shell_command_1794870671475_0",
      status: "pending",
      title: "touch one && ls",
      content: [{ type: "content", content: explained }],
      locations: [],
      kind: "execute",
    };
    const { name, input } = calledBy(call, waysOf("gemini-cli"));
    assert.deepEqual([name, input], ["Bash", { command: "touch one && ls", description: explained.text }]);
    assert.equal(calledBy(call).name, "Execute");
  });

  it("is shown with all that is said about it otherwise", () => {
    const diff = { type: "diff", path: "/w/a", oldText: "x", newText: "y" };
    const two = calledBy({ kind: "edit", title: "Two files", content: [diff, { ...diff, path: "/w/b" }] });
    assert.equal(two.name, "Edit");
    assert.equal((two.input.changes as object[]).length, 2);
    const unclear = calledBy({ kind: "execute", title: "rm -rf x", rawInput: {} });
    assert.deepEqual([unclear.name, unclear.input], ["Execute", { title: "rm -rf x" }]);
    assert.equal(calledBy({}).name, "Other");
  });
});

describe("an error of the program's", () => {
  it("is told in its own words, wherever it puts them", () => {
    // recorded with Gemini CLI 0.61.0
    const passedOn = '{"error":{"code":401,"message":"scripted 401","status":"X"}}';
    assert.equal(wordsOf({ message: passedOn }), "401 scripted 401");
    assert.equal(
      wordsOf({ message: "Internal error", data: { details: "no key" } }),
      "Internal error: no key",
    );
    assert.equal(wordsOf({}), "error");
  });
});

describe("what a program has lost", () => {
  const told = (content: unknown) => JSON.stringify({ type: "user", message: { content } });

  it("is told again, without what tools said", () => {
    const kept = [
      told("Build it"),
      told([{ type: "tool_result" }]),
      '{"type":"assistant"}',
      told("Go on"),
      "{",
    ];
    assert.match(earlierWords(kept.join("\n")), /you were told:\n\nBuild it\n\nGo on$/);
    assert.equal(earlierWords(""), "");
  });

  it("is cut in the middle if it is long", () => {
    const long = (letter: string) => told(letter.repeat(15_000));
    assert.match(
      earlierWords([told("Task"), long("a"), long("b"), told("Last")].join("\n")),
      /Task\n\n\[…\]\n\nb+\n\nLast$/,
    );
  });
});

describe("a form", () => {
  it("asks for each field, and its answers become values of the field's type", () => {
    const form = formOf(
      {
        db: { type: "string", enum: ["pg", "lite"], enumNames: ["Postgres", "SQLite"] },
        parts: {
          type: "array",
          items: {
            anyOf: [
              { const: "a", title: "A, B" },
              { const: "c", title: "C" },
            ],
          },
        },
        size: { type: "number" },
        sure: { type: "boolean" },
        note: { type: "string" },
      },
      ["db"],
    );
    assert.ok("fields" in form);
    const [db, parts, size, sure, note] = form.fields.map((it) => it.question.question);
    const answers = {
      [db ?? ""]: "SQLite",
      [parts ?? ""]: "A, B, C",
      [size ?? ""]: "1.5",
      [sure ?? ""]: "No",
    };
    assert.deepEqual(contentOf(form.fields, { ...answers, [note ?? ""]: "Leave it empty" }), {
      content: { db: "lite", parts: ["a", "c"], size: 1.5, sure: false },
    });
    for (const unfit of [{ [size ?? ""]: "many" }, { [db ?? ""]: "Oracle" }]) {
      const filled = contentOf(form.fields, { ...answers, ...unfit });
      assert.ok("refused" in filled && filled.isUnfit, "it is asked again");
    }
    assert.ok("refused" in contentOf(form.fields, {}), "a required field is missing");
  });

  it("is refused if it wants a secret, is no form, or has nothing in it", () => {
    for (const field of [
      { password: { type: "string" } },
      { x: { type: "string", format: "password" } },
      { x: { type: "string", title: "API key" } },
      { x: { type: "string", description: "Your access token" } },
    ])
      assert.ok("refused" in formOf(field), JSON.stringify(field));
    assert.ok("refused" in formOf({}));
    assert.ok("refused" in fieldsOf({ mode: "url" }));
  });
});

describe("the runner's command line", () => {
  it("is the program's words, then ours", () => {
    const { program, args } = readLine(["gemini", "--acp", "--oj", "--resume", "c1", "Go on"]);
    assert.deepEqual([program, args.resume, args.prompt], [["gemini", "--acp"], "c1", "Go on"]);
    assert.throws(() => readLine(["--oj"]), /which program/);
  });
});

describe("an error of the program", () => {
  it("is known by its words", () => {
    assert.equal(kindOf(-32603, "429 Too Many Requests"), "rate_limit");
    assert.equal(kindOf(-32000, "Log in first"), "authentication_failed");
    assert.equal(kindOf(-32603, "529 overloaded"), "server_error");
    assert.equal(kindOf(-32603, "Something else"), "unknown");
  });
});
