/**
 * Hears what people do in Telegram, by long polling. What was heard is kept in a file, so that nothing is lost or heard
 * twice over a restart; an update whose handling was cut off comes again, and answers are taken once anyway.
 */
import fs from "node:fs/promises";
import path from "node:path";
import { updateId } from "../../../channels/telegram/update.ts";
import type { Clock, Journal } from "../../../ports.ts";
import type { TelegramApi, TelegramFailure } from "./api.ts";

export interface Poll {
  /** Why nothing is heard at the moment; null while all is well. */
  trouble(): string | null;
  close(): Promise<void>;
}

interface Parts {
  api: TelegramApi;
  file: string;
  hear(update: unknown): Promise<void>;
  clock: Clock;
  journal: Journal;
}

/** How long Telegram holds a request open when there is nothing. */
const HOLD_S = 50;
const BATCH = 100;
/** Machines of a team take turns, and what either hears counts. */
const SHARED =
  "another program receives this bot's messages; unless it is oj on another machine of the team, what people press may be lost";
/** Back-off: a network that is back is noticed within half a minute. */
const RETRIES_MS = [1000, 2000, 5000, 10_000, 20_000];

export function startPolling({ api, file, hear, clock, journal }: Parts): Poll {
  const stop = new AbortController();
  let trouble: string | null = null;

  async function run(): Promise<void> {
    let offset = await readOffset(file);
    let failures = 0;
    while (!stop.signal.aborted) {
      try {
        const updates = await updatesAfter(offset);
        trouble = null;
        failures = 0;
        for (const update of updates) {
          const id = updateId(update);
          if (id === null) continue;
          await hear(update).catch((error: Error) => {
            journal.warn("what came from Telegram could not be handled", { error: error.message });
          });
          offset = Math.max(offset, id + 1);
        }
        if (updates.length > 0) await keepOffset(file, offset);
      } catch (error) {
        if (stop.signal.aborted) return;
        const { message, retryAfterMs, code } = error as TelegramFailure;
        trouble = code === 409 ? `${SHARED}: ${message}` : message;
        const wait = retryAfterMs ?? RETRIES_MS[Math.min(failures, RETRIES_MS.length - 1)] ?? 0;
        failures++;
        await pause(wait);
      }
    }
  }

  async function updatesAfter(offset: number): Promise<unknown[]> {
    const params = { offset, timeout: HOLD_S, limit: BATCH, allowed_updates: ["message", "callback_query"] };
    const how = { patienceMs: (HOLD_S + 15) * 1000, abort: stop.signal };
    const updates = await api.call("getUpdates", params, how);
    return Array.isArray(updates) ? updates : [];
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        disarm();
        stop.signal.removeEventListener("abort", end);
        resolve();
      };
      const disarm = clock.after(ms, end);
      stop.signal.addEventListener("abort", end);
    });
  }

  const done = run();
  return {
    trouble: () => trouble,
    async close() {
      stop.abort();
      await done;
    },
  };
}

async function readOffset(file: string): Promise<number> {
  const text = await fs.readFile(file, "utf8").catch(() => "");
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : 0;
}

async function keepOffset(file: string, offset: number): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await fs.writeFile(`${file}.new`, String(offset), { mode: 0o600 });
  await fs.rename(`${file}.new`, file); // whole or not at all
}
