/**
 * Sends a message that is owed, or rewrites one that no longer shows how its decision stands. Tries again until it gets
 * through, is refused for good, or is no longer wanted; every try begins with a look at the decision as it is now.
 */
import type { Decision } from "../../core/model/decision-types.ts";
import { isClosing } from "../../core/model/face.ts";
import type { MachineName } from "../../core/model/ids.ts";
import type { Notice } from "../../core/model/reach-types.ts";
import type { ReachConfig } from "../../core/reach/config-types.ts";
import { noticeFailed, noticeTold } from "../../core/reach/notices.ts";
import type { Plan } from "../../core/reach/plan.ts";
import type { Ports } from "../../ports.ts";
import type { Recorder } from "../engine/chores.ts";
import type { Engine } from "../engine/engine.ts";
import type { Machines } from "../engine/machines.ts";
import type { Hider } from "../secrets/known.ts";
import type { Channel, Outgoing, Sent } from "./channel.ts";
import { ChannelError, isChannelError } from "./channel.ts";
import type { Due, Tell } from "./due.ts";
import { dueNow, isForLeaver, lockOf, stillStands } from "./due.ts";
import { Stopped } from "./lanes.ts";
import type { Locks } from "./locks.ts";
import type { Addresses } from "./outgoing.ts";
import { outgoing } from "./outgoing.ts";
import type { Registry } from "./registry.ts";

export interface Teller {
  engine: Engine;
  ports: Pick<Ports, "clock" | "journal">;
  registry: Registry;
  locks: Locks;
  addresses: Addresses;
  hider: Hider;
  config(): Promise<ReachConfig>;
  /** Which of those that share the log this daemon is; null: there is only one. */
  self: MachineName | null;
  /** Whether the message is still for this daemon: the machine that it stood in for may be back. */
  keeps: Machines["keeps"];
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
  const { engine, locks, ports, pause, keeps } = teller;
  const { clock } = ports;
  const name = await engine.read((state) => lockOf(state, effect));
  if (name === null) return;
  await locks.hold(name, async () => {
    const look = () =>
      engine.read((state) => (keeps(state, effect) ? dueNow(state, effect, clock.now()) : null));
    const trouble: Trouble = { count: 0, since: clock.monotonic(), error: null, hasStandIn: false };
    for (;;) {
      const config = await teller.config();
      const due = await look();
      if (due === null) return;
      const waits = trouble.count === 0 ? (due.notice.retry_at_ms ?? 0) - clock.now() : 0;
      if (waits > 0 && !(await pause(waits))) return;
      if (waits > 0) continue;
      const tried = await attempt(due, look, config, teller);
      if (tried === null) continue; // it changed while it waited for its turn
      const { due: shown, result } = tried;
      if (!(result instanceof Error)) return told(shown, result, record);
      if (result instanceof Stopped || teller.stopping.aborted) return; // the next daemon tries again
      const delay = await failed(shown, result, trouble, teller, record);
      if (delay === null || !(await pause(delay))) return;
    }
  });
}

interface Tried {
  /** What was sent, or should have been. */
  due: Due;
  result: Sent | Error;
}

/** One try. Null: what is due is not what it was before the channel had time for it. */
async function attempt(
  first: Due,
  look: () => Promise<Due | null>,
  config: ReachConfig,
  { engine, registry, addresses, ports, hider, self }: Teller,
): Promise<Tried | null> {
  let due = first;
  try {
    const found = registry.get(first.notice.channel);
    if ("trouble" in found) throw new ChannelError(found.trouble, { isFinal: true });
    const { channel, lane } = found;
    const sent = await lane.run(async () => {
      const now = await look();
      if (now === null) return null;
      due = now;
      const { notice, decisions } = due;
      if (await engine.read((state) => isForLeaver(state, { config, self }, now)))
        throw new ChannelError(`${notice.person} left`, { isFinal: true });
      const hide = await hider(decisions);
      const message = outgoing(
        { notice, decisions, channel, hide, now: ports.clock.now() },
        config,
        addresses,
      );
      // another machine may be back, and have sent it meanwhile
      const stands = async () =>
        (await look()) !== null &&
        (await engine.read((state) => stillStands(state, now) && !isForLeaver(state, { config, self }, now)));
      return withLimit(sending(channel, { ...message, stands }, due), ports.clock);
    }, first.notice.ref !== null);
    return sent && { due, result: sent };
  } catch (error) {
    return isChannelError(error) && error.isOvertaken ? null : { due, result: error as Error };
  }
}

async function sending(channel: Channel, message: Outgoing, { notice, decisions }: Due): Promise<Sent> {
  if (isClosing(notice, decisions[0])) return channel.retract?.(message) ?? { ref: null };
  if (notice.ref === null) return channel.send(message);
  if (!channel.change) throw new ChannelError(`${channel.name} can't change a message`, { isFinal: true });
  return channel.change(message, notice.ref);
}

function withLimit<T>(call: Promise<T>, clock: Ports["clock"]): Promise<T> {
  return new Promise((resolve, reject) => {
    const disarm = clock.after(LIMIT_MS, () =>
      reject(new ChannelError("no response within a minute", { isUnsure: true })),
    );
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
  const known = isChannelError(error) ? error : null;
  const isFinal = known?.isFinal ?? false;
  const after = known?.retryAfterMs ?? null;
  const delay = after ?? known?.delayMs ?? RETRIES_MS[Math.min(trouble.count, RETRIES_MS.length - 1)] ?? 0;
  const found = registry.get(notice.channel);
  if (after !== null && "lane" in found) found.lane.pause(after);
  const waited = clock.monotonic() - trouble.since + delay;
  const standsIn = notice.shows === null && !trouble.hasStandIn && (isFinal || waited >= STAND_IN_MS);
  const isUnsure = known?.isUnsure ?? true;
  const isNew = error.message !== trouble.error || (isUnsure && notice.shows === null && !notice.is_unsure);
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
          isUnsure,
        });
      }),
    );
  }
  return isFinal ? null : delay;
}
