/**
 * What channels may ask of the daemon when something comes back. Only those may answer whom a message was addressed to,
 * the first answer wins, and whoever comes too late is told who it was.
 */
import type { Rememberable } from "../../api/api.ts";
import { answerTo } from "../../core/decision/answer.ts";
import { holdAnswer, resolveDecision } from "../../core/decision/give.ts";
import type { Decision, Via } from "../../core/model/decision-types.ts";
import { isBlocking, URGENCIES } from "../../core/model/decision-types.ts";
import { Refusal } from "../../core/model/errors.ts";
import { isOpen } from "../../core/model/face.ts";
import type { MachineName } from "../../core/model/ids.ts";
import type { ChannelKind } from "../../core/model/reach-types.ts";
import { findDecision } from "../../core/model/state/find.ts";
import type { State } from "../../core/model/state/state.ts";
import { claimDecision } from "../../core/reach/claim.ts";
import type { Person, ReachConfig } from "../../core/reach/config-types.ts";
import { addressees, mayAnswer, noticeFailed } from "../../core/reach/notices.ts";
import type { Plan } from "../../core/reach/plan.ts";
import { settledWords } from "../../core/reach/settled-words.ts";
import { mayHaveHeard } from "../../core/rights/people.ts";
import { letsAct } from "../../core/template/acting.ts";
import { redactAll } from "../../core/text/secrets/redact.ts";
import { describe } from "../../inbox/card/describe.ts";
import type { Ports } from "../../ports.ts";
import type { Settings } from "../../settings.ts";
import type { Engine } from "../engine/engine.ts";
import { undoMs } from "../http/undo-window.ts";
import type { Hider } from "../secrets/known.ts";
import { decisionView } from "../views/views.ts";
import type { Answered, Door, GivenAnswer } from "./channel.ts";
import { isHere } from "./due.ts";

export interface Rules {
  offer(id: string): Promise<Rememberable>;
  remember(input: {
    id: string;
    scope: "job" | "project";
    hash: string;
    by: string;
    via: Via;
    permit(state: Readonly<State>): void;
  }): Promise<void>;
}

interface Parts {
  engine: Engine;
  rules: Rules;
  ports: Pick<Ports, "clock">;
  settings: Pick<Settings, "undo">;
  self: MachineName | null;
  /** What goes out by a channel has no secret that is known here. */
  hider: Hider;
  config(): ReachConfig;
  /** Who is told by other means if this notice did not arrive. */
  instead(decision: Decision, key: string): Plan | null;
}

