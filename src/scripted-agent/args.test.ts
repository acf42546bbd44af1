import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { readArgs } from "./args.ts";
import { composerView } from "./screen/composer-view.ts";
import { widthOf, wrap } from "./screen/text.ts";

describe("the command line", () => {
  it("is that of a client", () => {
    const args = readArgs(
      [
        "--scenario",
        "s.json",
        "--settings=x.json",
        "--session-id",
        "u1",
        "--permission-mode",
        "manual",
        "Do it",
      ],
      {},
    );
    assert.deepEqual(args, {
      scenario: "s.json",
      settings: "x.json",
      sessionId: "u1",
      resume: null,
      permissionMode: "default",
      record: null,
      print: false,
      prompt: "Do it",
      asks: null,
    });
  });

  it("can come from the environment", () => {
    const { scenario, record } = readArgs([], { OJ_AGENT_SCENARIO: "s.json", OJ_AGENT_RECORD: "r.jsonl" });
    assert.deepEqual([scenario, record], ["s.json", "r.jsonl"]);
    assert.equal(readArgs(["--scenario", "t.json"], { OJ_AGENT_SCENARIO: "s.json" }).scenario, "t.json");
  });

  it("takes a prompt that looks like a flag after --", () => {
    assert.equal(readArgs(["--", "--not a flag"], {}).prompt, "--not a flag");
  });

  it("is refused with what is wrong", () => {
    assert.throws(() => readArgs(["--colour"], {}), /unknown option --colour/);
    assert.throws(() => readArgs(["a", "b"], {}), /one prompt/);
    assert.throws(() => readArgs(["--resume"], {}), /--resume needs a value/);
    assert.throws(() => readArgs(["--resume", "a", "--session-id", "b"], {}), /can.t be used together/);
    assert.throws(() => readArgs(["--permission-mode", "fast"], {}), /fast is not one of/);
  });
});

describe("text", () => {
  it("is wrapped at blanks, and by force where there are none", () => {
    assert.deepEqual(wrap("one two three", 12, "- "), ["- one two", "  three"]);
    assert.deepEqual(wrap("abcdefghijklmnop", 8), ["abcdefgh", "ijklmnop"]);
    assert.deepEqual(wrap("日本語日本語", 8), ["日本語日", "本語"]);
    assert.deepEqual(wrap("a\u001b[31mb\u0007", 20), ["a[31mb"]);
    assert.equal(widthOf("é日"), 3);
  });
});

describe("the composer", () => {
  const state = { text: "", mode: "default", busy: null, held: false, leaving: false, queued: 0 };

  it("says what can be done", () => {
    assert.match(
      composerView(state, 40).lines.join("\n"),
      /❯ \n.*─{40}.*\n {2}⏸ manual mode on · \? for shortcuts$/,
    );
    assert.match(
      composerView({ ...state, busy: { what: "Working", seconds: 3, canInterrupt: true } }, 40).lines.join(
        "\n",
      ),
      /✻ Working… \(3s\)\n[\s\S]*esc to interrupt$/,
    );
  });

  it("only shows the number of lines if the text is long", () => {
    const { lines } = composerView({ ...state, text: "line\n".repeat(60) }, 40);
    assert.ok(lines.includes("❯ [Pasted text #1 +60 lines]"));
  });
});
