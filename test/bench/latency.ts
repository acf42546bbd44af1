/** How long people and agents wait: for a question to appear, for an answer to arrive, for the daemon to answer at all. */
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { makePlace, startLife } from "../torture/daemon.ts";
import { rate, rawCommitMs } from "./appends.ts";
import { startBareStore } from "./bare.ts";
import { createdFact } from "./data.ts";
import type { Caller } from "./http.ts";
import { callerOn, startBare, timed } from "./http.ts";
import type { Row } from "./rows.ts";
import { median, ms, perSecond, quantile, row, times } from "./rows.ts";

const CALLS = 1500;
const QUESTIONS = 400;
const WRITERS = 64;
const ROUNDS = 4;
/** V8 compiles what runs often: until then, any server takes twice as long. */
const WARM = 3000;

/** No limit except the machine's. */
export const SETTINGS = "[limits]\nrequests_per_minute = 1000000000\n";

export async function measureLatency(dir: string): Promise<Row[]> {
  fs.mkdirSync(dir);
  const rawMs = await rawCommitMs(path.join(dir, "raw"));
  const bare = await startBareStore(path.join(dir, "bare"));
  const place = makePlace(dir, SETTINGS);
  const life = startLife(place);
  await life.ready;
  const own = callerOn(place.socket);
  try {
    const cold = await rate(200, askOn(own));
    for (const socket of [place.socket, bare.socket]) await warm(socket);
    const both = { own: place.socket, bare: bare.socket };
    return [
      ...(await overTheFloor(dir, own)),
      ...(await waited("created → seen by a subscriber, fsync included", both, seen, 2.5)),
      ...(await waited("answer → delivered to a waiting `await`", both, delivered, null)),
      ...(await many(both, rawMs, cold)),
    ];
  } finally {
    own.close();
    await bare.stop();
    await life.kill();
  }
}

async function warm(socket: string): Promise<void> {
  const all = callerOn(socket, WRITERS);
  await rate(WARM, askOn(all), WRITERS);
  all.close();
}

/** The path of a hook that is let through: nothing is written. */
async function overTheFloor(dir: string, caller: Caller): Promise<Row[]> {
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
  return [
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
  ];
}

interface Both {
  own: string;
  bare: string;
}

/** The same at the daemon and at the bare server, in turn. */
async function waited(
  name: string,
  { own, bare }: Both,
  measure: (socket: string) => Promise<number[]>,
  most: number | null,
): Promise<Row[]> {
  const [ours, base]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(...(await measure(own)));
    base.push(...(await measure(bare)));
  }
  return rowsOf(name, ours, base, most);
}

async function seen(socket: string): Promise<number[]> {
  const subscriber = await subscribe(socket);
  const caller = callerOn(socket);
  const taken: number[] = [];
  for (let n = 0; n < QUESTIONS / ROUNDS; n++) {
    const next = subscriber.next();
    const from = performance.now();
    const asked = caller.call("POST", "/decisions", questionOf(n));
    taken.push((await next) - from);
    await asked;
  }
  caller.close();
  subscriber.close();
  return taken;
}

async function delivered(socket: string): Promise<number[]> {
  const [caller, waiter] = [callerOn(socket), callerOn(socket)];
  const taken: number[] = [];
  for (let n = 0; n < QUESTIONS / ROUNDS; n++) {
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
  caller.close();
  waiter.close();
  return taken;
}

/** @param most  so many times the floor, at most */
function rowsOf(name: string, taken: number[], base: number[], most: number | null): Row[] {
  const group = "what people and agents wait for";
  return (
    [
      ["p50", 0.5, 10, most],
      ["p99", 0.99, 50, null],
    ] as const
  ).map(([label, share, mostMs, mostTimes]) => {
    const [own, floor] = [quantile(taken, share), quantile(base, share)];
    return row(group, `${name}, ${label}`, {
      measured: ms(own),
      floor: `${ms(floor)} bare HTTP + SQLite`,
      ratio: times(own / floor),
      target: `< ${mostMs} ms${mostTimes === null ? "" : `, ≤ ${times(mostTimes)}`}`,
      ok: own < mostMs && (mostTimes === null || own / floor <= mostTimes),
      values: { [label]: own, floor },
    });
  });
}

async function many(both: Both, rawMs: number, cold: number): Promise<Row[]> {
  const [own, bare] = [await rates(both.own), await rates(both.bare)];
  const raw = 1000 / rawMs;
  const group = "questions a second over HTTP (the client is on the same two cores)";
  const rowOf = (name: string, value: number, base: number, least: number | null) =>
    row(group, name, {
      measured: perSecond(value),
      floor: `${perSecond(base)} bare, ${perSecond(raw)} raw SQLite`,
      ratio: times(value / base),
      ...(least === null ? {} : { target: `≥ ${times(least)} raw SQLite`, ok: value / raw >= least }),
      values: { value, bare: base, raw },
    });
  return [
    rowOf("one client", own.one, bare.one, 1 / 3),
    rowOf(`${WRITERS} clients`, own.all, bare.all, 4 / 3),
    rowOf("one client, the first 200 after a start", cold, bare.one, null),
  ];
}

async function rates(socket: string): Promise<{ one: number; all: number }> {
  const [one, all] = [callerOn(socket), callerOn(socket, WRITERS)];
  await rate(100, askOn(one));
  const single = await rate(500, askOn(one));
  await rate(500, askOn(all), WRITERS);
  const together = await rate(5000, askOn(all), WRITERS);
  one.close();
  all.close();
  return { one: single, all: together };
}

/** A question like those of an agent. */
export const askOn = (caller: Caller) => () => caller.call("POST", "/decisions", questionOf(0));

interface Subscriber {
  /** When the next event arrived. */
  next(): Promise<number>;
  close(): void;
}

function subscribe(socketPath: string): Promise<Subscriber> {
  return new Promise((resolve, reject) => {
    const request = http.get({ socketPath, path: "/events", agent: false }, (response) => {
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
