/** Bugs that are planted on purpose, in the daemon's rules or in core's: the model has to find every one. */
import { CORE } from "./disk.ts";
import type { Rules } from "./moves.ts";
import { RULES } from "./moves.ts";

export interface Planted {
  name: string;
  /** Where it shows, and with how much trouble. */
  at: string;
  troubles: 0 | 1 | 2;
  /** It takes more than a second to get there (`delivery-model.thorough.test.ts`). */
  slow?: true;
  breaks: RegExp;
  rules: Partial<Rules>;
}

const UNHEARD = /acknowledged, and nobody heard it/;
const TWICE = /heard twice/;
const UNSEEN = /typed onto what nobody saw/;
const STUCK = /there is no way on/;
const ASKED = /asked about a call whose end was reported/;

/** As `dialog-end.ts` was: an answer that is owed counts as received once its dialog is not shown. */
const hiddenIsOver: Rules["endOfDialog"] = (_, { key }, _state, { ended, open }) =>
  ended.find((it) => it.key === key) ?? (open.some((it) => it.key === key) ? {} : { unseen: true });

/** Anything that is not a No counts as its end once the agent has gone on. */
const unendedIsOver: Rules["endOfDialog"] = (...all) => {
  const end = RULES.endOfDialog(...all);
  return end !== "later" && end.unended ? {} : end;
};

export const PLANTED: readonly Planted[] = [
  // those of ADR 23 and of the fixes beside it
  {
    ...{ name: "late keys answer a dialog that nobody saw", at: "accept a plan, clear", troubles: 0 },
    ...{ breaks: UNSEEN, rules: { sees: () => true } },
  },
  {
    ...{ name: "late words answer a dialog that nobody saw", at: "nudge an idle agent", troubles: 0 },
    ...{ breaks: UNSEEN, rules: { sees: () => true } },
  },
  {
    ...{
      name: "a look that began before an answer is its receipt",
      at: "approve",
      troubles: 1,
      breaks: UNHEARD,
    },
    rules: { asItStands: (then) => (now) => now.changed_at_ms === then.changed_at_ms },
  },
  {
    ...{ name: "an answer is received while another dialog hides its own", at: "approve", troubles: 1 },
    ...{ breaks: UNHEARD, rules: { endOfDialog: hiddenIsOver } },
  },
  {
    ...{
      name: "a plan that was accepted with a cleared context is asked about",
      at: "accept a plan",
      troubles: 0,
    },
    ...{ breaks: ASKED, rules: { endsWithConversation: false } },
  },
  {
    ...{ name: "what a screen showed is recorded after a full disk", at: "approve", troubles: 1 },
    ...{ breaks: UNHEARD, rules: { isLasting: () => true } },
  },
  // those that this model found
  {
    ...{
      name: "a broken connection makes an answer received that is given meanwhile",
      at: "approve",
      troubles: 0,
    },
    ...{
      breaks: UNHEARD,
      rules: {
        isUnanswered:
          (key) =>
          ({ prompt }) =>
            prompt?.key === key,
      },
    },
  },
  {
    ...{
      slow: true,
      name: "the end of a turn is a receipt, whatever the file says",
      at: "approve",
      troubles: 1,
    },
    ...{ breaks: UNHEARD, rules: { readsFile: (of) => of === "the dead" } },
  },
  {
    ...{ name: "a response that died with its daemon counts as delivered", at: "approve", troubles: 1 },
    ...{ breaks: UNHEARD, rules: { doubtsReplies: false } },
  },
  {
    ...{
      slow: true,
      name: "words are said again though the terminal shows them",
      at: "nudge an idle agent",
      troubles: 1,
    },
    ...{ breaks: TWICE, rules: { looksBeforeRepeating: false } },
  },
  {
    ...{
      name: "the reason of a No is not compared",
      at: "deny, with a reason",
      troubles: 0,
      breaks: UNHEARD,
    },
    rules: {
      core: {
        ...CORE,
        observe(state, { id, seen }, moment) {
          if (seen.type !== "answered") return CORE.observe(state, { id, seen }, moment);
          const { result: _, refused: __, rejected: ___, ...end } = seen;
          return CORE.observe(state, { id, seen: end }, moment);
        },
      },
    },
  },
  {
    ...{ name: "a start does not see that the turn is over", at: "restart a dead agent", troubles: 1 },
    breaks: STUCK,
    rules: {
      core: {
        ...CORE,
        startedWith: (state, { id, incarnation, parcel_ids }, moment) => [
          ...CORE.observe(state, { id, seen: { type: "spawned", incarnation } }, moment),
          ...CORE.wordsTold(state, { id, incarnation, parcel_ids }, moment),
        ],
      },
    },
  },
  {
    ...{ slow: true, name: "a No is received though its call never ended", at: "revise a plan", troubles: 1 },
    ...{ breaks: UNHEARD, rules: { endOfDialog: unendedIsOver } },
  },
  {
    ...{
      slow: true,
      name: "a change waits for its dialog behind another one",
      at: "approve, changed",
      troubles: 1,
    },
    breaks: STUCK,
    rules: {
      endOfLostChange: (now, end) =>
        now === "another dialog" ? (end ?? "later") : RULES.endOfLostChange(now, end),
    },
  },
  {
    ...{ slow: true, name: "an agent that died is not judged by its file", at: "approve", troubles: 1 },
    ...{ breaks: TWICE, rules: { readsFile: (of) => of !== "the dead" } },
  },
  {
    ...{
      slow: true,
      name: "nobody looks at an agent that is found",
      at: "restart a dead agent",
      troubles: 2,
    },
    ...{ breaks: STUCK, rules: { looksWhenFound: false } },
  },
  {
    ...{ slow: true, name: "what the disk did not take is lost", at: "restart a dead agent", troubles: 2 },
    ...{ breaks: STUCK, rules: { looksAgain: false } },
  },
  {
    ...{
      slow: true,
      name: "words for a process that died count for the next",
      at: "nudge an idle agent",
      troubles: 2,
    },
    breaks: STUCK,
    rules: {
      core: {
        ...CORE,
        wordsSaid(state, given, moment) {
          const { incarnation = 0 } = state.agents.get(given.id) ?? {};
          return CORE.wordsSaid(state, { ...given, incarnation }, moment);
        },
      },
    },
  },
  // one for each other rule of core
  {
    ...{ name: "an answer that went out counts as received", at: "approve", troubles: 0, breaks: UNHEARD },
    rules: {
      core: {
        ...CORE,
        dialogAnswered: (state, given, moment) =>
          CORE.dialogAnswered(state, { ...given, taken: true }, moment),
      },
    },
  },
  {
    ...{ name: "typed words count as read", at: "nudge an idle agent", troubles: 1, breaks: UNHEARD },
    rules: {
      core: {
        ...CORE,
        wordsSaid: (state, given, moment) => CORE.wordsSaid(state, { ...given, read: true }, moment),
      },
    },
  },
  {
    ...{ name: "it is not recorded what a response told", at: "approve, with a message", troubles: 0 },
    ...{ breaks: TWICE, rules: { core: { ...CORE, wordsTold: () => [] } } },
  },
  {
    ...{
      slow: true,
      name: "a change that can't be delivered is tried forever",
      at: "approve, changed",
      troubles: 1,
    },
    ...{ breaks: STUCK, rules: { core: { ...CORE, changeLost: () => [] } } },
  },
];
