import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, it } from "vitest";
import { sessionHooks } from "./claude/session-hooks.ts";
import { MARK } from "./claude/setup.ts";
import type { HookGroups } from "./hooks-in-settings.ts";
import * as settingsFile from "./hooks-in-settings.ts";
import { NotSettings } from "./setup.ts";

const withHooks = (text: string | null, groups: HookGroups) => settingsFile.withHooks(text, groups, MARK);
const withoutHooks = (text: string) => settingsFile.withoutHooks(text, MARK);
const ours = sessionHooks({ hold: false, soft: false, wait_s: null });
const other = { type: "command", command: "echo theirs" };

/** Settings in any formatting, with and without other people's hooks. */
const settings = fc
  .record(
    {
      model: fc.jsonValue(),
      'odd "key" {[,': fc.jsonValue(),
      hooks: fc.dictionary(
        fc.constantFrom("Stop", "PostToolUse", "UserPromptSubmit", "Notification"),
        fc.array(fc.record({ matcher: fc.string(), hooks: fc.array(fc.constant(other), { maxLength: 2 }) }), {
          maxLength: 2,
        }),
      ),
      permissions: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .chain((value) =>
    fc
      .tuple(
        fc.constantFrom(undefined, 0, 1, 2, 4, "\t"),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        fc.boolean(),
      )
      .map(([indent, newline, bom, end]) => {
        const text = JSON.stringify(value, null, indent).replaceAll("\n", newline);
        return (bom ? "\uFEFF" : "") + text + (end ? newline : "");
      }),
  );

const read = (text: string) =>
  JSON.parse(text.replace(/^\uFEFF/, "")) as { hooks: Record<string, unknown[]> };

describe("our hooks in a settings file", () => {
  it("are added to what is there, and go without a trace", () => {
    fc.assert(
      fc.property(settings, (text) => {
        const after = withHooks(text, ours);
        for (const [event, group] of Object.entries(ours))
          assert.deepEqual(read(after).hooks[event]?.at(-1), group);
        assert.equal(withHooks(after, ours), after);
        assert.equal(withoutHooks(after), text);
      }),
      { numRuns: 40 },
    );
  });

  it("leave every other byte alone, even if somebody adds things later", () => {
    const before = `{\n    "a" : [1,2 ],  "hooks":{ "Stop":[ {"hooks":[${JSON.stringify(other)}]} ] }\n}`;
    const after = withHooks(before, ours);
    assert.ok(
      after.startsWith(`{\n    "a" : [1,2 ],  "hooks":{ "Stop":[ {"hooks":[${JSON.stringify(other)}]}`),
    );
    const added = after.replace(`"a" : [1,2 ]`, `"z": 0, "a" : [1,2 ]`).replace(/\}$/, `, "last": {}\n}`);
    const without = withoutHooks(added);
    assert.equal(
      without,
      before.replace(`"a" : [1,2 ]`, `"z": 0, "a" : [1,2 ]`).replace(/\}$/, `, "last": {}\n}`),
    );
  });

  it("leave a hook alone that somebody put into our group", () => {
    const after = withHooks("{}", ours);
    const value = read(after);
    const [group] = value.hooks.Stop as [{ hooks: unknown[] }];
    group.hooks.push(other);
    assert.deepEqual(JSON.parse(withoutHooks(JSON.stringify(value, null, 2)) ?? ""), {
      hooks: { Stop: [{ hooks: [other] }] },
    });
  });

  it("create a file if there was none, and it goes with them", () => {
    const after = withHooks(null, ours);
    assert.equal(after, `${JSON.stringify(read(after), null, 2)}\n`);
    assert.equal(withoutHooks(after), null);
    assert.equal(withoutHooks(withHooks("{}\n", ours)), "{}\n");
  });

  it("are replaced when different ones are wanted", () => {
    const soft = sessionHooks({ hold: true, soft: true, wait_s: 600 });
    const before = `{\n  "hooks": {\n    "Stop": [{ "hooks": [${JSON.stringify(other)}] }]\n  }\n}\n`;
    const after = withHooks(withHooks(before, ours), soft);
    assert.equal(read(after).hooks.Stop?.length, 2);
    assert.ok(read(after).hooks.PermissionRequest);
    assert.equal(withoutHooks(after), before);
  });

  it("leave comments and trailing commas where they are", () => {
    const files = [
      `{ // mine\n}`,
      `{\n  // first\n  "model": "opus" // not the other one\n}\n`,
      `{\n  "model": "opus", // not the other one\n  /* end */\n}\n`,
      `{\n  "hooks": {\n    // at the end\n    "Stop": [{ "hooks": [${JSON.stringify(other)},] }, /* mine */],\n  },\n}\n`,
      `{"a": "http://x", "b": [1,2,], /* c */ "hooks": {} }`,
    ];
    for (const before of files) {
      const after = withHooks(before, ours);
      const { hooks } = parse(after) as { hooks: Record<string, unknown[]> };
      assert.ok(Object.keys(ours).every((event) => hooks[event]?.length));
      for (const note of before.match(/\/\/ .*|\/\*.*?\*\//g) ?? []) assert.ok(after.includes(note), note);
      assert.equal(withHooks(after, ours), after);
      assert.equal(withoutHooks(after), before);
    }
    const [, noted = ""] = files;
    assert.match(withHooks(noted, ours), /"opus", \/\/ not the other one\n {2}"hooks": \{\n/);
  });

  for (const [what, text] of Object.entries({
    "is no JSON": "{",
    "has a comment without end": "{ /* mine }",
    "is empty": "",
    "is a list": "[]",
    "has hooks that are not an object": `{"hooks": []}`,
    "has an event that is not a list": `{"hooks": {"Stop": {}}}`,
  }))
    it(`are not put into a file that ${what}`, () => {
      assert.throws(() => withHooks(text, ours), NotSettings);
      assert.throws(() => withoutHooks(text), NotSettings);
    });
});
