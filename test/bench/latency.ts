/** How long people and agents wait: for a question to appear, for an answer to arrive, for the daemon to answer at all. */
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import type { Place } from "../torture/daemon.ts";
import { makePlace, startLife } from "../torture/daemon.ts";
import { rate, rawCommitMs } from "./appends.ts";
import { createdFact } from "./data.ts";
import type { Caller } from "./http.ts";
import { callerOn, startBare, timed } from "./http.ts";
import type { Row } from "./rows.ts";
import { median, ms, perSecond, quantile, row, times } from "./rows.ts";

const CALLS = 1500;
const QUESTIONS = 400;
const WRITERS = 64;

/** No limit except the machine's. */
export const SETTINGS = "[limits]\nrequests_per_minute = 1000000000\n";

export async function measureLatency(dir: string): Promise<Row[]> {
  fs.mkdirSync(dir);
  const rawMs = await rawCommitMs(path.join(dir, "raw"));
  const place = makePlace(dir, SETTINGS);
  const life = startLife(place);
  await life.ready;
  const caller = callerOn(place.socket);
  try {
    const { rows, bareMs } = await overTheFloor(dir, caller);
    const floorMs = bareMs + rawMs;
    return [
      ...rows,
      ...(await seen(place, caller, floorMs)),
      ...(await delivered(place, caller, floorMs)),
      ...(await many(place, rawMs)),
    ];
  } finally {
    caller.close();
    await life.kill();
  }
}

/** The path of a hook that is let through: nothing is written. */
async function overTheFloor(dir: string, caller: Caller): Promise<{ rows: Row[]; bareMs: number }> {
  const bare = await startBare(dir, await caller.call("GET", "/health"));
  const floor = callerOn(bare.socket);
  const [own, base]: [number[], number[]] = [[], []];
  for (let n = 0; n < CALLS + 200; n++) {
    const [one, other] = [
      await timed(() => caller.call("GET", "/health")),
      await timed(() => floor.call("GET", "/health")),
    ];
    if (n < 200) continue; // both warm up
    own.push(one);
    base.push(other);
  }
  floor.close();
  await bare.stop();
  const over = median(own) - median(base);
  const group = "a call that writes nothing (what a hook costs)";
  return {
    bareMs: median(base),
    rows: [
      row(group, "GET /health, p50", {
        measured: ms(median(own)),
        floor: `${ms(median(base))} bare Node`,
        ratio: times(median(own) / median(base)),
        target: "< 1 ms over",
        ok: over < 1,
        values: { p50: median(own), bare_p50: median(base) },
      }),
      row(group, "GET /health, p99", {
        measured: ms(quantile(own, 0.99)),
        floor: `${ms(quantile(base, 0.99))} bare Node`,
        ratio: times(quantile(own, 0.99) / quantile(base, 0.99)),
        target: "< 10 ms",
        ok: quantile(own, 0.99) < 10,
        values: { p99: quantile(own, 0.99), bare_p99: quantile(base, 0.99) },
      }),
    ],
  };
}

async function seen(place: Place, caller: Caller, floorMs: number): Promise<Row[]> {
  const subscriber = await subscribe(place);
  const taken: number[] = [];
  for (let n = 0; n < QUESTIONS; n++) {
    const next = subscriber.next();
    const from = performance.now();
    const asked = caller.call("POST", "/decisions", questionOf(n));
    taken.push((await next) - from);
    await asked;
  }
  subscriber.close();
  return rowsOf("created → seen by a subscriber, fsync included", taken, floorMs);
}

async function delivered(place: Place, caller: Caller, floorMs: number): Promise<Row[]> {
  const waiter = callerOn(place.socket);
  const taken: number[] = [];
  for (let n = 0; n < QUESTIONS; n++) {
    const { id } = JSON.parse(await caller.call("POST", "/decisions", questionOf(n))) as { id: string };
    let arrived = 0;
    const waiting = waiter.call("POST", `/decisions/${id}/await`, {}).then(() => {
      arrived = performance.now();
    });
    await caller.call("GET", "/health"); // by now the waiting caller is known
    const from = performance.now();
    await Promise.all([waiting, caller.call("POST", `/decisions/${id}/resolve`, { choices: [[1]] })]);
    taken.push(arrived - from);
  }
  waiter.close();
  return rowsOf("answer → delivered to a waiting `await`", taken, 2 * floorMs);
}

function rowsOf(name: string, taken: number[], floorMs: number): Row[] {
  const [p50, p99] = [median(taken), quantile(taken, 0.99)];
  const floor = `${ms(floorMs)} bare HTTP + SQLite`;
  const group = "what people and agents wait for";
  return [
    row(group, `${name}, p50`, {
      measured: ms(p50),
      floor,
      ratio: times(p50 / floorMs),
      target: "< 10 ms",
      ok: p50 < 10,
      values: { p50, floor: floorMs },
    }),
    row(group, `${name}, p99`, {
      measured: ms(p99),
      floor,
      ratio: times(p99 / floorMs),
      target: "< 50 ms",
      ok: p99 < 50,
      values: { p99, floor: floorMs },
    }),
  ];
}

async function many(place: Place, rawMs: number): Promise<Row[]> {
  const one = callerOn(place.socket);
  const all = callerOn(place.socket, WRITERS);
  const ask = (caller: Caller) => () => caller.call("POST", "/decisions", questionOf(0));
  await rate(100, ask(one));
  const single = await rate(500, ask(one));
  await rate(500, ask(all), WRITERS);
  const together = await rate(5000, ask(all), WRITERS);
  one.close();
  all.close();
  const group = "questions a second over HTTP (the client is on the same two cores)";
  return [
    row(group, "one client", {
      measured: perSecond(single),
      floor: `${perSecond(1000 / rawMs)} raw SQLite`,
      ratio: times((single * rawMs) / 1000),
      values: { single },
    }),
    row(group, `${WRITERS} clients`, {
      measured: perSecond(together),
      floor: `${perSecond(single)} one client`,
      ratio: times(together / single),
      values: { together },
    }),
  ];
}

interface Subscriber {
  /** When the next event arrived. */
  next(): Promise<number>;
  close(): void;
}

function subscribe(place: Place): Promise<Subscriber> {
  return new Promise((resolve, reject) => {
    const request = http.get({ socketPath: place.socket, path: "/events", agent: false }, (response) => {
      let arrived = (_: number) => {};
      response.on("data", (part: Buffer) => {
        if (part.includes("data: ")) arrived(performance.now());
      });
      response.on("error", () => undefined);
      resolve({
        next: () => new Promise((next) => (arrived = next)),
        close: () => request.destroy(),
      });
    });
    request.on("error", reject);
  });
}

function questionOf(n: number): object {
  const { title, context, options } = createdFact(n) as Extract<
    ReturnType<typeof createdFact>,
    { type: "decision:created" }
  >;
  return {
    project: "bench",
    cwd: path.sep,
    prompt: title,
    context,
    options: options.map(({ label, description }) => ({ label, description })),
  };
}
