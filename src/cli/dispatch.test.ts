import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, fakeClient, fakeContext } from "../../test/fakes/fake-client.ts";
import { dispatch } from "./dispatch.ts";

function call(...argv: string[]) {
  const context = fakeContext(fakeClient(decision()));
  const given: unknown[] = [];
  const code = dispatch(argv, context.out, async (it) => {
    given.push(it);
    return { ...context, json: it.json };
  });
  return { code, given, stdout: context.stdout };
}

describe("words that name no command", () => {
  for (const [argv, message, hint] of [
    ["decison", 'oj has no command "decison"', "did you mean oj decision?"],
    ["decison list", 'oj has no command "decison"', "did you mean oj decision list?"],
    ["decision lst", 'oj decision has no command "lst"', "did you mean oj decision list?"],
    ["resolve 7k3", 'oj has no command "resolve"', "did you mean oj decision resolve?"],
    ["statsu", 'oj has no command "statsu"', "did you mean oj status?"],
    ["xyzzy", 'oj has no command "xyzzy"', "oj --help"],
    ["decision xyzzy", 'oj decision has no command "xyzzy"', "oj decision --help"],
    ["--xyzzy", "oj has no flag --xyzzy", "oj --help"],
    ["decision list --sorce x", "oj decision list has no flag --sorce", "did you mean --source?"],
    ["decision list -o xml", '-o takes json, csv or text, not "xml"', "-o json"],
    ["decision list --project=", "--project needs a name", "--project NAME"],
    ["decision show", "oj decision show needs ID", "oj decision show ID"],
    ["__complet", 'oj has no command "__complet"', "did you mean oj completion?"],
  ] as const)
    it(`oj ${argv}`, async () => {
      await assert.rejects(
        call(...argv.split(" ")).code,
        (error: { code: string; message: string; hint: string }) => {
          assert.equal(error.code, "usage");
          assert.equal(error.message, message);
          if (!argv.startsWith("__")) assert.equal(error.hint, hint);
          return true;
        },
      );
    });
});

describe("words that name a command", () => {
  it("run it", async () => {
    const { code, stdout } = call("decision", "list");
    assert.equal(await code, 0);
    assert.match(stdout(), /^ID .*\ndec-7k3m9x2p4q /);
  });
  it("may be preceded by global flags", async () => {
    const { code, given, stdout } = call("--project", "shop", "-o", "json", "decisions");
    assert.equal(await code, 0);
    assert.deepEqual(given, [{ json: true, project: "shop", server: undefined, lenient: false }]);
    assert.equal(JSON.parse(stdout()).length, 1);
  });
  it("show its help without a daemon", async () => {
    for (const argv of [
      ["decision", "list", "--help"],
      ["-h", "decision", "list"],
      ["help", "decision", "list"],
    ]) {
      const { code, given, stdout } = call(...argv);
      assert.equal(await code, 0);
      assert.deepEqual(given, []);
      assert.match(stdout(), /^oj decision list: /);
    }
  });
  it("may name a group or nothing, and then show help", async () => {
    for (const [argv, start] of [
      [["decision"], "oj decision: "],
      [["decision", "--help"], "oj decision: "],
      [["help", "decision"], "oj decision: "],
      [[], "oj "],
      [["--help"], "oj "],
      [["help"], "oj "],
    ] as const) {
      const { code, stdout } = call(...argv);
      assert.equal(await code, 0);
      assert.ok(stdout().startsWith(start));
    }
  });
  it("show the version", async () => {
    for (const argv of [["--version"], ["decision", "--version"], ["decision", "list", "--version"]]) {
      const { code, stdout } = call(...argv);
      assert.equal(await code, 0);
      assert.match(stdout(), /^\d+\.\d+\.\d+/);
    }
  });
});
