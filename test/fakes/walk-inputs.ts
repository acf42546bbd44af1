/**
 * Everything that can happen to a job or crew with an agent: observations, results of chores, and what a person may do.
 */
import type { Observation } from "../../src/core/agent/agent.ts";
import { agentCooled, agentGateEnded, observe } from "../../src/core/agent/agent.ts";
import { changeLost } from "../../src/core/agent/dialog.ts";
import { killAgent, sendToAgent } from "../../src/core/control/agent-send.ts";
import { cancelCrew, deleteCrew, resumeCrew } from "../../src/core/control/crew.ts";
import {
  cancelJob,
  deleteJob,
  ownerPurged,
  resumeJob,
  shellEnded,
  suspendJob,
} from "../../src/core/control/job.ts";
import { acknowledge, cancelDecision, deliver, undeliver } from "../../src/core/decision/decision.ts";
import { holdAnswer, releaseAnswer, resolveDecision } from "../../src/core/decision/give.ts";
import type { Agent, Prompt } from "../../src/core/model/agent-types.ts";
import type { Decision } from "../../src/core/model/decision-types.ts";
import type { Effect } from "../../src/core/model/effects.ts";
import type { Fact } from "../../src/core/model/events.ts";
import type { CrewId, DecisionId, JobId, Moment, OwnerId } from "../../src/core/model/ids.ts";
import { draftOn } from "../../src/core/model/state/draft.ts";
import type { State } from "../../src/core/model/state/state.ts";
import { wordsLost, wordsSaid, wordsTold } from "../../src/core/outbox/delivery.ts";
import { parcelDelivered } from "../../src/core/outbox/parcel.ts";
import { editOf } from "../../src/core/outbox/reply.ts";
import { owed } from "../../src/core/owed.ts";
import { requestDecision } from "../../src/core/request/request.ts";
import { approval, plan, question, questions, tail } from "./agents.ts";
import { asker, requestInput } from "./core.ts";

export type Rule = (state: State, moment: Moment) => Fact[];

export interface Input {
  name: string;
  /** `itself`: the agent, or the result of a chore. `person`: whoever uses oj. */
  by: "itself" | "person";
  rule: Rule;
}

const keys: Prompt = {
  ...approval,
  key: "shown:1",
  tool: "prompt",
  choices: [
    { label: "Yes", keys: "1" },
    { label: "No", keys: "2" },
  ],
};
export const DIALOGS = { approval, question, questions, plan, keys };

/** The optional inputs, matched by their names. */
const ALSO = {
  errors: /^errored$/,
  escalates: /^says escalate$/,
  asks: /^stopped to ask$/,
  edits: /^approval: changed|^change lost/,
  talk: /^agent send$|-m$|^is told/,
  kills: /^agent kill$/,
  suspends: /^job suspend$/,
} as const;

export const ALL = Object.keys(ALSO) as (keyof typeof ALSO)[];

/** What may happen in a walk in addition to the usual inputs. */
export interface Scene {
  /** The dialogs that the agent shows. */
  dialogs: readonly Prompt[];
  /** The agent makes requests of its own with `oj decision request`. */
  requests: boolean;
  /** Its hooks may report before its start is recorded. */
  early: boolean;
  /** Optional inputs. Allowing all of them makes for a hundred times as many states. */
  also: readonly (keyof typeof ALSO)[];
  /** People answer while the undo window is switched on. */
  holds: boolean;
}

export function inputsFor(state: State, owner: OwnerId, scene: Scene): Input[] {
  const agents = [...state.agents.values()].filter((it) => it.status !== "ended");
  const hasWords = agents.some((it) => it.outbox.some((parcel) => parcel.decision_id === null));
  const asked = [...state.pending].map((id) => state.decisions.get(id) as Decision);
  const all = [
    ...agents.filter((it) => it.spawned || scene.early).flatMap((it) => seenOf(it, scene)),
    ...agents.flatMap((it) => outcomesFor(state, it)),
    ...owed(state).flatMap(choresOf),
    ...asked.flatMap(answersTo),
    ...(scene.holds ? asked.flatMap(heldAnswers) : []),
    ...agents.flatMap((it) => doneTo(it)),
    ...(scene.requests ? agents.flatMap((it) => requestsOf(state, it, owner)) : []),
    ...ownerCommands(owner).filter((it) => !(hasWords && it.name.endsWith("-m"))),
  ];
  const never = ALL.filter((it) => !scene.also.includes(it)).map((it) => ALSO[it]);
  return all.filter((it) => !never.some((pattern) => pattern.test(it.name)));
}

