import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, fakeClient, fakeContext } from "../../../test/fakes/fake-client.ts";
import { answerOf, split, textsOf } from "../answer/given.ts";
import { command as resolve } from "./resolve.ts";

describe("the arguments of an answer", () => {
  for (const [args, ids, words] of [
    [["a", "1"], ["a"], ["1"]],
    [["a"], ["a"], []],
    [["7"], ["7"], []],
    [["7", "1"], ["7"], ["1"]],
    [["a", "2", "1,3"], ["a"], ["2", "1,3"]],
    [["a", "b", "c", "1"], ["a", "b", "c"], ["1"]],
    [["a", "7", "b", "1"], ["a", "7", "b"], ["1"]],
    [["a", "2345678923"], ["a", "2345678923"], []],
    [["a", "-1"], ["a"], ["-1"]],
  ] as const)
    it(`${args.join(" ")}: ids ${ids.join(" ")}, choices ${words.join(" ") || "none"}`, () =>
      assert.deepEqual(split(args), { ids, words }));

  it("can choose several options for each question", () =>
    assert.deepEqual(answerOf(["2", "1,3"], "t", "m"), { choices: [[2], [1, 3]], text: "t", message: "m" }));
  it("can have a text for each question that is answered with Other", () => {
    const asked = decision({
      questions: [3, 2, 2].map((count, at) => ({
        question: `Q${at}`,
        header: null,
        multi_select: false,
        options: Array.from({ length: count }, (_, n) => ({ label: `O${n}`, description: null })),
      })),
    });
    const given = { choices: [[4], [1], [3]] };
    assert.deepEqual(textsOf(asked, given, ["a", "b"]), ["a", null, "b"]);
    assert.throws(() => textsOf(asked, given, ["a", "b", "c"]), { code: "usage" });
  });
  it("can be the name of one option, but not of two", () => {
    assert.equal(answerOf(["Ship it"], undefined, undefined).option, "Ship it");
    assert.throws(() => answerOf(["x", "y"], undefined, undefined), { code: "usage" });
  });
});

describe("oj decision resolve", () => {
  const options = [{ label: "Ship it", effect: "the job continues" }, { label: "Stop" }];

  it("answers, and says what came of it", async () => {
    const context = fakeContext(fakeClient(decision({ options })));
    assert.equal(await resolve.run(context, ["7k3", "1"], { message: "go" } as never), undefined);
    assert.equal(context.stdout(), '✓ dec-7k3m9x2p4q answered: Ship it  "go"\n  the job continues\n');
    assert.equal(context.stderr(), "  → oj job show job-a2b3c4d5e6\n");
  });

  it("takes --choice and --rationale as synonyms", async () => {
    const context = fakeContext(fakeClient(decision()));
    await resolve.run(context, ["7k3"], { choice: ["2"], rationale: "no" } as never);
    assert.deepEqual(context.client.calls, [{ resolve: "7k3", choices: [[2]], text: null, message: "no" }]);
  });

  it("refuses two messages", async () => {
    const context = fakeContext(fakeClient(decision()));
    await assert.rejects(
      async () => resolve.run(context, ["7k3"], { message: "a", rationale: "b" } as never),
      { code: "usage" },
    );
  });

  it("prints the decision as JSON", async () => {
    const context = fakeContext(fakeClient(decision()), { json: true });
    await resolve.run(context, ["7k3", "1"], {} as never);
    assert.equal(JSON.parse(context.stdout()).answer.chosen, 1);
    assert.equal(context.stderr(), "");
  });

  it("answers several, each with its own result, and fails if one does", async () => {
    const context = fakeContext(fakeClient(decision(), decision({ id: "dec-p4qp4qp4qp" })));
    assert.equal(await resolve.run(context, ["7k3", "p4q", "zzz", "1"], {} as never), 1);
    assert.equal(
      context.stdout(),
      `✓ dec-7k3m9x2p4q  answered: Ship it, by ana (cli) just now
✓ dec-p4qp4qp4qp  answered: Ship it, by ana (cli) just now
✗ zzz  there is no decision zzz
`,
    );
  });

  it("refuses to answer several with nothing", async () => {
    const context = fakeContext(fakeClient(decision()));
    await assert.rejects(async () => resolve.run(context, ["a", "b"], {} as never), {
      code: "usage",
      message: "no answer was given for the 2 decisions",
      hint: "oj decision resolve a b N",
    });
  });
});
