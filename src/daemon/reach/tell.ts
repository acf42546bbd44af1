/**
 * Sends a message that is owed, or rewrites one that no longer shows how its decision stands. Tries again until it gets
 * through, is refused for good, or is no longer wanted; every try begins with a look at the decision as it is now.
 */
import type { Decision } from "../../core/model/decision-types.ts";
import type { ReachEffect } from "../../core/model/effects.ts";
import { faceOf, firstFace, isDue } from "../../core/model/face.ts";
import type { Notice } from "../../core/model/reach-types.ts";
import type { State } from "../../core/model/state/state.ts";
import type { ReachConfig } from "../../core/reach/config-types.ts";
import { noticeFailed, noticeTold } from "../../core/reach/notices.ts";
import type { Plan } from "../../core/reach/plan.ts";
import type { Ports } from "../../ports.ts";
import type { Recorder } from "../engine/chores.ts";
import type { Engine } from "../engine/engine.ts";
import type { Sent } from "./channel.ts";
import { ChannelError } from "./channel.ts";
import { together } from "./digest.ts";
import { Stopped } from "./lanes.ts";
import type { Locks } from "./locks.ts";
import type { Addresses } from "./outgoing.ts";
import { outgoing } from "./outgoing.ts";
import type { Registry } from "./registry.ts";

type Tell = Extract<ReachEffect, { type: "tell" }>;

export interface Teller {
  engine: Engine;
  ports: Pick<Ports, "clock" | "journal">;
  registry: Registry;
  locks: Locks;
  addresses: Addresses;
  config(): Promise<ReachConfig>;
  /** Who is told by other means, now that this message did not get through. */
  instead(decision: Decision, notice: Notice): Plan;
  stopping: AbortSignal;
  /** Resolves after this time, or when the daemon stops; false: it stops. */
  pause(ms: number): Promise<boolean>;
}

/** The first retry comes within 5 seconds; 30 seconds at most, so that a service that is back is noticed. */
const RETRIES_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];
/** After so long without success, somebody's next channel steps in. Meanwhile this one is tried on. */
const STAND_IN_MS = 60_000;
/** A send that says nothing for so long counts as lost. */
const LIMIT_MS = 60_000;

export async function tell(effect: Tell, teller: Teller, record: Recorder): Promise<void> {
  const { engine, locks, ports, pause } = teller;
  const { clock } = ports;
  const name = await engine.read((state) => lockOf(state, effect));
  if (name === null) return;
  await locks.hold(name, async () => {
    const trouble: Trouble = { count: 0, since: clock.monotonic(), error: null, hasStandIn: false };
    for (;;) {
      const config = await teller.config();
      const due = await engine.read((state) => dueNow(state, effect, clock.now()));
      if (due === null) return;
      const waits = trouble.count === 0 ? (due.notice.retry_at_ms ?? 0) - clock.now() : 0;
      if (waits > 0 && !(await pause(waits))) return;
      if (waits > 0) continue;
      const sent = await attempt(due, config, teller).catch((error: Error) => error);
      if (!(sent instanceof Error)) return told(due, sent, record);
      if (sent instanceof Stopped || teller.stopping.aborted) return; // the next daemon tries again
      const delay = await failed(due, sent, trouble, teller, record);
      if (delay === null || !(await pause(delay))) return;
    }
  });
}

/** What a message is about now: the decision, and whatever else is in the same message. */
interface Due {
  notice: Notice;
  decisions: [Decision, ...Decision[]];
  /** What is recorded once it got through. */
  shows: Showing[];
  /** What else is in the message, and shown as it is. */
  rest: Showing[];
}

interface Showing {
  decision: Decision;
  key: string;
  face: string;
}

function dueNow(state: Readonly<State>, { decision_id, key }: Tell, now: number): Due | null {
  const decision = state.decisions.get(decision_id);
  const notice = decision?.reach?.notices.find((it) => it.key === key);
  if (!decision || !notice || !isDue(notice, decision)) return null;
  const members = together(state, decision, notice, now);
  const [first, ...rest] = members;
  const showing = (it: (typeof members)[number]): Showing => {
    const face = it.notice.shows === null ? firstFace(it.notice, it.decision) : faceOf(it.decision);
    return { decision: it.decision, key: it.notice.key, face };
  };
  return {
    notice: first.notice,
    decisions: [first.decision, ...rest.map((it) => it.decision)],
    shows: members.filter((it) => isDue(it.notice, it.decision)).map(showing),
    rest: members.filter((it) => !isDue(it.notice, it.decision)).map(showing),
  };
}