const itself = (name: string, rule: Rule): Input => ({ name, by: "itself", rule });
const person = (name: string, rule: Rule): Input => ({ name, by: "person", rule });

/** Anything that a hook, a screen or a process may report, including late, twice or out of order. */
function seenOf({ id, incarnation, outbox, prompt, conversation }: Agent, scene: Scene): Input[] {
  const dialogs = new Set([prompt?.key, ...outbox.map((it) => it.prompt_key)].filter((it) => it != null));
  const words = outbox.filter((it) => it.reply === null).map((it) => it.text);
  const seen: Record<string, Observation> = {
    worked: { type: "worked" },
    heard: { type: "heard" },
    stopped: { type: "stopped", last_message: "Hm.", tail },
    "stopped to ask": { type: "stopped", last_message: "Which one should I take?", tail },
    errored: { type: "errored", kind: "rate_limited", message: "429", tail },
    "exited well": { type: "exited", incarnation, code: 0, signal: null, error: null, tail },
    "exited badly": { type: "exited", incarnation, code: 1, signal: null, error: null, tail },
    "typed at": { type: "submitted", text: "something of a person in the terminal" },
    "says done": { type: "signalled", signal: "done", message: null, tail },
    "says fail": { type: "signalled", signal: "fail", message: null, tail },
    conversing: {
      type: "conversation",
      conversation: conversation === "one" ? "two" : "one",
      transcript: null,
    },
  };
  if (outbox.length < 2)
    seen["says escalate"] = { type: "signalled", signal: "escalate", message: "help", tail };
  for (const text of words) seen[`submitted ${words.indexOf(text)}`] = { type: "submitted", text };
  for (const it of scene.dialogs) seen[`prompted ${it.key}`] = { type: "prompted", prompt: it, tail };
  for (const key of dialogs) {
    seen[`answered ${key}`] = { type: "answered", key };
    seen[`ran ${key}`] = { type: "answered", key, ran: true };
    seen[`ran unchanged ${key}`] = { type: "answered", key, ran: true, ran_sha256: approval.sha256 };
    seen[`missed ${key}`] = { type: "missed", key };
    seen[`closed ${key}`] = { type: "closed", key, tail };
  }
  return Object.entries(seen).map(([name, it]) =>
    itself(name, (state, moment) => observe(state, { id, seen: it }, moment)),
  );
}

/** How far the delivery of each parcel got. */
function outcomesFor(state: State, { id, kind, status, incarnation, outbox }: Agent): Input[] {
  return outbox.flatMap((it, n) => {
    const { decision_id } = it;
    const inputs: Input[] = [];
    if (it.state === "owed" && it.reply === null && status === "working")
      inputs.push(
        itself(`is told ${n}`, (now, moment) =>
          wordsTold(now, { id, incarnation, parcel_ids: [it.id] }, moment),
        ),
      );
    const key = it.prompt_key;
    if (it.state === "owed" && editOf(it.reply) && key !== null)
      inputs.push(itself(`change lost ${n}`, (now, moment) => changeLost(now, { id, key }, moment)));
    if (it.state === "delivered" && it.reply === null)
      inputs.push(
        itself(`no receipt ${n}`, (now, moment) =>
          wordsLost(now, { id, incarnation, parcel_id: it.id }, moment),
        ),
      );
    if (it.state === "delivered" && kind === "program")
      inputs.push(
        itself(`receipt ${n}`, (now, moment) => {
          // its screen reacted, which is all that a program can show us
          const seen = { type: "submitted", text: "" } as const;
          const said = wordsSaid(now, { id, incarnation, parcel_id: it.id, read: true }, moment);
          return [...said, ...observe(now, { id, seen }, moment)];
        }),
      );
    if (decision_id === null || state.decisions.get(decision_id)?.source !== "request") return inputs;
    return [
      ...inputs,
      itself(`fetches ${n}`, (now, moment) => deliver(now, { id: decision_id }, moment)),
      itself(`has ${n}`, (now, moment) => acknowledge(now, { id: decision_id }, moment)),
      itself(`loses ${n}`, (now, moment) => undeliver(now, { id: decision_id }, moment)),
    ];
  });
}

