/** A channel in memory that passes the contract of all channels: messages can be changed, answered, lost and refused. */
import type { ChannelKind } from "../../src/core/model/reach-types.ts";
import type { Answered, Channel, Given, MakeChannel, Outgoing } from "../../src/daemon/reach/channel.ts";
import { ChannelError } from "../../src/daemon/reach/channel.ts";

export interface Shown {
  key: string;
  decision: string;
  /** Every decision in the message. */
  all: string[];
  to: string;
  reason: Outgoing["reason"];
  text: string;
  isOpen: boolean;
}

export interface FakeService {
  make: MakeChannel;
  /** What people see now, in the order in which it was first sent. */
  messages(): Shown[];
  /** How many calls reached the service. */
  calls(): number;
  /** What the next calls do: throw this, or hold until `release`. */
  trouble: ((message: Outgoing) => Error | null) | null;
  /** The effect happens, but the caller never hears of it. */
  loseNextResponse(): void;
  answer(decision: string, person: string, number: number, sawAll?: boolean): Promise<Answered>;
  closed: number;
}

export function fakeService(kind: ChannelKind, how: { room?: string; hearsAll?: boolean } = {}): FakeService {
  const shown = new Map<string, Shown>();
  let given: Given | null = null;
  let losing = false;
  let calls = 0;

  function put(message: Outgoing): { ref: string } {
    calls++;
    const error = service.trouble?.(message);
    if (error) throw error;
    const { decision, others, address, reason, key } = message;
    const all = [decision, ...others.map((it) => it.decision)];
    const ref = `${decision.id}/${key}`; // sent again with the same key, it is the same message
    const isOpen = all.some((it) => it.state === "pending" && !it.held);
    const text = all
      .map((it) => `${it.title} [${it.state}]${it.answer ? ` by ${it.answer.by}` : ""}`)
      .join("\n");
    const ids = all.map((it) => it.id);
    shown.set(ref, { key, decision: decision.id, all: ids, to: address, reason, text, isOpen });
    if (losing) {
      losing = false;
      throw new ChannelError("the connection broke", { isUnsure: true });
    }
    return { ref };
  }

  const service: FakeService = {
    async make(it) {
      given = it;
      const channel: Channel = {
        kind,
        name: it.config.name,
        room: how.room ?? null,
        ...(how.hearsAll ? { hearsAll: true } : {}),
        addressOf: (person) => (how.hearsAll ? null : (person.addresses[kind] ?? null)),
        send: async (message) => put(message),
        change: async (message, ref) => {
          const sent = put(message);
          return { ref: ref === sent.ref ? ref : sent.ref };
        },
        retract: async (message) => put(message),
        check: async () => null,
        close: async () => {
          service.closed++;
        },
      };
      return channel;
    },
    messages: () => [...shown.values()],
    calls: () => calls,
    trouble: null,
    loseNextResponse() {
      losing = true;
    },
    answer(id, person, number, sawAll = true) {
      if (!given) throw new Error("the channel was not made");
      const words = { option: null, text: null, texts: [], message: null };
      const via = kind === "slack" || kind === "mail" || kind === "telegram" ? kind : "api";
      return given.door.answer({ id, person, via, choices: [[number]], ...words, sawAll });
    },
    closed: 0,
  };
  return service;
}
