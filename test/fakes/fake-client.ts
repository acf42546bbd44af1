/**
 * An API client without a daemon: decisions in memory, answered as the real one answers them, and a record of the
 * calls.
 */
import type {
  ApiClient,
  BatchResult,
  DecisionView,
  OptionView,
  Rememberable,
  RequestBody,
  ResolveBody,
  SuggestionView,
} from "../../src/api/api.ts";
import type { Context } from "../../src/cli/base/command.ts";
import { plain } from "../../src/cli/base/output.ts";
import type { Config } from "../../src/config.ts";
import { Refusal } from "../../src/core/model/errors.ts";
import type { Changing } from "../../src/core/model/fixed.ts";

export const NOW = Date.UTC(2026, 6, 30, 12, 0);

type DecisionInput = Partial<Omit<DecisionView, "options">> & { options?: Partial<OptionView>[] };

/** `decision({ title: "Ship?", options: [{ label: "Yes" }] })`: the rest is filled in. */
export function decision({ options, ...more }: DecisionInput = {}): DecisionView {
  return {
    id: "dec-7k3m9x2p4q",
    project: "shop",
    source: "step",
    state: "pending",
    outcome: "pending",
    title: "Ship 1.0?",
    context: "",
    fields: {},
    urgency: "medium",
    owner: { kind: "job", id: "job-a2b3c4d5e6", name: "release/1.0", step: "ship" },
    agent_id: null,
    requested_by: null,
    session: null,
    template: null,
    blocks: [],
    on_cancel: "keep",
    aftermath: null,
    parent: null,
    predecessor: null,
    supersedes: null,
    superseded_by: null,
    successor: null,
    notices: [],
    not_notified: null,
    escalation: null,
    claimed: null,
    snoozed: null,
    deadline_at_ms: null,
    default: null,
    stale_since_ms: null,
    closes_at_ms: null,
    machine: null,
    away_since_ms: null,
    bead: null,
    prompt_key: null,
    recipient: null,
    questions: [],
    action: null,
    options: (options ?? [{ label: "Ship it", recommended: true }, { label: "Stop" }]).map((it, index) => ({
      number: index + 1,
      key: `option-${index + 1}`,
      label: `Option ${index + 1}`,
      description: null,
      recommended: false,
      effect: "",
      acts: true,
      ...it,
    })),
    created_at_ms: NOW - 180_000,
    held: null,
    answer: null,
    ended: null,
    delivery: { state: "none", attempts: 0, error: null, at_ms: null },
    ...more,
  };
}

/** The rule that an approval would become. */
export const rule = (
  id: string,
  more: Partial<NonNullable<Rememberable["rule"]>> = {},
): Rememberable & { rule: object } => ({
  decision: id as DecisionView["id"],
  rule: {
    ...{ name: "npm test", hash: "0123456789abcdef", asker: "job fix/cart", problem: null },
    ...{ file: "/shop/.oj/runbooks/remembered.hcl", text: 'policy "npm test" {\n  approve = {}\n}\n' },
    ...more,
  },
  why: null,
  tried: { answered: 0, of: 0, agreed: 0, disagreed: [], saved_per_hour: 0 },
});

/** A rule that answers suggest. */
export const suggestion = (more: Partial<SuggestionView> = {}): SuggestionView => ({
  ...{ key: "00000000000000aa", project: "shop", name: "npm test", what: "npm test", hash: "a".repeat(64) },
  ...{ text: 'policy "npm test" {\n  approve = {\n    tool    = "Bash"\n  }\n}\n', problem: null },
  ...{ file: "/shop/.oj/runbooks/remembered.hcl", answers: 12, days: 3, jobs: 4 },
  decisions: [{ id: "dec-1111111111", title: "Bash: npm test", by: "ana", at_ms: NOW }],
  tried: { answered: 12, of: 40, agreed: 12, disagreed: [], saved_per_hour: 0.5 },
  ...more,
});

export interface FakeClient extends ApiClient {
  all: DecisionView[];
  /** What was answered, requested and cancelled, in order. */
  calls: unknown[];
  /** Somebody else answers. */
  answerElsewhere(id: string, by: string): void;
}