/** The possible results of each chore that is due. */
function choresOf(effect: Effect): Input[] {
  switch (effect.type) {
    case "start-agent": {
      const { agent_id: id, incarnation } = effect;
      const failed = { code: null, signal: null, error: "no tmux" };
      return [
        itself("starts", (it, moment) => {
          const facts = observe(it, { id, seen: { type: "spawned", incarnation } }, moment);
          const draft = draftOn(it, moment);
          for (const fact of facts) draft.emit(fact);
          // it was started with these words
          for (const parcel of draft.agent(id).outbox) parcelDelivered(draft, id, parcel.id);
          return draft.facts;
        }),
        itself("does not start", (it, moment) =>
          observe(it, { id, seen: { type: "exited", incarnation, ...failed, tail } }, moment),
        ),
      ];
    }
    case "stop-agent": {
      const { agent_id: id, incarnation } = effect;
      const seen = { type: "exited", incarnation, code: null, signal: "SIGTERM", error: null, tail } as const;
      return [itself("is stopped", (it, moment) => observe(it, { id, seen }, moment))];
    }
    case "deliver": {
      const { agent_id: id, parcel } = effect;
      return [
        itself("is delivered", (it, moment) => {
          const { incarnation } = it.agents.get(id) as Agent;
          return wordsSaid(it, { id, incarnation, parcel_id: parcel.id, read: false }, moment);
        }),
      ];
    }
    case "run-gate":
      return [0, 1].map((exit_code) =>
        itself(`gate exits with ${exit_code}`, (it, moment) =>
          agentGateEnded(
            it,
            {
              id: effect.agent_id,
              run_id: effect.run_id,
              exit_code,
              error: null,
              output: "",
              prime: "",
              tail,
            },
            moment,
          ),
        ),
      );
    case "wake-agent":
      return [
        itself("is awake", (it, moment) =>
          agentCooled(it, { id: effect.agent_id }, { ...moment, at_ms: effect.until_ms }),
        ),
      ];
    case "run-shell":
    case "stop-shell": {
      const { job_id, run_id } = effect;
      const codes = effect.type === "stop-shell" ? [null] : [0, 1];
      return codes.map((exit_code) =>
        itself(`step exits with ${exit_code}`, (it, moment) =>
          shellEnded(
            it,
            { job_id, run_id, exit_code, error: exit_code === null ? "cancelled" : null, output: "" },
            moment,
          ),
        ),
      );
    }
    case "release-answer":
      return [
        itself("the answer goes out", (it, moment) => releaseAnswer(it, { id: effect.decision_id }, moment)),
      ];
    case "purge-job":
      return [itself("is purged", (it) => ownerPurged(it, { id: effect.job_id }))];
    default:
      return [];
  }
}

/** Every option, with text if it needs some; text alone; and a withdrawal if it is a request. */
export function answersTo(decision: Decision): Input[] {
  const { id, options, questions: asked, held, source } = decision;
  if (held) return [];
  const give = (name: string, given: Answered) =>
    person(`${source}: ${name}`, (state, moment) => resolveDecision(state, answerOf(id, given), moment));
  const inputs = options.map(({ key, action: { type } }) => {
    const isBare = type !== "other" && type !== "revise" && type !== "reply";
    return give(key, { option: key, ...(isBare ? {} : { message: "my words" }) });
  });
  if (!options.some((it) => it.key === "dismiss")) inputs.push(give("dismiss", { option: "dismiss" }));
  if (options.some((it) => it.key === "approve"))
    inputs.push(give("changed", { option: "approve", input: { command: "ls" } }));
  if (asked.length > 1) inputs.push(give("all", { choices: asked.map(() => [1]) }));
  inputs.push(give("words", { message: "my words" }));
  if (source === "request")
    inputs.push(
      person("request: is taken back", (state, moment) =>
        cancelDecision(state, { id, by: "ana", reason: null }, moment),
      ),
    );
  return inputs;
}

