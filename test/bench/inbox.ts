/** The inbox in a terminal: how soon a question is on the screen, and how it copes with ten thousand. */
import fs from "node:fs";
import path from "node:path";
import { makePlace, startLife } from "../torture/daemon.ts";
import { logIn, writeEvents } from "./data.ts";
import { callerOn } from "./http.ts";
import { SETTINGS } from "./latency.ts";
import type { Row } from "./rows.ts";
import { median, megabytes, ms, quantile, row } from "./rows.ts";
import { openInbox } from "./screen.ts";

const QUESTIONS = 100;
const MANY = 10_000;
const KEYS = 60;
const GROUP = "the inbox in a terminal";

export async function measureInbox(dir: string): Promise<Row[]> {
  fs.mkdirSync(dir);
  return [...(await visible(path.join(dir, "few"))), ...(await crowded(path.join(dir, "many")))];
}

async function visible(dir: string): Promise<Row[]> {
  fs.mkdirSync(dir);
  const place = makePlace(dir, SETTINGS);
  const life = startLife(place);
  await life.ready;
  const caller = callerOn(place.socket);
  const screen = openInbox(place);
  await screen.shows("nothing is waiting");
  const took: number[] = [];
  for (let n = 0; n < QUESTIONS; n++) {
    const seen = screen.shows(`Question-${n}-`);
    const from = performance.now();
    const body = {
      project: "p",
      cwd: "/",
      prompt: `Question-${n}-`,
      options: [{ label: "Yes" }],
      as: "bench",
    };
    await caller.call("POST", "/decisions", body);
    await seen;
    took.push(performance.now() - from);
  }
  screen.close();
  caller.close();
  await life.kill();
  return [
    row(GROUP, "created → on the screen, p50", {
      measured: ms(median(took)),
      target: "< 50 ms",
      ok: median(took) < 50,
      values: { p50: median(took) },
    }),
    row(GROUP, "created → on the screen, p99", {
      measured: ms(quantile(took, 0.99)),
      target: "< 150 ms",
      ok: quantile(took, 0.99) < 150,
      values: { p99: quantile(took, 0.99) },
    }),
  ];
}

async function crowded(dir: string): Promise<Row[]> {
  fs.mkdirSync(dir);
  const place = makePlace(dir, SETTINGS);
  const log = logIn(place.stateDir);
  await log.open();
  await writeEvents(log, MANY * 10);
  await log.close();
  const life = startLife(place);
  await life.ready;
  const from = performance.now();
  const screen = openInbox(place);
  await screen.shows(`${MANY} waiting for you`);
  const first = performance.now() - from;
  const took: number[] = [];
  for (let n = 0; n < KEYS; n++) {
    const drawn = screen.shows("▶");
    const pressed = performance.now();
    screen.press("j");
    await drawn;
    took.push(performance.now() - pressed);
  }
  const memory = screen.memory();
  screen.close();
  await life.kill();
  return [
    row(GROUP, `first paint with ${MANY} pending`, {
      measured: ms(first),
      target: "< 1 s",
      ok: first < 1000,
      values: { first },
    }),
    row(GROUP, `a key with ${MANY} pending, p99`, {
      measured: ms(quantile(took, 0.99)),
      target: "< 100 ms",
      ok: quantile(took, 0.99) < 100,
      values: { p99: quantile(took, 0.99) },
    }),
    row(GROUP, `memory with ${MANY} pending`, { measured: megabytes(memory), values: { memory } }),
  ];
}
