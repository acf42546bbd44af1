/** The load of a soak: so many requests a second are made and answered, while others watch. */
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { callerOn, timed } from "../bench/http.ts";

export interface Load {
  /** How long each call took since the last time this was asked, in milliseconds; and the same for a bare Node server. */
  taken(): { taken: number[]; floor: number[] };
  decisions(): number;
  errors(): string[];
  /** Starts nothing more, and returns when what is under way is over. */
  stop(): Promise<void>;
}

export interface LoadInput {
  socket: string;
  /** Where a bare Node server answers. */
  bare: string;
  /** Decisions a second. */
  rate: number;
  /** Characters of each context. */
  context: number;
}

/** How many are made at once while the room is filled. */
const AT_ONCE = 32;
/** A second request from the same asker would replace its first. */
const REQUESTERS = 997;
/** One answer in so many is never fetched. */
const UNFETCHED = 20;
const THINK_MS = 300;
const LOOK_EVERY_MS = 1000;
const COMPARE_EVERY_MS = 25;

export function startLoad({ socket, bare, rate, context }: LoadInput): Load {
  const caller = callerOn(socket, 64);
  const under = new Set<Promise<void>>();
  const errors: string[] = [];
  const bareCaller = callerOn(bare, 8);
  let taken: number[] = [];
  let floor: number[] = [];
  let made = 0;
  let stopped = false;

  async function call(method: string, to: string, body?: unknown): Promise<string> {
    const from = performance.now();
    const answer = await caller.call(method, to, body);
    taken.push(performance.now() - from);
    return answer;
  }

  const one = (n: number) => settle(call, { n, context, think: THINK_MS, fetched: n % UNFETCHED !== 0 });

  /** What an open inbox and a page of history ask for. */
  async function look(round: number): Promise<void> {
    await call("GET", "/decisions?brief=true");
    await call("GET", "/decisions?all=true&limit=50");
    await call("GET", "/health");
    if (round % 5 === 0) await call("GET", "/dashboard");
  }

  function start(work: Promise<void>): void {
    const task: Promise<void> = work
      .catch((error: Error) => void errors.push(error.message))
      .finally(() => under.delete(task));
    under.add(task);
  }

  const stream = follow(socket);
  const began = performance.now();
  const ticking = setInterval(() => {
    const due = Math.floor(((performance.now() - began) * rate) / 1000);
    while (made < due) start(one(made++));
  }, 5);
  const comparing = setInterval(
    () => start(timed(() => bareCaller.call("GET", "/")).then((it) => void floor.push(it))),
    COMPARE_EVERY_MS,
  );
  let round = 0;
  const looking = setInterval(() => start(look(round++)), LOOK_EVERY_MS);

  return {
    taken() {
      const all = { taken, floor };
      [taken, floor] = [[], []];
      return all;
    },
    decisions: () => made,
    errors: () => errors,
    async stop() {
      if (stopped) return;
      stopped = true;
      clearInterval(ticking);
      clearInterval(looking);
      clearInterval(comparing);
      while (under.size > 0) await Promise.all(under);
      stream.close();
      caller.close();
      bareCaller.close();
    },
  };
}

/**
 * So many settled decisions, as fast as they come, and nobody fetches the first half of them: that is how a daemon looks after weeks. It keeps
 * as many as it may, and as many answers that nobody fetched, so what grows from there on is a fault.
 */
export async function fillRoom(input: { socket: string; count: number; context: number }): Promise<void> {
  const caller = callerOn(input.socket, AT_ONCE);
  const call = (method: string, to: string, body?: unknown) => caller.call(method, to, body);
  let made = 0;
  async function work(): Promise<void> {
    while (made < input.count) {
      const n = made++;
      await settle(call, { n, context: input.context, think: 0, fetched: n >= input.count / 2 });
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  caller.close();
}

type Call = (method: string, to: string, body?: unknown) => Promise<string>;

/** A decision from the question to the answer, and to its receipt if somebody fetches it. */
async function settle(
  call: Call,
  { n, context, think, fetched }: { n: number; context: number; think: number; fetched: boolean },
): Promise<void> {
  const { id } = JSON.parse(await call("POST", "/decisions", requestOf(n, context))) as { id: string };
  if (think > 0) await sleep(think);
  await call("POST", `/decisions/${id}/resolve`, { choices: [[(n % 2) + 1]], message: `as in change ${n}` });
  if (fetched) await call("POST", `/decisions/${id}/await`, {});
}

/** A stream of events, as each open inbox has one. */
function follow(socketPath: string): { close(): void } {
  const request = http.get({ socketPath, path: "/events", agent: false }, (response) => {
    response.on("error", () => undefined);
    response.resume();
  });
  request.on("error", () => undefined);
  return { close: () => request.destroy() };
}

function requestOf(n: number, context: number): object {
  return {
    project: `project-${n % 5}`,
    cwd: "/",
    as: `agent-${n % REQUESTERS}`,
    prompt: `Should change ${n} go in as it is, or wait for the next release?`,
    context: textOf(n, context),
    options: [
      { label: "Merge", description: "It goes in as it is, and the release is made tonight" },
      { label: "Wait", description: "It waits for the next release" },
    ],
  };
}

/** Different each time, as real ones are. */
function textOf(n: number, length: number): string {
  let text = "";
  for (let line = 0; text.length < length; line++)
    text += `${n}.${line} src/part-${(n * 7919 + line * 104729) % 1000}.ts: ${((n + 1) * (line + 3) * 2654435761).toString(36)}\n`;
  return text.slice(0, length);
}
