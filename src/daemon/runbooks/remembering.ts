/** Remembers what a person approved, through whichever door they said so: every door shows the same rule and writes the same. */
import type { Rememberable } from "../../api/api.ts";
import type { Via } from "../../core/model/decision-types.ts";
import { Refusal } from "../../core/model/errors.ts";
import { findDecision } from "../../core/model/state/find.ts";
import { homeOf } from "../../core/model/state/home.ts";
import type { State } from "../../core/model/state/state.ts";
import type { Accepting } from "../../core/policy/accept.ts";
import { rememberAnswer } from "../../core/policy/remember.ts";
import type { Machines } from "../engine/machines.ts";
import type { Rule, World } from "./remembered.ts";
import { ruleFor, writeRule } from "./remembered.ts";

export interface Remembering {
  /** The rule for this decision, or why there is none; tried on history where somebody wants to see that. */
  ruleOf(id: string, how: { isTried: boolean }): Promise<Rule | { why: string }>;
  /** The same as people are shown it, tried on history. */
  offer(id: string): Promise<Rememberable>;
  /** Approves it, and lets the rule with this hash count. Refuses any other rule. */
  remember(input: RememberInput): Promise<void>;
  /** Runs what writes to the file of remembered rules: one after the other, each adds to what the one before wrote. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

export interface RememberInput {
  id: string;
  scope: "job" | "project";
  hash: string;
  by: string;
  via: Via;
  /** Refuses if this person may not say it, in the turn in which it is recorded. */
  permit?: (state: Readonly<State>) => void;
}

export function startRemembering(world: World, machines: Pick<Machines, "self">): Remembering {
  const { engine } = world;
  let writing: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = writing.then(work);
    writing = next.catch(() => {});
    return next;
  }

  /** What is on disk here says nothing about a call on another machine. */
  async function ruleOf(id: string, { isTried }: { isTried: boolean }): Promise<Rule | { why: string }> {
    const home = await engine.read((state) => homeOf(state, findDecision(state, id).id));
    if (machines.self === null || home === machines.self) return ruleFor(world, id, isTried);
    return {
      why: `it was asked on ${home}, and only ${home} can remember it (oj policy remember ${id})`,
    };
  }

  async function offer(given: string): Promise<Rememberable> {
    const { id, owner } = await engine.read((state) => findDecision(state, given));
    const found = await ruleOf(id, { isTried: true });
    if ("why" in found) return { decision: id, rule: null, why: found.why, tried: null };
    const { policy, text, file, problem, tried } = found;
    const asker = owner.kind === "requester" ? owner.name : `${owner.kind} ${owner.name}`;
    const rule = { name: policy.name, text, hash: policy.hash, asker, file, problem };
    return { decision: id, rule, why: null, tried };
  }

  async function remember({ id: given, scope, hash, by, via, permit }: RememberInput): Promise<void> {
    const { id } = await engine.read((state) => findDecision(state, given));
    const found = await ruleOf(id, { isTried: false });
    if ("why" in found)
      throw new Refusal(
        "request.invalid",
        `this can't be remembered: ${found.why}`,
        `oj decision show ${id}`,
      );
    const { policy: rule, text, project, root } = found;
    if (rule.hash !== hash)
      throw new Refusal(
        "request.invalid",
        "this is not the rule that would be remembered now: look at it again",
        `oj policy remember ${id}`,
      );
    const record = (file: Accepting | null) =>
      engine.run((state, moment) => {
        permit?.(state);
        return rememberAnswer(state, { id, rule, file, by, via }, moment);
      });
    await (scope === "job" ? record(null) : writeRule(world, { project, root, text }, record));
  }

  return { ruleOf, offer, inTurn, remember: (input) => inTurn(() => remember(input)) };
}
