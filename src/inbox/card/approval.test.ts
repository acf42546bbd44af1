import assert from "node:assert/strict";
import { describe as group, it } from "vitest";
import type { About } from "../../../test/fakes/cards.ts";
import { about, action, code } from "../../../test/fakes/cards.ts";
import { NOW } from "../../../test/fakes/fake-client.ts";
import type { Block } from "./card.ts";

group("the card of an approval", () => {
  const approval = (input: unknown, more: About = {}) =>
    about({ source: "approval", action: action(input), ...more });

  it("shows what a person made of it below what the agent asked for", () => {
    const answer = { chosen: 1, choices: [[1]], labels: ["Approve"], text: null, message: null, by: "ana" };
    const changed = { ...answer, via: "cli", resolved_at_ms: NOW, input: { command: "ls build" } } as const;
    const { matter, facts } = approval({ command: "rm -rf build" }, { state: "resolved", answer: changed });
    assert.deepEqual(matter, [
      code(null, "rm -rf build", "shell"),
      { type: "ours", text: "Approved with a change. This is what may run instead:" },
      code(null, "ls build", "shell"),
    ]);
    assert.equal(facts.find((it) => it.name === "answer")?.text, "Approve, with a change");
  });

  it("shows the command first, then every other value by a name that people use", () => {
    const { matter } = approval({ command: "git push", run_in_background: true, extra: { a: [1] } });
    assert.deepEqual(matter, [
      code(null, "git push", "shell"),
      code("in the background", "true", "json"),
      code("extra", '{ "a": [ 1 ] }', "json"),
    ]);
  });

  it("has the first words of a long command as its title: all of it stands below, once", () => {
    const command = "npm test -- ".repeat(20);
    const card = approval({ command }, { title: `Bash: ${command}` });
    assert.equal(card.title, `Bash: ${command}`.slice(0, 71).concat("…"));
    assert.deepEqual(card.matter, [code(null, command, "shell")]);
  });

  it("shows the change of a notebook's cell as a diff of that cell, and every other value", () => {
    const input = { notebook_path: "a.ipynb", cell_id: "b2", new_source: "2", cell_type: "code" };
    const diff = { path: "a.ipynb", text: "@@ -1,1 +1,1 @@\n-1\n+2", is_new: false, cut: 0, unread: null };
    const card = (more: object, change: object = {}) =>
      approval({}, { action: { ...action({ ...input, ...more }), diff: { ...diff, ...change } } }).matter;
    const lines = [
      { kind: "removed", text: "1" },
      { kind: "added", text: "2" },
    ];
    const shown = { type: "diff", path: "a.ipynb", lines };
    const ours = (text: string) => ({ type: "ours", text });
    assert.deepEqual(card({}), [ours("Changes this code cell:"), code("cell", "b2"), shown]);
    assert.deepEqual(card({ edit_mode: "insert", hue: 7 }), [
      ...[ours("Adds a code cell after this one:"), code("cell", "b2"), shown, code("hue", "7", "json")],
    ]);
    assert.deepEqual(card({ edit_mode: "delete" }), [
      ...[ours("Deletes this code cell:"), code("cell", "b2"), shown, code("new cell", "2")],
    ]);
    for (const it of [card({ edit_mode: "burn" }), card({ cell_type: ["code"] }), card({}, { cut: 3 })])
      assert.deepEqual(it.slice(0, 3), [
        ...[code("notebook", "a.ipynb"), code("cell", "b2"), code("new cell", "2")],
      ]);
  });

  it("shows an edit as a diff, and says if every occurrence changes", () => {
    const input = {
      file_path: "a.ts",
      old_string: "one\ntwo\nthree",
      new_string: "one\n2\nthree",
      replace_all: true,
    };
    assert.deepEqual(approval(input).matter, [
      {
        type: "diff",
        path: "a.ts",
        lines: [
          { kind: "kept", text: "one" },
          { kind: "removed", text: "two" },
          { kind: "added", text: "2" },
          { kind: "kept", text: "three" },
        ],
      },
      code("every occurrence", "true", "json"),
    ]);
    assert.equal(approval({ ...input, replace_all: false }).matter.length, 1);
  });

  const diff = {
    path: "a.ts",
    text: "@@ -4,2 +4,2 @@\n kept\n-old\n+new",
    is_new: false,
    cut: 0,
    unread: null,
  };
  const written = (more: object) =>
    about({
      source: "approval",
      action: {
        tool: "Write",
        sha256: "",
        input: { file_path: "a.ts", content: "all" },
        diff: { ...diff, ...more },
      },
    }).matter;
  const lines = [
    { kind: "gap", text: "3 unchanged lines" },
    { kind: "kept", text: "kept" },
    { kind: "removed", text: "old" },
    { kind: "added", text: "new" },
  ];

  it("shows what would change in the file, if that was recorded", () => {
    assert.deepEqual(written({}), [{ type: "diff", path: "a.ts", lines }]);
    const input = { file_path: "a.ts", old_string: "old", new_string: "new", other: 1 };
    const edit = approval(input, { action: { tool: "Edit", sha256: "", input, diff } });
    assert.deepEqual(edit.matter, [{ type: "diff", path: "a.ts", lines }, code("other", "1", "json")]);
  });

  it("hides nothing that an edit has besides, where the record shows them all at once", () => {
    const edits = [{ old_string: "old", new_string: "new", other: "besides" }];
    const input = { file_path: "a.ts", edits };
    const { matter } = approval(input, { action: { tool: "MultiEdit", sha256: "", input, diff } });
    assert.match(JSON.stringify(matter), /besides/);
  });

  it("shows the whole input if the record is not all of it, and says what is known about the file", () => {
    for (const [more, note] of [
      [{ is_new: true }, "The file does not exist yet."],
      [{ cut: 3 }, "The file exists. What would change is too long to show line by line."],
      [{ text: "" }, "The file has this text already."],
      [{ unread: "it is not text" }, "The file itself is not shown: it is not text."],
    ] as const)
      assert.deepEqual(written(more), [
        code("file", "a.ts"),
        code("content", "all"),
        { type: "ours", text: note },
      ]);
    assert.deepEqual(written({ path: "b.ts" }), [code("file", "a.ts"), code("content", "all")]);
  });

  it("shows each of several edits, and what an edit has besides", () => {
    const edits = [
      { old_string: "a", new_string: "b" },
      { old_string: "c", new_string: "d", replace_all: true },
    ];
    const types = (blocks: readonly Block[]) => blocks.map((it) => it.type);
    assert.deepEqual(types(approval({ file_path: "a.ts", edits }).matter), ["diff", "diff", "code"]);
  });

  it("keeps a key that is no plain name inside the text", () => {
    assert.deepEqual(approval({ "1  Approve": "x" }).matter, [
      code("a value", '{ "1  Approve": "x" }', "json"),
    ]);
    const names = approval({ subagent_type: 1, planFilePath: 1, maxTurns: 1, "a-b": 1, URL: 1 }).matter;
    assert.deepEqual(
      names.map((it) => it.type === "code" && it.label),
      ["subagent type", "plan file path", "max turns", "a b", "URL"],
    );
  });

  const SECRET = "never hidden";
  for (const [name, input] of Object.entries({
    "beside a command": { command: "ls", other: SECRET },
    "beside an edit": { file_path: "a", old_string: "a", new_string: "b", other: SECRET },
    "in one of several edits": {
      file_path: "a",
      edits: [{ old_string: "a", new_string: "b", other: SECRET }],
    },
    "beside edits": { file_path: "a", edits: [{ old_string: "a", new_string: "b" }], other: SECRET },
    "as a path that is no text": { file_path: [SECRET], old_string: "a", new_string: "b" },
    "as a command that is no text": { command: [SECRET] },
    "in edits of another kind": { edits: [{ old_string: "a" }, SECRET] },
    "as the only value": SECRET,
    "in a list": [SECRET],
  }))
    it(`shows a value ${name}`, () => assert.match(JSON.stringify(approval(input).matter), /never hidden/));

  it("leaves the agent's own dialog out of its screen, which is folded", () => {
    const screen = [
      "● Pushing now",
      "─".repeat(60),
      " Bash command",
      " git push",
      " Do you want to proceed?",
      "   1. Yes",
      " ❯ 2. No",
      "",
      " Esc to cancel",
    ].join("\n");
    const card = approval({ command: "git push" }, { quotes: { screen: screen } });
    assert.deepEqual(card.screen, { type: "printed", label: "Its screen", text: "● Pushing now" });
    assert.ok(!JSON.stringify(card).includes("2. No"));
  });

  it("is about the screen if the dialog was read from there, without the rows that are our options", () => {
    const screen =
      "Do you want to use this API key?\n\n   1. Yes\n ❯ 2. No (recommended)\n\n Enter to confirm";
    const card = about({ source: "approval", action: null, quotes: { screen: screen } });
    assert.deepEqual(card.matter, [
      { type: "printed", label: "The last lines on its screen", text: "Do you want to use this API key?" },
    ]);
    assert.equal(card.screen, null);
  });
});
