/** What goes wrong, at random: each service on its own, and now and then the daemon. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../torture/random.ts";
import type { World } from "./world.ts";

export interface Troubles {
  counts: Record<string, number>;
  /** Makes no more, and returns once everything works. */
  stop(): Promise<void>;
}

const POST = "chat.postMessage";
const UPDATE = "chat.update";

export function startTroubles(world: World, random: Random, killEveryS: number): Troubles {
  const { slack, mail, doors } = world;
  const counts: Record<string, number> = {};
  const abort = new AbortController();
  const ms = (from: number, to: number) => random.int(from, to);
  const pause = (forMs: number) => sleep(forMs, undefined, { signal: abort.signal }).catch(() => {});

  async function shut(door: "slack" | "mail"): Promise<void> {
    await doors[door].shut();
    await pause(ms(500, 4000));
    await doors[door].open();
  }

  const forSlack: Record<string, () => unknown> = {
    "Slack: connection refused": () => shut("slack"),
    "Slack: calls cut off": () => doors.slack.cut(),
    "Slack: 429 to new cards": () => slack.limit(POST, ms(1000, 3000)),
    "Slack: 429 to changes": () => slack.limit(UPDATE, ms(1000, 3000)),
    "Slack: responses to new cards lost": () => repeat(ms(1, 3), () => slack.dropNext(POST)),
    "Slack: responses to changes lost": () => repeat(ms(1, 3), () => slack.dropNext(UPDATE)),
    "Slack: 500 to new cards": () => slack.breakNext(POST, ms(1, 5)),
    "Slack: 500 to changes": () => slack.breakNext(UPDATE, ms(1, 5)),
    "Slack: sockets refreshed": () => slack.refresh(),
    "Slack: away with its sockets": async () => {
      slack.offline();
      await pause(ms(500, 4000));
      slack.online();
    },
  };
  const forMail: Record<string, () => unknown> = {
    "mail: connection refused": () => shut("mail"),
    "mail: connections cut": () => doors.mail.cut(),
    "mail: 451": () => repeat(ms(1, 5), () => mail.faults.push({ code: 451, text: "busy" })),
    "mail: responses lost": () => repeat(ms(1, 3), () => mail.faults.push("lost")),
    "mail: 421 to everybody": async () => {
      mail.isDown = true;
      await pause(ms(500, 4000));
      mail.isDown = false;
    },
  };

  async function run(kinds: Record<string, () => unknown>): Promise<void> {
    while (!abort.signal.aborted) {
      await pause(ms(500, 3000));
      const name = random.pick(Object.keys(kinds));
      if (name === undefined || abort.signal.aborted) continue;
      await kinds[name]?.();
      counts[name] = (counts[name] ?? 0) + 1;
    }
  }

  async function kill(): Promise<void> {
    while (!abort.signal.aborted) {
      await pause(ms(killEveryS * 500, killEveryS * 1500));
      if (abort.signal.aborted) return;
      await world.killAndStart();
      counts["kill -9 of the daemon"] = (counts["kill -9 of the daemon"] ?? 0) + 1;
    }
  }

  const running = Promise.all([run(forSlack), run(forMail), kill()]);
  return {
    counts,
    async stop() {
      abort.abort();
      await running;
      mail.faults.length = 0;
      for (const it of [POST, UPDATE]) {
        slack.breakNext(it, 0);
        slack.limit(it, 0);
      }
    },
  };
}

function repeat(times: number, call: () => void): void {
  for (let n = 0; n < times; n++) call();
}
