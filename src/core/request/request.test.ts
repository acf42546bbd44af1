import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { asker, world } from "../../../test/fakes/core.ts";
import { asked, context, option, refused, runbook } from "../../../test/fakes/requests.ts";
import { findDecision } from "../model/state/find.ts";
import { BUILTIN_TEMPLATES } from "../template/builtin-templates.ts";
import type { RequestInput } from "./types.ts";

const long = "x".repeat(10_001);

describe("a request is refused", () => {
  const pending = world();
  const before = asked(pending);
  const other = asked(pending, { requester: asker("other") });
  const elsewhere = asked(pending, { project: "blog" });
  const log = JSON.stringify(pending.events);

  for (const [what, more, code, message] of [
    ["without a question", { prompt: " \n" }, "decision.invalid", "the prompt is empty"],
    [
      "with a question as long as a book",
      { prompt: long },
      "decision.invalid",
      "the prompt has 10001 characters; at most 10000 are allowed",
    ],
    ["without options", { options: [] }, "decision.invalid", "it has no options"],
    [
      "with five options",
      { options: ["a", "b", "c", "d", "e"].map((it) => option(it)) },
      "decision.invalid",
      "it has 5 options; at most 4 are allowed",
    ],
    [
      "with a blank label",
      { options: [option("a"), option(" ", "what")] },
      "decision.invalid",
      "option 2 has no label",
    ],
    [
      "with a label as long as a page",
      { options: [option("x".repeat(501))] },
      "decision.invalid",
      "the label of option 1 has more than 500 characters",
    ],
    [
      "with a label twice",
      { options: [option("a"), option(" a ")] },
      "decision.invalid",
      'option 2 repeats "a"',
    ],
    [
      "with a recommendation that does not exist",
      { recommend: 3 },
      "decision.invalid",
      "--recommend 3 is not one of its options (it has 2)",
    ],
    [
      "with a recommendation of 0",
      { recommend: 0 },
      "decision.invalid",
      "--recommend 0 is not one of its options (it has 2)",
    ],
    ["with an unknown parent", { parent: "zz" }, "decision.invalid", "--parent zz is not a decision in shop"],
    [
      "with a parent of another project",
      { parent: elsewhere.id },
      "decision.invalid",
      `--parent ${elsewhere.id} is not a decision in shop`,
    ],
    [
      "with an ambiguous parent",
      { parent: "dec-0" },
      "decision.invalid",
      "--parent dec-0 matches 2 decisions",
    ],
    [
      "with an unknown predecessor",
      { predecessor: "zz" },
      "decision.invalid",
      "--predecessor zz is not a decision in shop",
    ],
    [
      "with a pending predecessor",
      { predecessor: other.id },
      "decision.predecessor",
      `--predecessor ${other.id} is still pending`,
    ],
    [
      "with an unknown template",
      { template: "reviw" },
      "template.not-found",
      'template "reviw" does not exist',
    ],
    [
      "without the context of its template",
      { template: "review", options: [] },
      "template.context-missing",
      'template "review" needs more context: "files" is missing (a list of at least 2); "why" is missing',
    ],
    [
      "with a string in place of a list",
      { template: "review", fields: { files: "a, b", why: "x" } },
      "template.context-missing",
      'template "review" needs more context: "files" must be a list',
    ],
    [
      "with a list that is too short, or that says nothing",
      { template: "review", fields: { files: ["a", " "], why: [] } },
      "template.context-missing",
      'template "review" needs more context: "files" has 1 of at least 2 entries; "why" is missing',
    ],
    [
      "about a failure, without an option to file it",
      { prompt: "The build failed. Go on?" },
      "decision.file-option-missing",
      'it is about a failure ("failed"), but no option files it',
    ],
  ] as const)
    it(what, () => {
      const refusal = refused(pending, more as Partial<RequestInput>);
      assert.deepEqual([refusal.code, refusal.message], [code, `the request was refused: ${message}`]);
      assert.equal(findDecision(pending.state, before.id).state, "pending");
      assert.equal(JSON.stringify(pending.events), log);
    });

  it("with all its problems at once, and what would be right", () => {
    const refusal = refused(pending, {
      prompt: "It crashed",
      options: [option(""), option("Retry")],
      recommend: 7,
      parent: "zz",
      predecessor: other.id,
      template: "review",
      fields: { files: [] },
    });
    assert.equal(refusal.code, "decision.invalid");
    assert.deepEqual(refusal.details?.problems, [
      "option 1 has no label",
      "--recommend 7 is not one of its options (it has 2)",
      "--parent zz is not a decision in shop",
      'template "review" needs more context: "files" is missing (a list of at least 2); "why" is missing',
      'it is about a failure ("crashed"), but no option files it',
      `--predecessor ${other.id} is still pending`,
    ]);
    assert.deepEqual(refusal.details?.missing, ["files", "why"]);
    assert.equal(
      refusal.hint,
      [
        "oj decision list --all",
        "Say what is to be looked at",
        `oj decision request --template review --prompt "…" --context '{"files":["…","…"],"why":"…"}'`,
        'add --option "File a bug: …"; if it is not about a failure, use --no-file-check',
        `oj decision await ${other.id}`,
      ].join("\n"),
    );
  });
});

