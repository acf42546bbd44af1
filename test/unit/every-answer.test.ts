/**
 * Every client, agents of ours and sessions, every source, every form of answer: what is offered reaches the client as
 * it was given, and what the client can't take is refused before it counts.
 */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentClientOf, sessionDoors } from "../../src/agents/known/clients.ts";
import * as list from "../../src/agents/known/list.ts";
import type { ResolveInput } from "../../src/core/decision/give.ts";
import { resolveDecision } from "../../src/core/decision/give.ts";
import type { Decision } from "../../src/core/model/decision-types.ts";
import { Refusal } from "../../src/core/model/errors.ts";
import { remarkOf } from "../../src/core/outbox/reply.ts";
import { decisionView } from "../../src/daemon/views/views.ts";
import { editText } from "../../src/inbox/edit.ts";
import { forever } from "../fakes/forever.ts";
import { hookedAgent } from "../fakes/hooked-agent.ts";
import { hookedSession } from "../fakes/hooked-session.ts";
import { settled } from "../fakes/settled.ts";

type Source = "approval" | "question" | "questions" | "closed" | "form" | "plan";
type Given = Partial<ResolveInput>;

const one = { question: "Which?", header: "Which", options: [{ label: "A" }, { label: "B" }] };
const many = { question: "Many?", header: "Many", options: [{ label: "X" }, { label: "Y" }] };
const call = (tool_name: string, tool_input: object) => ({
  hook_event_name: "PermissionRequest",
  tool_name,
  tool_input,
});
/** What Claude Code sends, and our runner for all programs behind it. */
const HOOKS: Record<Exclude<Source, "closed" | "form">, object> = {
  approval: call("Bash", { command: "make" }),
  question: call("AskUserQuestion", { questions: [one] }),
  questions: call("AskUserQuestion", { questions: [one, { ...many, multiSelect: true }] }),
  plan: call("ExitPlanMode", { plan: "# Build", planFilePath: "p.md" }),
};
const asked = (...questions: object[]) => ({ question: { id: "que_1", questions } });
const OPENCODE: Partial<Record<Source, object>> = {
  approval: { permission: { id: "per_1", permission: "bash", metadata: { command: "make" } } },
  question: asked(one),
  questions: asked(one, { ...many, multiple: true }),
  closed: asked({ ...one, custom: false }),
  form: asked({ ...one, custom: false }, { ...many, multiple: true }),
};
const { plan: _, ...unplanned } = HOOKS;
const shut = { ...one, closed: true };
/** The runner says which questions take their options alone. */
const RUNNER = {
  ...unplanned,
  closed: call("AskUserQuestion", { questions: [shut] }),
  form: call("AskUserQuestion", { questions: [shut, { ...many, multiSelect: true }] }),
};
const only = { approval: HOOKS.approval };

/** What each asks through a hook. Codex draws its questions, Gemini has none over ACP, and a plan there is a question. */
const AGENTS: Record<string, Partial<Record<Source, object>>> = {
  claude: HOOKS,
  "oj-agent": HOOKS,
  codex: only,
  opencode: RUNNER,
  gemini: only,
  "acp:any": RUNNER,
};
const SESSIONS: Record<string, Partial<Record<Source, object>>> = {
  claude: HOOKS,
  codex: only,
  opencode: OPENCODE,
  gemini: {}, // none of its hooks can say yes, so its permissions stay in its terminal
};

interface Form {
  given: Given;
  /** What the client must get, in the reply or as words that follow it. Absent: it is refused everywhere. */
  gets?: string[];
  /** It changes what will run. */
  changes?: true;
  /** Nothing goes to the client, and the dialog stays in its terminal. */
  leaves?: true;
}

const W = "Mind the gap.";
const changed = { input: { command: "make test" } };
const plan = { input: { plan: "# Build less", planFilePath: "p.md" } };
const FORMS: Record<Source, Record<string, Form>> = {
  approval: {
    yes: { given: { option: "approve" }, gets: [] },
    "yes, with words": { given: { option: "approve", message: W }, gets: [W] },
    "yes, as edited": { given: { option: "approve", ...changed }, gets: ["make test"], changes: true },
    "yes, as edited, with words": {
      given: { option: "approve", message: W, ...changed },
      gets: ["make test", W],
      changes: true,
    },
    no: { given: { option: "deny" }, gets: ["denied"] },
    "no, with words": { given: { option: "deny", message: W }, gets: [W] },
    "no, as edited": { given: { option: "deny", ...changed } },
    "words alone": { given: { message: W } },
    dismissed: { given: { option: "dismiss" }, leaves: true },
  },
  question: {
    "an option": { given: { choices: [[2]] }, gets: ["B"] },
    "an option, with words": { given: { choices: [[2]], message: W }, gets: ["B", W] },
    Other: { given: { choices: [[3]], text: W }, gets: [W] },
    "Other without words": { given: { choices: [[3]] } },
    "words alone": { given: { message: W }, gets: [W] },
    "as edited": { given: { choices: [[1]], ...changed } },
    dismissed: { given: { option: "dismiss" }, leaves: true },
  },
  questions: {
    "a choice for each": { given: { choices: [[1], [1, 2]] }, gets: ["A", "X", "Y"] },
    "Other in one": { given: { choices: [[3], [2]], text: W }, gets: [W, "Y"] },
    "own words for each": {
      given: { choices: [[3], [3]], texts: ["first", "second"] },
      gets: ["first", "second"],
    },
    "with words": { given: { choices: [[1], [2]], message: W }, gets: ["A", "Y", W] },
    "one of two": { given: { choices: [[1]] } },
    "words alone": { given: { message: W } },
    "as edited": { given: { choices: [[1], [1]], ...changed } },
  },
  closed: {
    "an option": { given: { choices: [[2]] }, gets: ["B"] },
    "an option, with words": { given: { choices: [[2]], message: W }, gets: ["B", W] },
    "an option, with a text": { given: { choices: [[2]], text: W }, gets: ["B", W] },
    Other: { given: { option: "other", text: W } },
    "words alone": { given: { message: W } },
    "a text alone": { given: { text: W } },
    dismissed: { given: { option: "dismiss" }, leaves: true },
  },
  form: {
    "a choice for each": { given: { choices: [[1], [1, 2]] }, gets: ["A", "X", "Y"] },
    "Other where it is none": { given: { choices: [[3], [2]], text: W } },
    "Other in the other one": { given: { choices: [[1], [3]], text: W }, gets: ["A", W] },
    "with words": { given: { choices: [[1], [2]], message: W }, gets: ["A", "Y", W] },
  },
  plan: {
    "auto edits": { given: { option: "accept-auto" }, gets: ["# Build", "acceptEdits"] },
    "manual edits": { given: { option: "accept-manual" }, gets: ["# Build"] },
    "manual edits, with words": { given: { option: "accept-manual", message: W }, gets: ["# Build", W] },
    "manual edits, as edited": { given: { option: "accept-manual", ...plan }, gets: ["less"], changes: true },
    "auto edits, as edited": { given: { option: "accept-auto", ...plan }, gets: ["less"], changes: true },
    "clear context, as edited": { given: { option: "accept-clear", ...plan } },
    revise: { given: { option: "revise", message: W }, gets: [W] },
    "revise without words": { given: { option: "revise" } },
    "words alone": { given: { message: W }, gets: [W] },
  },
};

