import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { World } from "../../../test/fakes/core.ts";
import { asker, requestInput, world } from "../../../test/fakes/core.ts";
import { cancelDecision } from "../decision/decision.ts";
import { resolveDecision } from "../decision/give.ts";
import type { DecisionId } from "../model/ids.ts";
import type { State } from "../model/state/state.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import { checkTurn, foundSession } from "../session/turn.ts";
import { pendingRequestsOf } from "./own-requests.ts";
import { requestDecision } from "./request.ts";
import { fromSession } from "./requester.ts";

const session = { session: "s1", project: "shop", cwd: "/home/shop" };
const person = asker("ana", { is_agent: false });

const ask = (it: World, more: object = {}): DecisionId => {
  const [created] = it.play((state, moment) =>
    requestDecision(state, requestInput({ requester: asker("bot"), ...more }), moment),
  );
  return (created as { id: DecisionId }).id;
};

/** Each leaves pending requests of agents, names, sessions and people, and some that are pending no more. */
const histories: Record<string, (it: World) => void> = {
  "one asks": (it) => void ask(it),
  "one asks again, which replaces the first": (it) => {
    ask(it, { prompt: "This?" });
    ask(it, { prompt: "Or that?" });
  },
  "several ask, in two projects": (it) => {
    for (const name of ["bot", "other"])
      for (const project of ["shop", "blog"]) ask(it, { requester: asker(name), project });
  },
  "a person asks twice": (it) => {
    for (const prompt of ["This?", "That?"]) ask(it, { requester: person, prompt });
  },
  "one is answered, one is taken back": (it) => {
    const [first, second] = ["bot", "other"].map((name) => ask(it, { requester: asker(name) }));
    const answer = { choices: [[1]], text: null, message: null, by: "ana", via: "cli" as const };
    it.play((state, moment) => resolveDecision(state, { ...answer, id: first as DecisionId }, moment));
    it.play((state, moment) =>
      cancelDecision(state, { id: second as DecisionId, by: "ana", reason: null }, moment),
    );
  },
  "a session that is reported only later has asked": (it) => {
    ask(it, { requester: fromSession(it.state, person, { session: "s1" }) });
    it.play((state) => foundSession(state, { ...session, client: null }));
    it.play((state) => checkTurn(state, session, { soft: false, last_message: "Done." }).facts);
  },
  "one is deleted": (it) => {
    const id = ask(it);
    it.play(() => [{ type: "decision:deleted", id, project: "shop" }]);
  },
};

const pendingIn = (state: State, requester: typeof person, project: string) =>
  pendingRequestsOf(state, requester, project).map((it) => it.id);

/** By looking at all of them. */
const scanned = (state: State, requester: typeof person, project: string) => {
  const all: State = {
    ...state,
    asking: { ...state.asking, get: () => ({ ids: [...state.pending] }) } as never,
  };
  return pendingIn(all, requester, project);
};

describe("the pending requests of an asker", () => {
  for (const [what, happens] of Object.entries(histories))
    it(`are the same as by looking at all, also after a start: ${what}`, () => {
      const it = world();
      happens(it);
      const text = encodeState(it.state);
      const older = text.replace(/"asking":\[.*?\],"held"/, '"held"');
      assert.notEqual(older, text);
      const inSession = { ...person, is_agent: true, session: "s1", name: "session-s1" };
      for (const state of [it.state, decodeState(text), decodeState(older)])
        for (const requester of [asker("bot"), asker("other"), person, inSession])
          for (const project of ["shop", "blog"])
            assert.deepEqual(
              pendingIn(state, requester, project),
              scanned(state, requester, project),
              `${requester.name} in ${project}`,
            );
    });

  it("are found without reading those of others", () => {
    const it = world();
    for (let n = 0; n < 20; n += 1) ask(it, { requester: asker(`bot-${n}`) });
    const read: string[] = [];
    const get = (id: DecisionId) => {
      read.push(id);
      return it.state.decisions.get(id);
    };
    const watched: State = { ...it.state, decisions: { ...it.state.decisions, get } as never };
    const [own] = pendingIn(watched, asker("bot-7"), "shop");
    assert.deepEqual(read, [own]);
  });
});
