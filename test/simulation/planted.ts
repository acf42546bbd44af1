/** Bugs that are planted on purpose, one for each thing that must stay true: the simulation has to find every one. */
import { Refusal } from "../../src/core/model/errors.ts";
import type { Event, Fact } from "../../src/core/model/events.ts";
import { wordsSaid } from "../../src/core/outbox/delivery.ts";
import { Unreachable } from "../../src/ports.ts";
import type { Plant } from "./daemon.ts";
import type { Truth } from "./ledger.ts";
import { ownPolicies } from "./policies.ts";

export interface Planted extends Plant {
  /** What is wrong, in words. */
  name: string;
  breaks: Truth;
  /** A seed that shows it: nothing before it has to be tried. */
  from?: number;
}

const factsAfter = (facts: Fact[], more: (fact: Fact) => Fact[]) => facts.flatMap((it) => [it, ...more(it)]);

/** The last dialog of each agent. */
const dialogs = new Map<string, Fact>();

export const PLANTED: readonly Planted[] = [
  {
    name: "a report of a dialog comes late, and is recorded",
    breaks: "nobody is asked about a call that is over",
    review: (_, facts) =>
      facts.flatMap((it) => {
        if (it.type === "agent:prompted") dialogs.set(it.id, it);
        const before = it.type === "agent:idle" ? dialogs.get(it.id) : undefined;
        return before ? [before, it] : [it];
      }),
  },
  {
    name: "a turn that was slow is written again",
    breaks: "events are written once, in order",
    ports: ({ log }, time) => ({
      log: {
        ...log,
        async turn(after, decide) {
          let made: readonly Event[] = [];
          await log.turn(after, (news, at_ms) => {
            made = decide(news, at_ms);
            return time.odds(1)
              ? [...made, ...made.map((it) => ({ ...it, seq: it.seq + made.length }))]
              : made;
          });
        },
      },
    }),
  },
  {
    name: "an answered request is withdrawn too",
    breaks: "a decision has one winner",
    review: (_, facts) =>
      factsAfter(facts, (it) =>
        it.type === "decision:resolved" && it.message !== null
          ? [{ type: "decision:withdrawn", id: it.id, project: it.project, reason: "", by: "oj" } as Fact]
          : [],
      ),
  },
  {
    name: "callers are told before the disk has it",
    breaks: "what was told as done is on disk",
    ports: ({ log }) => ({
      log: {
        ...log,
        async turn(after, decide) {
          let made: readonly Event[] = [];
          const written = log.turn(after, (news, at_ms) => {
            made = decide(news, at_ms);
            return made;
          });
          await Promise.race([written, Promise.resolve()]);
        },
      },
    }),
  },
  {
    name: "callers are told as the disk writes",
    breaks: "what was told as done is on disk",
    ports: ({ log }) => ({
      log: {
        ...log,
        turn: (after, decide) =>
          new Promise((resolve, reject) => {
            const deciding: typeof decide = (news, at_ms) => {
              resolve();
              return decide(news, at_ms);
            };
            log.turn(after, deciding).catch(reject);
          }),
      },
    }),
  },
  {
    name: "what a full disk refused counts as written",
    breaks: "what was told as done is on disk",
    from: 5,
    ports: ({ log }) => ({
      log: {
        ...log,
        turn: (after, decide) =>
          log.turn(after, decide).catch((error) => {
            if (!(error instanceof Refusal && error.code === "store.full")) throw error;
          }),
      },
    }),
  },
  {
    name: "a write that is cut off is there in part",
    breaks: "every decision has a way out",
    from: 13,
    torn: (time) => (events) => time.chance.pick(events),
  },
  {
    name: "what grows old is not looked at again",
    breaks: "no timer of a settled decision fires",
    perform: (perform) => async (effect, record) => {
      if (effect.type !== "auto-close") return perform(effect, record);
      const { decision_id: id, project } = effect;
      await record(() => [{ type: "decision:stale", id, project, since_ms: 0 }]);
      await perform(effect, record);
      await record(() => [{ type: "decision:stale", id, project, since_ms: 0 }]);
    },
  },
  {
    name: "words that could not be typed count as read",
    breaks: "no answer is acknowledged that was not heard",
    perform: (perform) => async (effect, record) => {
      if (effect.type !== "deliver" || effect.parcel.reply !== null) return perform(effect, record);
      const { agent_id: id, parcel } = effect;
      await record((state, moment) => {
        const { incarnation = 0 } = state.agents.get(id) ?? {};
        return wordsSaid(state, { id, incarnation, parcel_id: parcel.id, read: true }, moment);
      });
    },
  },
  {
    name: "a session's answer counts as received before its hook has it",
    breaks: "no answer is acknowledged that was not heard",
    review: (state, facts) =>
      factsAfter(facts, (it) =>
        it.type === "decision:resolved" && state.decisions.get(it.id)?.session
          ? [{ type: "decision:acknowledged", id: it.id, project: it.project }]
          : [],
      ),
  },
  {
    name: "keys go to whatever the screen showed a moment ago",
    breaks: "no answer reaches a dialog that it is not for",
    ports: ({ terminals }) => ({
      terminals: {
        ...terminals,
        press: (id, keys) =>
          terminals.press(
            id,
            keys.map((it) => (it === "1" ? "4" : it)),
          ),
      },
    }),
  },
  {
    name: "a policy's answer goes to another question too",
    breaks: "a policy answers only what it is about",
    review: (state, facts, moment) =>
      ownPolicies
        .review(state, facts, moment)
        .map((it) =>
          it.type === "decision:resolved" && it.policy === undefined && it.action.type === "approve"
            ? { ...it, policy: { name: "parts", hash: "", text: "" } }
            : it,
        ),
  },
  {
    name: "what somebody began to type is not cleared",
    breaks: "only what was owed is said",
    ports: ({ terminals }, time) => ({
      terminals: {
        ...terminals,
        paste: async (id, text) => {
          await terminals.paste(id, text);
          if (time.odds(30)) throw new Unreachable("tmux does not respond");
        },
        press: async (id, keys) => (keys.includes("C-u") ? undefined : terminals.press(id, keys)),
      },
    }),
  },
  {
    name: "it is not noted what a response told",
    breaks: "nothing is said twice without a reason",
    review: (_, facts) => facts.filter((it) => !(it.type === "agent:delivered" && it.told)),
  },
  {
    name: "what a dead daemon began is not looked for",
    breaks: "a script runs once",
    ports: ({ shell }) => ({ shell: { ...shell, recover: async () => "never-began" } }),
  },
  {
    name: "only one daemon learns of a power cut", // and may die before it has done anything about it
    breaks: "a script runs once",
    from: 40,
    ports({ shell }) {
      const wentDown = shell.recover("run-unknown").then((it) => it === "began");
      void wentDown.then(() => shell.tookOver());
      const recover: typeof shell.recover = async (id) =>
        (await shell.recover(id)) === "began" || (await wentDown) ? "began" : "never-began";
      return { shell: { ...shell, recover } };
    },
  },
  {
    name: "a report of an agent that has ended is recorded",
    breaks: "an ended agent is left alone",
    review: (_, facts) =>
      factsAfter(facts, (it) =>
        it.type === "agent:ended" ? [{ type: "agent:working", id: it.id, project: it.project }] : [],
      ),
  },
  {
    name: "a reader changes what it was shown",
    breaks: "state equals replay",
    watch(_, state) {
      for (const it of state.jobs.values()) if (it.status === "failed") (it as { name: string }).name += "!";
    },
  },
  {
    name: "some chores are forgotten",
    breaks: "every decision has a way out",
    perform: (perform) => async (effect, record) => {
      if (effect.type === "stop-agent" && effect.agent_id.charCodeAt(6) % 4 === 0) return;
      await perform(effect, record);
    },
  },
  {
    name: "a rule does not expect that an answer was taken back",
    breaks: "rules refuse, and never throw",
    review(_, facts) {
      if (facts.some((it) => it.type === "decision:undone"))
        throw new TypeError("undefined is not an answer");
      return facts;
    },
  },
];
