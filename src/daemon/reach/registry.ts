/** The channels of the person's config: made when they are first configured, made again when they change, closed at the end. */
import path from "node:path";
import type { ChannelKind } from "../../core/model/reach-types.ts";
import { CHANNEL_KINDS } from "../../core/model/reach-types.ts";
import type { ChannelConfig, ReachConfig } from "../../core/reach/config-types.ts";
import type { Way } from "../../core/reach/plan.ts";
import type { Channel, Door, Given, MakeChannel } from "./channel.ts";
import type { Lane } from "./lanes.ts";
import { lane, Stopped } from "./lanes.ts";

type Load = () => Promise<{ make: MakeChannel }>;

/** All kinds are loaded when the first channel is configured: nobody else pays for them. */
const MAKERS: Partial<Record<ChannelKind, Load>> = Object.fromEntries(
  CHANNEL_KINDS.map((kind) => [
    kind,
    async () => ({ make: (await import("./channels/known.ts")).makers[kind] }),
  ]),
);

/** These reach whoever sits at this machine, so they are used only where somebody names them. */
const ONLY_IF_NAMED: readonly ChannelKind[] = ["desktop", "tmux"];

export interface Registry {
  /** Makes what the config has now; returns once it is made. Cheap if nothing has changed. */
  follow(config: ReachConfig): Promise<void>;
  ways(): Way[];
  /** The channel, or why there is none. */
  get(name: string): { channel: Channel; lane: Lane } | { trouble: string };
  all(): { config: ChannelConfig; channel: Channel | null; trouble: string | null }[];
  close(): Promise<void>;
}

interface Entry {
  config: ChannelConfig;
  /** Whatever makes it another channel. */
  mark: string;
  channel: Channel | null;
  trouble: string | null;
  lane: Lane;
  tried_at: number;
}

/** How long a channel that can't be used is left alone. */
const AGAIN_MS = 10_000;

export type Parts = Omit<Given, "config" | "dir" | "door"> & {
  dir: string;
  /** In place of the known kinds, for tests. */
  makers?: Partial<Record<ChannelKind, Load>>;
};

export function startRegistry(parts: Parts, door: Door): Registry {
  const { dir, makers = MAKERS, ...given } = parts;
  const { clock, journal } = parts.ports;
  const entries = new Map<string, Entry>();
  let followed: ReachConfig | null = null;
  let turn: Promise<void> = Promise.resolve();
  let closed = false;

  async function change(config: ReachConfig): Promise<void> {
    if (closed) return;
    if (config === followed && !hasTrouble()) return;
    const wanted = new Map<string, { config: ChannelConfig; mark: string }>();
    for (const it of config.channels.values())
      if (makers[it.kind] || isNamed(config, it))
        wanted.set(it.name, { config: it, mark: JSON.stringify([it.kind, it.settings, config.webUrl]) });
    for (const [name, entry] of entries) {
      if (wanted.get(name)?.mark === entry.mark && !mayBeMended(entry)) continue;
      entries.delete(name);
      await end(entry);
    }
    for (const [name, it] of wanted) if (!entries.has(name)) entries.set(name, await made(it));
    // in the order of the config: a person's next channel is the next one there
    for (const name of wanted.keys()) {
      const entry = entries.get(name) as Entry;
      entries.delete(name);
      entries.set(name, entry);
    }
    followed = config;
  }

  const hasTrouble = () => [...entries.values()].some(mayBeMended);

  /** What could not be made may be made later: a file with a token was written, or its mode set. */
  function mayBeMended({ trouble, tried_at }: Entry): boolean {
    return trouble !== null && clock.monotonic() - tried_at >= AGAIN_MS;
  }

  async function made({ config, mark }: { config: ChannelConfig; mark: string }): Promise<Entry> {
    const entry = { config, mark, lane: lane(clock), tried_at: clock.monotonic() };
    try {
      const load = makers[config.kind];
      if (!load) throw new Error(`this version of oj has no channel of the kind ${config.kind}`);
      const { make } = await load();
      const channel = await make({ ...given, config, door, dir: path.join(dir, config.name) });
      void channel.listen?.();
      return { ...entry, channel, trouble: null };
    } catch (error) {
      const trouble = (error as Error).message;
      journal.warn("a channel can't be used", { channel: config.name, error: trouble });
      return { ...entry, channel: null, trouble };
    }
  }

  async function end({ config, channel, lane }: Entry): Promise<void> {
    lane.close();
    await channel?.close().catch((error: Error) => {
      journal.warn("a channel did not close", { channel: config.name, error: error.message });
    });
  }

  return {
    follow(config) {
      if (config !== followed || hasTrouble()) turn = turn.then(() => change(config));
      return turn;
    },
    ways: () => [...entries.values()].map(wayOf),
    get(name) {
      if (closed) throw new Stopped();
      const entry = entries.get(name);
      if (!entry) return { trouble: `${name} is not configured any more` };
      const { channel, lane, trouble } = entry;
      return channel ? { channel, lane } : { trouble: trouble ?? "" };
    },
    all: () => [...entries.values()].map(({ config, channel, trouble }) => ({ config, channel, trouble })),
    async close() {
      closed = true;
      for (const { lane } of entries.values()) lane.close();
      await turn;
      await Promise.all([...entries.values()].map(end));
      entries.clear();
    },
  };
}

function wayOf({ config: { name, kind }, channel, trouble }: Entry): Way {
  return {
    name,
    kind,
    room: channel?.room ?? null,
    hearsAll: channel?.hearsAll ?? false,
    onlyIfNamed: ONLY_IF_NAMED.includes(kind),
    trouble,
    // while a channel can't be used, its config says whom it would reach
    addressOf: (person) => (channel ? channel.addressOf(person) : (person.addresses[kind] ?? null)),
  };
}

function isNamed({ routes }: ReachConfig, { name }: ChannelConfig): boolean {
  return routes.some((it) => it.via?.includes(name));
}
