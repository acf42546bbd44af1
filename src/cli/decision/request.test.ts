import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, fakeClient, fakeContext } from "../../../test/fakes/fake-client.ts";
import { contextOf, optionOf, command as request } from "./request.ts";

describe("an option as it is written", () => {
  for (const [text, label, description] of [
    ["Postgres", "Postgres", null],
    ["Postgres: what we know", "Postgres", "what we know"],
    ["Postgres: one: two", "Postgres", "one: two"],
    ["a:b", "a:b", null],
    ["http://x: a link", "http://x", "a link"],
    [" spaced :  out ", "spaced", "out"],
    ["Empty: ", "Empty", null],
  ] as const)
    it(`"${text}"`, () => assert.deepEqual(optionOf(text), { label, description }));
});

describe("the context", () => {
  const context = fakeContext(fakeClient());
  it("is JSON if it is valid JSON", () =>
    assert.deepEqual(contextOf('{"a": [1]}', context), { context: { a: [1] } }));
  it("is text otherwise", () => assert.deepEqual(contextOf("just text", context), { context: "just text" }));
  it("is text, with a remark, if it only begins like JSON", () => {
    assert.deepEqual(contextOf("{broken", context), { context: "{broken" });
    assert.match(context.stderr(), /^the context looks like JSON but is not valid/);
  });
  it("may be left out", () => assert.deepEqual(contextOf(undefined, context), {}));
});

describe("oj decision request", () => {
  it("prints the id, and says what to type next", async () => {
    const context = fakeContext(fakeClient());
    await request.run(context, [], {
      prompt: "Which?",
      option: ["A: fast", "B"],
      recommend: "1",
      as: "bot",
      urgency: "high",
    } as never);
    assert.equal(context.stdout(), "dec-newnewnew2\n");
    assert.equal(context.stderr(), "  → oj decision await dec-newnewnew2\n");
    const [{ request: sent }] = context.client.calls as [{ request: { request_key: string } }];
    assert.match(sent.request_key, /^[0-9a-f-]{36}$/);
    assert.deepEqual(context.client.calls, [
      {
        request: {
          request_key: sent.request_key,
          project: "shop",
          cwd: "/shop",
          as: "bot",
          session: null,
          prompt: "Which?",
          options: [
            { label: "A", description: "fast" },
            { label: "B", description: null },
          ],
          recommend: 1,
          urgency: "high",
          template: null,
          blocks: [],
          on_cancel: null,
          parent: null,
          predecessor: null,
        },
      },
    ]);
  });

  for (const [what, flags, message] of [
    ["a missing question", {}, "a request needs a question"],
    [
      "a recommendation that is not a number",
      { prompt: "p", recommend: "x" },
      '--recommend needs a whole number from 1 up, not "x"',
    ],
    [
      "an unknown urgency",
      { prompt: "p", urgency: "hi" },
      '--urgency must be one of high, medium, low, not "hi"',
    ],
    ["a timeout without --wait", { prompt: "p", timeout: "5s" }, "--timeout needs --wait"],
    [
      "two templates",
      { prompt: "p", template: "a", type: "b" },
      "--template and --type mean the same; give only one",
    ],
    ["an invalid duration", { prompt: "p", wait: true, timeout: "5" }, '"5" is not a duration'],
  ] as const)
    it(`refuses ${what}`, async () => {
      const context = fakeContext(fakeClient());
      await assert.rejects(async () => request.run(context, [], flags as never), { code: "usage", message });
      assert.deepEqual(context.client.calls, []);
    });

  it("waits for the answer if asked to, with await's exit code", async () => {
    const client = fakeClient();
    client.awaitDecision = async () =>
      decision({
        state: "withdrawn",
        ended: { reason: "not needed", by: "ana", at_ms: Date.UTC(2026, 6, 30, 12, 0) },
      });
    const context = fakeContext(client);
    assert.equal(await request.run(context, [], { prompt: "Which?", option: ["A"], wait: true } as never), 4);
    assert.equal(context.stdout(), "");
    assert.match(
      context.stderr(),
      /dec-newnewnew2 asked; waiting.*\ndec-7k3m9x2p4q withdrawn: not needed, by ana just now\n/,
    );
  });
});