export function makeDoor({
  engine,
  rules,
  ports: { clock },
  settings,
  self,
  hider,
  config,
  instead,
}: Parts): Door {
  const find = (id: string) =>
    engine.read((state) => {
      try {
        return findDecision(state, id);
      } catch {
        return null;
      }
    });

  const isTheirs = (state: Readonly<State>, decision: Decision, person: string) =>
    isHere(state, { config: config(), self }, decision, person);

  function checkRights(state: Readonly<State>, { id, person }: Pick<GivenAnswer, "id" | "person">): void {
    const decision = findDecision(state, id);
    if (!mayHaveHeard(state, person, decision))
      throw new Refusal("decision.not-yours", "This message was for somebody who left.", null);
    if (isTheirs(state, decision, person) && mayAnswer(decision, person)) return;
    const names = addressees(decision).filter((it) => isTheirs(state, decision, it));
    const words = names.length === 0 ? "This one is not for you." : `This one is for ${names.join(", ")}.`;
    throw new Refusal("decision.not-yours", words, null);
  }

  const viewOf = async (decision: Decision) => (await hider([decision]))(decisionView(decision));

  async function answer(given: GivenAnswer): Promise<Answered> {
    const { person, sawAll, ...rest } = given;
    const input = { ...rest, by: person, who: person };
    const delay_ms = undoFor(config(), input.via) ?? undoMs(settings, input.via);
    try {
      await engine.run((state, moment) => {
        checkRights(state, given);
        const decision = findDecision(state, input.id); // an answer on hold may still meet a no
        if (!sawAll && letsAct(answerTo(decision, input, moment).action)) throw unseen(decision);
        return delay_ms > 0
          ? holdAnswer(state, { ...input, delay_ms }, moment)
          : resolveDecision(state, input, moment);
      });
    } catch (error) {
      return refused(error, given);
    }
    const decision = await find(given.id);
    if (!decision) return { type: "refused", words: GONE, decision: null };
    return { type: "taken", decision: await viewOf(decision) };
  }

  /** A refusal is told in words; anything else is a fault of ours, or of the disk. */
  async function refused(
    error: unknown,
    { id, person }: Pick<GivenAnswer, "id" | "person">,
  ): Promise<Extract<Answered, { type: "refused" }>> {
    if (!(error instanceof Refusal)) throw error;
    const decision = await find(id);
    if (!decision || error.code === "decision.not-found" || error.code === "decision.ambiguous")
      return { type: "refused", words: GONE, decision: null };
    const isAsked =
      mayAnswer(decision, person) && (await engine.read((state) => isTheirs(state, decision, person)));
    const zone = config().people.get(person)?.hours?.zone;
    const hide = await hider([decision]);
    const said = isAsked && !isOpen(decision) ? settledWords(decision, zone) : error.message;
    const words = redactAll(hide(said)).value;
    return { type: "refused", words, decision: isAsked ? hide(decisionView(decision)) : null };
  }

  return {
    personBy: (kind, address, fits) => personBy(config(), { kind, address }, fits),
    async decision(id, person) {
      const found = await find(id);
      if (!found) return null;
      if (person !== undefined && !(await engine.read((state) => isTheirs(state, found, person))))
        return null;
      const decision = await viewOf(found);
      const isElsewhere = self !== null && found.machine !== self;
      return { decision, card: describe(decision, clock.now()), isElsewhere };
    },
    async pendingFor(person) {
      const found = await engine.read((state) =>
        [...state.pending].flatMap((id) => {
          const decision = state.decisions.get(id);
          const isAsked = decision && mayAnswer(decision, person) && isTheirs(state, decision, person);
          return isAsked && isOpen(decision) ? [decision] : [];
        }),
      );
      const hide = await hider(found);
      return [...found].sort(byUrgency).map((it) => hide(decisionView(it)));
    },
    addressees: (id, kind) =>
      engine.read((state) => {
        const decision = state.decisions.get(id as Decision["id"]);
        return decision ? addressees(decision, kind).filter((it) => isTheirs(state, decision, it)) : [];
      }),
    async places(id, kind) {
      const notices = (await find(id))?.reach?.notices ?? [];
      return notices.flatMap((it) => (it.kind === kind && it.ref !== null ? [it.ref] : []));
    },
    answer,
    async claim({ id, person, via }) {
      try {
        await engine.run((state, moment) => {
          checkRights(state, { id, person });
          return claimDecision(state, { id, by: person, who: person, via, for_ms: null }, moment);
        });
      } catch (error) {
        return refused(error, { id, person });
      }
      const decision = await find(id);
      return decision
        ? { type: "taken", decision: await viewOf(decision) }
        : { type: "refused", words: GONE, decision: null };
    },
    async rule({ id, person }) {
      try {
        await engine.read((state) => {
          checkRights(state, { id, person });
          checkRememberable(findDecision(state, id));
        });
        const [found, decision] = [await rules.offer(id), await find(id)];
        const hide = await hider(decision ? [decision] : []);
        return { type: "offered", found: hide(found) };
      } catch (error) {
        return refused(error, { id, person });
      }
    },
    async remember({ id, person, via, hash, scope, sawAll }) {
      const permit = (state: Readonly<State>) => {
        checkRights(state, { id, person }); // a stranger learns nothing about rules
        if (!sawAll) throw unseen(findDecision(state, id));
      };
      try {
        await engine.read(permit);
        await rules.remember({ id, scope, hash, by: person, via, permit });
      } catch (error) {
        return refused(error, { id, person });
      }
      const decision = await find(id);
      return decision
        ? { type: "taken", decision: await viewOf(decision) }
        : { type: "refused", words: GONE, decision: null };
    },
    async failed({ decision_id: id, key, error }) {
      await engine.run((state) => {
        const decision = state.decisions.get(id);
        if (!decision) return [];
        const plan = instead(decision, key);
        return noticeFailed(state, { id, key, error, face: null, retry_at_ms: null, instead: plan });
      });
    },
  };
}

/** A channel may have a window of its own: `undo`, in seconds. */
function undoFor({ channels }: ReachConfig, via: Via): number | null {
  const own = channels.get(via)?.settings.undo;
  return typeof own === "number" && own >= 0 ? own * 1000 : null;
}

const GONE = "This decision no longer exists.";

/** Where a rule says who may answer, nothing answers in their place. */
function checkRememberable(decision: Decision): void {
  const { id, source, rule } = decision;
  if (isOpen(decision) && source === "approval" && !rule) return;
  throw new Refusal("request.invalid", "only an approval can be remembered", `oj decision show ${id}`);
}

function unseen({ id }: Decision): Refusal {
  return new Refusal(
    "decision.not-yours",
    "This message does not show all of it. Open the decision to see what you approve.",
    `oj decision show ${id}`,
  );
}

/** Addresses of mail are the same in any case; ids are not. */
function personBy(
  { people }: ReachConfig,
  { kind, address }: { kind: ChannelKind; address: string },
  fits: (person: Person) => boolean = () => true,
): Person | null {
  const plain = (text: string | undefined) => (kind === "mail" ? text?.toLowerCase() : text);
  const wanted = plain(address);
  if (wanted === undefined || wanted === "") return null;
  return [...people.values()].find((it) => plain(it.addresses[kind]) === wanted && fits(it)) ?? null;
}

function byUrgency(a: Decision, b: Decision): number {
  const rank = (it: Decision) => URGENCIES.indexOf(it.urgency) + (isBlocking(it) ? 0 : URGENCIES.length);
  return rank(a) - rank(b) || a.created_at_ms - b.created_at_ms;
}
