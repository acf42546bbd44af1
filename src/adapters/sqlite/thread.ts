/** The daemon's end of the store's threads: sends requests, settles their promises, and restarts a thread that died. */
import { Worker } from "node:worker_threads";
import { storeFailed, textOf } from "./errors.ts";
import type { Failure, Reply, Request, SnapshotReply, SnapshotThread, StoreThread } from "./messages.ts";
import { toError } from "./messages.ts";

/** Anything one can ask the thread, without the id. */
type Call = Request extends infer R ? (R extends [id: number, ...rest: infer Rest] ? Rest : never) : never;

export interface Thread {
  call(...call: Call): Promise<unknown>;
  /** Lets it finish what was asked, and returns when it is gone. */
  stop(): Promise<void>;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** What these threads allocate is short-lived: with more room they would only keep more of it. */
const YOUNG_MB = 8;

/** A thread of the store. It starts with the first call, and again with the next call after it died. */
export function storeThread(file: string, input: Omit<StoreThread, "bell">): Thread {
  const bell = new Int32Array(new SharedArrayBuffer(4));
  const waiting = new Map<number, Waiting>();
  let outbox: Request[] = [];
  let worker: Worker | null = null;
  let gone = Promise.resolve();
  let lastId = 0;

  return {
    call(...call) {
      lastId += 1;
      const request = [lastId, ...call] as Request;
      return new Promise((resolve, reject) => {
        waiting.set(request[0], { resolve, reject });
        if (outbox.push(request) === 1) queueMicrotask(send);
      });
    },
    async stop() {
      if (worker !== null || outbox.length > 0) await this.call("close");
      await gone;
    },
  };

  /** One message for everything that was asked in this tick. */
  function send(): void {
    const requests = outbox;
    outbox = [];
    try {
      (worker ?? start()).postMessage(requests);
    } catch (error) {
      return failAll(`The thread that writes the event log can't be started (${textOf(error)}).`);
    }
    Atomics.add(bell, 0, 1);
    Atomics.notify(bell, 0);
  }

  function start(): Worker {
    const started = new Worker(file, {
      name: "oj-log",
      workerData: { ...input, bell } satisfies StoreThread,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker = started;
    started.on("message", (replies: Reply[]) => {
      for (const reply of replies) settle(reply);
    });
    let reason = "";
    started.on("error", (error) => (reason = error.message));
    gone = new Promise((resolve) => {
      started.on("exit", (code) => {
        worker = null;
        failAll(`The thread that writes the event log ended (${reason || `exit code ${code}`}).`);
        resolve();
      });
    });
    return started;
  }

  function failAll(message: string): void {
    const callers = [...waiting.values()];
    waiting.clear();
    for (const caller of callers) caller.reject(storeFailed(message));
  }

  function settle(reply: Reply): void {
    const [id, result, failure] = typeof reply === "number" ? [reply] : reply;
    const caller = waiting.get(id);
    waiting.delete(id);
    if (failure === undefined) caller?.resolve(result);
    else caller?.reject(toError(failure));
  }
}

/** Makes one snapshot in a thread of its own, or checks what lies behind it. Returns what that thread says. */
export async function snapshotThread(
  file: string,
  input: SnapshotThread,
): Promise<Exclude<SnapshotReply, Failure>> {
  const worker = new Worker(file, { name: "oj-snapshot", workerData: input });
  if (input.seq === null) worker.unref(); // nobody has to wait for a look
  const [reply, reason] = await new Promise<[SnapshotReply | null, string]>((resolve) => {
    let last: SnapshotReply | null = null;
    let why = "";
    worker.on("message", (it: SnapshotReply) => (last = it));
    worker.on("error", (error) => (why = error.message));
    worker.on("exit", (code) => resolve([last, why || `exit code ${code}`]));
  });
  if (reply === null) throw storeFailed(`The thread that makes snapshots ended (${reason}).`);
  if (typeof reply === "object" && "kind" in reply) throw toError(reply);
  return reply;
}