export function fakeClient(...given: DecisionView[]): FakeClient {
  const all = [...given];
  const calls: unknown[] = [];
  const find = (id: string) => {
    const found = all.find((it) => it.id === id || it.id.startsWith(`dec-${id}`));
    if (!found) throw new Refusal("decision.not-found", `there is no decision ${id}`, "oj decision list");
    return found;
  };
  const settle = (
    it: DecisionView,
    { choices = [], text = null, message = null }: ResolveBody,
    by: string,
  ) => {
    const chosen = choices.flat()[0] ?? null;
    if (it.state !== "pending")
      throw new Refusal("decision.already-resolved", `${it.id} was already answered`);
    if (it.questions.length <= 1 && chosen !== null && !it.options[chosen - 1]) {
      throw new Refusal("decision.out-of-range", `${chosen} is not one of them`);
    }
    const labels = chosen === null ? [] : [it.options[chosen - 1]?.label ?? ""];
    const own = it as Changing<DecisionView>;
    own.state = "resolved";
    own.answer = { chosen, choices, labels, text, message, by, via: "cli", resolved_at_ms: NOW };
    return { decision: it, option: it.options.find((option) => option.number === chosen) ?? null };
  };
  const fake: Partial<FakeClient> = {
    all,
    calls,
    answerElsewhere: (id, by) => void settle(find(id), { choices: [[1]] }, by),
    health: async () => ({
      running: true,
      pid: 1,
      version: "0",
      uptime_ms: 0,
      socket: "",
      port: null,
      seq: 0,
      pending: all.filter((it) => it.state === "pending").length,
      running_jobs: 0,
      live_agents: 0,
      quiet: false,
      memory_bytes: 0,
      warnings: [],
    }),
    decisions: async (query = {}) => {
      calls.push({ list: query });
      return all.filter((it) => query.all || it.state === "pending");
    },
    decision: async (id) => find(id),
    suggestions: async () => [],
    acceptSuggestion: async (key, body) => {
      calls.push({ accept: key, ...body });
      return suggestion({ key });
    },
    declineSuggestion: async (key) => void calls.push({ decline: key }),
    ruleFor: async (id) => rule(find(id).id),
    rememberDecision: async (id, body) => {
      calls.push({ resolve: id, remember: body });
      return settle(find(id), { choices: [[1]] }, "ana");
    },
    resolveDecision: async (id, answer) => {
      calls.push({ resolve: id, ...answer });
      return settle(find(id), answer, "ana");
    },
    resolveDecisions: async (ids, answer) => {
      return ids.map((id): BatchResult => {
        try {
          return { id, decision: settle(find(id), answer, "ana").decision };
        } catch (error) {
          const { code, message, hint } = error as Refusal;
          return { id, error: { code, message, hint } };
        }
      });
    },
    requestDecision: async (body: RequestBody) => {
      calls.push({ request: body });
      const asked = decision({ id: "dec-newnewnew2", source: "request", title: body.prompt });
      all.push(asked);
      return asked;
    },
    awaitDecision: async (id) => find(id),
    cancelDecision: async (id, { reason }) => {
      const it = find(id);
      const own = it as Changing<DecisionView>;
      own.state = "withdrawn";
      own.ended = { reason: reason ?? "cancelled", by: "ana", at_ms: NOW };
      return it;
    },
  };
  return fake as FakeClient;
}

export interface FakeContext extends Context {
  client: FakeClient;
  /** What was printed and said, each piece with its line end. */
  stdout(): string;
  stderr(): string;
}

export function fakeContext(client: FakeClient, more: Partial<Pick<Context, "json">> = {}): FakeContext {
  let [stdout, stderr] = ["", ""];
  const print = (text: string) => {
    stdout += `${text}\n`;
  };
  return {
    client,
    config: { project: "shop", cwd: "/shop", env: {}, user: "ana" } as unknown as Config,
    json: false,
    out: {
      print,
      json: (value) => print(JSON.stringify(value)),
      say: (text) => {
        stderr += `${text}\n`;
      },
      style: plain,
      width: 80,
      isTerminal: false,
    },
    abort: new AbortController().signal,
    now: () => NOW,
    stdout: () => stdout,
    stderr: () => stderr,
    ...more,
  };
}
