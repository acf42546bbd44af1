/** The thread that owns the log's file: answers requests in order, and merges waiting appends into one commit. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { MessagePort } from "node:worker_threads";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { Opened } from "../../ports.ts";
import { loadDriver } from "./driver.ts";
import { realFiles } from "./files.ts";
import type { Reply, Request, StoreThread } from "./messages.ts";
import { replyTo, toFailure } from "./messages.ts";
import type { Append, Store } from "./store.ts";
import { openStore } from "./store.ts";

/** Characters of a snapshot that are worth a garbage collection. */
const LARGE = 1_000_000;

/** Appends in a commit where the disk is fast: the daemon hears of them and asks for more while the next are written. */
const FEW = 32;

/** Longer than any pause between commits under load. */
const SYNC_AFTER_MS = 50;

if (parentPort !== null) void main(parentPort, workerData as StoreThread);

async function main(port: MessagePort, { dir, version, bell }: StoreThread): Promise<void> {
  const driver = await loadDriver();
  serve(openStore({ dir, version, driver, files: realFiles }), port, bell);
}

/** Runs until it was told to close or lost its connection. Sleeping on the bell instead of the event loop saves a commit some 20 µs. */
function serve(store: Store, port: MessagePort, bell: Int32Array): void {
  for (;;) {
    const rung = Atomics.load(bell, 0);
    const requests = waiting(port);
    if (requests.length === 0) rest(store, bell, rung);
    for (const group of grouped(requests, store.isCommitCheap() ? FEW : requests.length)) {
      const { large } = reply(port, answer(store, group));
      if (large) collectGarbage();
      if (group[0]?.[1] === "close" || store.isLost()) return;
    }
  }
}

/** Until the bell rings. Once nobody waits for a commit, what was acknowledged is flushed in the second place too. */
function rest(store: Store, bell: Int32Array, rung: number): void {
  const woken = Atomics.wait(bell, 0, rung, store.isSynced() ? Number.POSITIVE_INFINITY : SYNC_AFTER_MS);
  if (woken === "timed-out") store.sync();
}

function reply(port: MessagePort, replies: Reply[]): { large: boolean } {
  port.postMessage(replies);
  const opened = (typeof replies[0] === "number" ? null : replies[0]?.[1]) as
    | Partial<Opened>
    | null
    | undefined;
  return { large: (opened?.snapshot?.state.length ?? 0) > LARGE };
}

/** A large snapshot leaves copies of itself here. In a thread that sleeps without an event loop nothing else would collect them. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

function waiting(port: MessagePort): Request[] {
  const requests: Request[] = [];
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
    requests.push(...(next.message as Request[]));
  return requests;
}

/** Adjacent appends share a commit, `most` of them at once; everything else stands alone. */
function grouped(requests: Request[], most: number): Request[][] {
  const groups: Request[][] = [];
  for (const request of requests) {
    const last = groups.at(-1);
    const fits = last !== undefined && last.length < most;
    if (request[1] === "append" && last?.[0]?.[1] === "append" && fits) last.push(request);
    else groups.push([request]);
  }
  return groups;
}

function answer(store: Store, group: Request[]): Reply[] {
  const [first] = group;
  if (first?.[1] !== "append") return group.map((request) => answerOne(store, request));
  const outcomes = store.append(group.map((request) => request[2] as Append));
  return group.map(([id], i) => replyTo(id, outcomes[i] ?? null));
}

function answerOne(store: Store, request: Request): Reply {
  const [id, op] = request;
  try {
    switch (op) {
      case "open":
        return [id, store.open(request[2])];
      case "read":
        return [id, store.read(request[2], request[3], request[4], request[5])];
      case "compact":
        return [id, store.compact(request[2], request[3])];
      case "owes":
        return [id, store.owesScouring()];
      case "scour":
        return [id, store.scour()];
      case "close":
        return [id, store.close()];
      case "append":
        return replyTo(id, store.append([request[2]])[0] ?? null);
    }
  } catch (error) {
    return [id, null, toFailure(error)];
  }
}
