/** A thousand callers waiting: how long after the answer each of them has it, all for one decision, or each for its own. */
import fs from "node:fs";
import path from "node:path";
import { allWait, awaiting, startHolder, wait } from "../specs/support/waiters.ts";
import { makePlace, startLife } from "../torture/daemon.ts";
import type { Caller } from "./http.ts";
import { callerOn } from "./http.ts";
import type { Row } from "./rows.ts";
import { median, ms, quantile, row, times } from "./rows.ts";

const WAITERS = 1000;
const ROUNDS = 5;
const ANSWERS = 200;
const SETTINGS = "[limits]\nrequests_per_minute = 1000000000\n";

export async function measureWaiters(dir: string): Promise<Row[]> {
  fs.mkdirSync(dir);
  const place = makePlace(dir, SETTINGS);
  const life = startLife(place);
  await life.ready;
  const caller = callerOn(place.socket);
  const holder = await startHolder(dir);
  try {
    await holder.round(WAITERS); // warms up
    await allForOne(place.socket, caller);
    const floors: number[] = [];
    const together: number[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      floors.push(...(await holder.round(WAITERS)));
      together.push(...(await allForOne(place.socket, caller)));
    }
    const each = await eachTheirOwn(place.socket, caller);
    return [
      ...rowsOf(`${WAITERS} wait for one decision`, together, floors),
      ...rowsOf(`${WAITERS} wait, each for their own`, each, null),
    ];
  } finally {
    caller.close();
    holder.stop();
    await life.kill();
  }
}

/** From the answer to the last byte at each of the waiting callers. */
async function allForOne(socket: string, caller: Caller): Promise<number[]> {
  const id = await ask(caller);
  const waiters = await Promise.all(Array.from({ length: WAITERS }, () => wait(socket, awaiting(id))));
  await allWait(socket, id);
  const from = performance.now();
  const answered = caller.call("POST", `/decisions/${id}/resolve`, { choices: [[1]] });
  const arrived = await Promise.all(waiters.map((it) => it.arrived));
  await answered;
  return arrived.map((at) => at - from);
}

/** One after the other is answered while all the others wait. */
async function eachTheirOwn(socket: string, caller: Caller): Promise<number[]> {
  const ids: string[] = [];
  for (let n = 0; n < WAITERS; n++) ids.push(await ask(caller));
  const waiters = await Promise.all(ids.map((id) => wait(socket, awaiting(id))));
  await allWait(socket, ids[0] ?? "");
  const taken: number[] = [];
  for (const [n, id] of ids.slice(0, ANSWERS).entries()) {
    const from = performance.now();
    const answered = caller.call("POST", `/decisions/${id}/resolve`, { choices: [[1]] });
    taken.push(((await waiters[n]?.arrived) ?? Number.NaN) - from);
    await answered;
  }
  for (const it of waiters) it.close();
  return taken;
}

async function ask(caller: Caller): Promise<string> {
  const options = [
    { label: "Yes", description: "go on" },
    { label: "No", description: "stop" },
  ];
  const body = { project: "bench", cwd: path.sep, prompt: "Which?", context: "x".repeat(500), options };
  return (JSON.parse(await caller.call("POST", "/decisions", body)) as { id: string }).id;
}

function rowsOf(name: string, taken: number[], floors: number[] | null): Row[] {
  const [p50, p99] = [median(taken), quantile(taken, 0.99)];
  const floor = floors === null ? null : quantile(floors, 0.99);
  const group = "a thousand who wait (answer → the last byte at each)";
  return [
    row(group, `${name}, p50`, { measured: ms(p50), values: { p50 } }),
    row(group, `${name}, p99`, {
      measured: ms(p99),
      ...(floor === null ? {} : { floor: `${ms(floor)} bare Node`, ratio: times(p99 / floor) }),
      target: floor === null ? "< 100 ms" : "< 100 ms, ≤ 1.50×",
      ok: p99 < 100 && (floor === null || p99 / floor <= 1.5),
      values: { p99, ...(floor === null ? {} : { floor }) },
    }),
  ];
}