describe("a request passes", () => {
  for (const [what, more] of [
    ["as it is", {}],
    ["with one option", { options: [option("a")] }],
    ["with four", { options: ["a", "b", "c", "d"].map((it) => option(it)) }],
    ["with labels that differ only in case", { options: [option("a"), option("A")] }],
    ["with a question of 10,000 characters", { prompt: "x".repeat(10_000) }],
    ["with its template's context and options", { template: "review", options: [], ...context }],
    [
      "about a failure that can be filed",
      { prompt: "It failed", options: [option("Retry"), option("Later", "file a bug")] },
    ],
    ["about a failure, with the check turned off", { prompt: "It failed", file_check: false }],
    [
      "about a failure, if the project has turned the check off",
      { prompt: "It failed", runbook: { ...runbook, requests: { file_check: null } } },
    ],
    [
      "with words that the project does not count as a failure",
      { prompt: "It failed", runbook: { ...runbook, requests: { file_check: { failure: ["boom"] } } } },
    ],
  ] as const)
    it(what, () => assert.equal(asked(world(), more as Partial<RequestInput>).state, "pending"));

  it("with --no-file-check only as far as that goes", () => {
    const refusal = refused(world(), { prompt: "It failed", file_check: false, recommend: 9 });
    assert.deepEqual(refusal.details?.problems, ["--recommend 9 is not one of its options (it has 2)"]);
  });

  it("and takes from its template: urgency, options, recommendation", () => {
    const decision = asked(world(), { template: "review", options: [], ...context });
    assert.deepEqual([decision.urgency, decision.template], ["low", "review"]);
    assert.deepEqual(
      decision.options.map((it) => [it.key, it.label, it.recommended]),
      [
        ["ok", "Looks good", true],
        ["adjust", "adjust", false],
      ],
    );
    const own = asked(world(), { template: "review", urgency: "high", recommend: 2, ...context });
    assert.deepEqual([own.urgency, own.options.map((it) => it.recommended)], ["high", [false, true]]);
  });

  it("with a key of its own for each option", () => {
    const decision = asked(world(), { options: [option("A?"), option("A!"), option("☃")] });
    assert.deepEqual(
      decision.options.map((it) => it.key),
      ["a", "a-2", "option"],
    );
  });
});

describe("the built-in templates", () => {
  it("are the eight kinds", () =>
    assert.deepEqual(
      BUILTIN_TEMPLATES.map((it) => it.name),
      [
        "ambiguity",
        "checkpoint",
        "confirmation",
        "exception",
        "prioritization",
        "quality",
        "stuck",
        "tradeoff",
      ],
    ));

  for (const template of BUILTIN_TEMPLATES) {
    const { prompt = "", options = [], context: fields = {} } = template.example ?? {};
    const example = { template: template.name, prompt, options: options.map((it) => option(it)), fields };

    it(`${template.name} accepts its example`, () => {
      const decision = asked(world(), example);
      assert.ok(decision.options.length >= 2);
    });

    it(`${template.name} refuses a context that lacks any one of its keys`, () => {
      for (const { key, min } of template.required_context) {
        const { [key]: _, ...rest } = fields;
        assert.deepEqual(refused(world(), { ...example, fields: rest }).details?.missing, [key]);
        if (min === undefined) continue;
        for (const bad of ["a string", Array(min - 1).fill("x"), Array(min).fill("")])
          assert.deepEqual(
            refused(world(), { ...example, fields: { ...fields, [key]: bad } }).details?.missing,
            [key],
          );
      }
      assert.deepEqual(
        refused(world(), { ...example, fields: {} }).details?.missing,
        template.required_context.map((it) => it.key),
      );
    });
  }
});

describe("one pending request at a time", () => {
  it("is allowed to an agent; a person of the same name may have as many as they like", () => {
    const it = world();
    const person = { requester: asker("ana", { is_agent: false }) };
    const own = [asked(it, person), asked(it, person)];
    const first = asked(it, { requester: asker("ana") });
    const second = asked(it, { requester: asker("ana") });
    assert.deepEqual(it.pending(), [...own.map((one) => one.id), second.id]);
    assert.deepEqual(
      [second.supersedes, findDecision(it.state, first.id).superseded_by],
      [first.id, second.id],
    );
  });

  it("is allowed per project, and per agent that we run", () => {
    const it = world();
    const agents = ["agt-1", "agt-2"].map((agent_id) => asker("bot", { agent_id: agent_id as never }));
    for (const requester of [...agents, asker("bot"), asker("bot", { session: "s1" })])
      asked(it, { requester });
    asked(it, { project: "blog" });
    assert.equal(it.pending().length, 5);
    for (const requester of agents) asked(it, { requester });
    assert.equal(it.pending().length, 5);
  });
});