/** A dialog that waits for an answer, and what the client got of one. */
interface Asking {
  decision(): Promise<Decision>;
  resolve(given: Given): Promise<unknown>;
  /** Everything that went to the client, or will; null if the answer could not be given. */
  got(): Promise<string | null>;
}

const answer = (id: string, given: Given) => ({
  id,
  choices: [],
  text: null,
  message: null,
  by: "ana",
  via: "cli" as const,
  ...given,
});

async function ofSession(of: string, hook: object): Promise<Asking> {
  const { engine, send } = hookedSession();
  let body: object | null = null;
  void send("PermissionRequest", hook, { of }).then((it) => (body = it.body));
  await settled();
  const [id = assert.fail("nothing was asked")] = await engine.read((state) => [...state.pending]);
  const decision = () => engine.read((state) => state.decisions.get(id) ?? assert.fail("gone"));
  return {
    decision,
    resolve: (given) => engine.run((state, moment) => resolveDecision(state, answer(id, given), moment)),
    async got() {
      await settled();
      if ((await decision()).delivery.state === "failed") return null;
      const queued = await engine.read((state) => JSON.stringify([...state.queues.values()]));
      return `${JSON.stringify(body)}\n${queued}`;
    },
  };
}

async function ofAgent(run: string, hook: object): Promise<Asking> {
  const { engine, send, agent } = await hookedAgent(undefined, run);
  void send(hook, forever);
  await settled();
  const [id = assert.fail("nothing was asked")] = await engine.read((state) => [...state.pending]);
  const { prompt } = await agent();
  return {
    decision: () => engine.read((state) => state.decisions.get(id) ?? assert.fail("gone")),
    resolve: (given) => engine.run((state, moment) => resolveDecision(state, answer(id, given), moment)),
    async got() {
      const now = await agent();
      const sent = now.outbox.flatMap(({ reply }) =>
        reply && prompt ? [agentClientOf(now).reply(prompt, reply), remarkOf(reply, now.kind)] : [],
      );
      return sent[0] === null ? null : JSON.stringify(sent);
    },
  };
}

const DOORS = {
  agent: { cast: AGENTS, open: ofAgent },
  session: { cast: SESSIONS, open: ofSession },
};

describe.each(Object.entries(DOORS))("an answer to the %s of", (kind, { cast, open }) => {
  for (const [of, hooks] of Object.entries(cast))
    for (const [source, hook] of Object.entries(hooks) as [Source, object][])
      it.each(Object.entries(FORMS[source]))(
        `${of}, ${source}: %s`,
        async (_, { given, gets, changes, leaves }) => {
          const asking = await open(of, hook);
          const before = await asking.decision();
          const isEditable = editText(decisionView(before)) !== null;
          const named = before.options.map((option) => option.key);
          if (source === "approval" || source === "plan")
            assert.equal(isEditable, /^(claude|oj-agent)$/.test(of), "what surfaces offer to edit");
          const isOffered =
            gets !== undefined && (!given.option || named.includes(given.option)) && (!changes || isEditable);
          if (!isOffered && !leaves) {
            await assert.rejects(asking.resolve(given), Refusal);
            assert.equal((await asking.decision()).state, "pending", "nothing counts that was refused");
            return;
          }
          await asking.resolve(given);
          const got = await asking.got();
          for (const words of gets ?? []) assert.ok(got?.includes(words), `${words} in ${got}`);
          assert.notEqual(got, null, "the client can't take it");
          if (kind === "session" && gets) assert.match(got ?? "", /^\{"/, "the hook has a response");
        },
      );
});

describe("the table of answers", () => {
  it("has every client", () => {
    const known = Object.values(list).map((it) => it.kind);
    const walked = Object.keys(AGENTS).map((run) => (run === "acp:any" ? "acp" : run));
    assert.equal(walked.length, known.length);
    assert.deepEqual(Object.keys(SESSIONS).toSorted(), sessionDoors.map((it) => it.name).toSorted());
  });
});