type Answered = { option?: string; choices?: number[][]; message?: string; input?: object };

function answerOf(id: DecisionId, given: Answered) {
  const { option = null, choices = [], message = null, input = null } = given;
  return { id, option, choices, text: null, message, input, by: "ana", via: "cli" } as const;
}

/** The same answers, each on hold for a while. */
function heldAnswers({ id, options, held, source }: Decision): Input[] {
  if (held) return [];
  return options.map(({ key }) =>
    person(`${source}: ${key}, held`, (state, moment) =>
      holdAnswer(state, { ...answerOf(id, { option: key, message: "my words" }), delay_ms: 1000 }, moment),
    ),
  );
}

/** One message in its outbox is as good as several. */
function doneTo({ id, outbox }: Agent, always = false): Input[] {
  const kill = person("agent kill", (it, moment) => killAgent(it, { id }, moment));
  const send = person("agent send", (it, moment) => sendToAgent(it, { id, text: "listen" }, moment));
  return always || !outbox.some((it) => it.decision_id === null) ? [kill, send] : [kill];
}

/** A request for itself, or for a step of its job that waits for the answer. */
function requestsOf(
  state: State,
  { id, spawned, project, stopping, outbox }: Agent,
  owner: OwnerId,
): Input[] {
  const isAsking = [...state.pending].some((it) => state.decisions.get(it)?.source === "request");
  if (!spawned || stopping || isAsking || outbox.length > 0) return [];
  const request = requestInput({ project, requester: asker("builder", { agent_id: id }) });
  const blocks = owner.startsWith("job-") ? [[], [`${owner}/after`]] : [[]];
  return blocks.map((it) =>
    itself(`asks${it.length > 0 ? " for its job" : ""}`, (now, moment) =>
      requestDecision(now, { ...request, blocks: it }, moment),
    ),
  );
}

/** Every command that takes the id of the job, the crew or the agent. */
export function commandsFor(state: State, owner: OwnerId): (Input & { id: string })[] {
  const agents = [...state.agents.values()].filter((it) => it.status !== "ended");
  return [
    ...ownerCommands(owner).map((it) => ({ ...it, id: owner })),
    ...agents.flatMap((agent) => doneTo(agent, true).map((it) => ({ ...it, id: agent.id }))),
  ];
}

/** The commands `oj job …` and `oj crew …`. */
function ownerCommands(owner: OwnerId): Input[] {
  const by = "ana";
  if (owner.startsWith("crew-")) {
    const id = owner as CrewId;
    return [
      person("crew resume", (it, moment) => resumeCrew(it, { id, by, message: null }, moment)),
      person("crew resume -m", (it, moment) => resumeCrew(it, { id, by, message: "my words" }, moment)),
      person("crew cancel", (it, moment) => cancelCrew(it, { id, by, reason: null }, moment)),
      person("crew delete", (it, moment) => deleteCrew(it, { id, by }, moment)),
    ];
  }
  const id = owner as JobId;
  return [
    person("job resume", (it, moment) => resumeJob(it, { id, by, message: null }, moment)),
    person("job resume -m", (it, moment) => resumeJob(it, { id, by, message: "my words" }, moment)),
    person("job suspend", (it, moment) => suspendJob(it, { id, by }, moment)),
    person("job cancel", (it, moment) => cancelJob(it, { id, by, reason: null }, moment)),
    person("job delete", (it, moment) => deleteJob(it, { id, by }, moment)),
  ];
}