/** Messages that are sent together are sent once. */
function lockOf(state: Readonly<State>, { decision_id, key }: Tell): string | null {
  const notice = state.decisions.get(decision_id)?.reach?.notices.find((it) => it.key === key);
  if (!notice) return null;
  const { channel, to, digest_at_ms } = notice;
  return digest_at_ms === undefined ? `${decision_id} ${key}` : `digest ${channel} ${to}`;
}

async function attempt({ notice, decisions }: Due, config: ReachConfig, teller: Teller): Promise<Sent> {
  const { registry, addresses, ports } = teller;
  const found = registry.get(notice.channel);
  if ("trouble" in found) throw new ChannelError(found.trouble, { isFinal: true });
  const { channel, lane } = found;
  return lane.run(() => {
    const message = outgoing({ notice, decisions, channel, now: ports.clock.now() }, config, addresses);
    const sending = notice.ref === null ? channel.send(message) : changed(message, notice.ref);
    return withLimit(sending, ports.clock);
  }, notice.ref !== null);

  async function changed(message: Parameters<typeof channel.send>[0], ref: string): Promise<Sent> {
    if (!channel.change) throw new ChannelError(`${channel.name} can't change a message`, { isFinal: true });
    return channel.change(message, ref);
  }
}

function withLimit<T>(call: Promise<T>, clock: Ports["clock"]): Promise<T> {
  return new Promise((resolve, reject) => {
    const disarm = clock.after(LIMIT_MS, () => reject(new ChannelError("no response within a minute")));
    call.then(resolve, reject).finally(disarm);
  });
}

/** A message that has a new reference has it for everything in it. */
async function told({ notice, shows: due, rest }: Due, { ref }: Sent, record: Recorder): Promise<void> {
  const shows = ref === notice.ref ? due : [...due, ...rest];
  const all = shows.map((it) => it.decision.id);
  const more = all.length > 1 ? { together: all } : {};
  await record((state) =>
    shows.flatMap(({ decision: { id }, key, face }) => {
      return noticeTold(state, { id, key, ref, shows: face, ...more });
    }),
  );
}

interface Trouble {
  count: number;
  since: number;
  error: string | null;
  hasStandIn: boolean;
}

/** Records what is new about the failure. Returns how long to wait before the next try; null: there is none. */
async function failed(
  { notice, shows }: Due,
  error: Error,
  trouble: Trouble,
  { ports: { clock, journal }, registry, instead }: Teller,
  record: Recorder,
): Promise<number | null> {
  const isFinal = error instanceof ChannelError && error.isFinal;
  const after = error instanceof ChannelError ? error.retryAfterMs : null;
  const own = error instanceof ChannelError ? error.delayMs : null;
  const delay = after ?? own ?? RETRIES_MS[Math.min(trouble.count, RETRIES_MS.length - 1)] ?? 0;
  const found = registry.get(notice.channel);
  if (after !== null && "lane" in found) found.lane.pause(after);
  const waited = clock.monotonic() - trouble.since + delay;
  const standsIn = notice.shows === null && !trouble.hasStandIn && (isFinal || waited >= STAND_IN_MS);
  const isNew = error.message !== trouble.error;
  trouble.count++;
  trouble.error = error.message;
  if (isNew || isFinal || standsIn) {
    trouble.hasStandIn ||= standsIn;
    const retry_at_ms = isFinal ? null : clock.now() + delay;
    journal.warn("a message did not get through", { channel: notice.channel, error: error.message, isFinal });
    await record((state) =>
      shows.flatMap(({ decision, key, face }) => {
        const { id } = decision;
        const plan = standsIn ? instead(decision, { ...notice, key }) : null;
        const shown = notice.shows === null ? null : face;
        return noticeFailed(state, {
          id,
          key,
          error: error.message,
          face: shown,
          retry_at_ms,
          instead: plan,
        });
      }),
    );
  }
  return isFinal ? null : delay;
}
