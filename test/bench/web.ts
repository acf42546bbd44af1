/** The inbox in a real browser: how soon a question is seen, and how the page copes with ten thousand pending ones. */
import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import type { Place } from "../torture/daemon.ts";
import { makePlace, startLife } from "../torture/daemon.ts";
import { launch, noBrowser } from "../web/support/chromium.ts";
import { logIn, writePending } from "./data.ts";
import type { Caller } from "./http.ts";
import { callerOn } from "./http.ts";
import { SETTINGS } from "./latency.ts";
import { measureInPage } from "./page.ts";
import type { Row } from "./rows.ts";
import { median, megabytes, ms, quantile, row } from "./rows.ts";

const QUESTIONS = 200;
const MANY = 10_000;
const VISITS = 5;
const KEYS = 200;
const TURNS = 100;
const TURN_PX = 200;
const GROUP = "the inbox in a browser";

export async function measureWeb(dir: string): Promise<Row[]> {
  if (noBrowser) {
    process.stderr.write("bench: web is left out: there is no chromium here\n");
    return [];
  }
  fs.mkdirSync(dir);
  const few = await inBrowser(path.join(dir, "few"), 0, ({ page, caller }) => seen(page, caller, "none"));
  const many = await inBrowser(path.join(dir, "many"), MANY, async ({ page, caller, memory }) => [
    ...(await painted(page)),
    ...(await seen(page, caller, `${MANY}`)),
    ...(await pressed(page)),
    ...(await turned(page)),
    ...(await held(page, memory())),
  ]);
  return [...few, ...many];
}

interface Desk {
  page: Page;
  caller: Caller;
  /** Of the daemon. */
  memory(): number;
}

/** A browser that is logged in to a daemon with so many pending decisions, none of them urgent. */
async function inBrowser(dir: string, pending: number, work: (desk: Desk) => Promise<Row[]>): Promise<Row[]> {
  fs.mkdirSync(dir);
  const place = makePlace(dir, SETTINGS);
  await prepare(place, pending);
  const life = startLife(place);
  await life.ready;
  const caller = callerOn(place.socket, 10);
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(measureInPage);
    const { url } = JSON.parse(await caller.call("POST", "/web/links", {})) as { url: string };
    await page.goto(url);
    await page.waitForFunction((it) => document.title.includes(it), pending > 0 ? `(${pending})` : "Oddjobs");
    const memory = () => Number(fs.readFileSync(`/proc/${life.pid}/statm`, "utf8").split(" ")[1]) * 4096;
    return await work({ page, caller, memory });
  } finally {
    await browser.close();
    caller.close();
    await life.kill();
  }
}

async function prepare(place: Place, pending: number): Promise<void> {
  const log = logIn(place.stateDir);
  await log.open();
  await writePending(log, pending);
  await log.close();
}

/** Each is urgent, so it is at the top; it is answered before the next is asked. */
async function seen(page: Page, caller: Caller, waiting: string): Promise<Row[]> {
  const took: number[] = [];
  for (let n = 0; n < QUESTIONS; n++) {
    const prompt = `Question ${n}?`;
    const body = {
      project: "p",
      cwd: "/",
      prompt,
      options: [{ label: "Yes" }],
      as: "bench",
      urgency: "high",
    };
    const startedAt = Date.now();
    const { id } = JSON.parse(await caller.call("POST", "/decisions", body)) as { id: string };
    took.push((await page.evaluate((it) => window.bench.paintedAt(it), id)) - startedAt);
    await caller.call("POST", `/decisions/${id}/resolve`, { choices: [[1]] });
    await page.waitForFunction((it) => document.getElementById(`row-${it}`) === null, id);
  }
  return quantiles(`created → painted with ${waiting} pending`, took, [50, 150]);
}

/** From the start of the navigation, in a browser that has been there before. */
async function painted(page: Page): Promise<Row[]> {
  const took: number[] = [];
  const home = new URL("/", page.url()).href;
  for (let n = 0; n < VISITS; n++) {
    await page.goto("about:blank");
    await page.goto(home);
    took.push(await page.evaluate(() => window.bench.firstRowAt));
    await page.waitForFunction((it) => document.title.includes(it), `(${MANY})`);
  }
  const slowest = Math.max(...took);
  return [
    row(GROUP, `first row painted with ${MANY} pending, slowest of ${VISITS}`, {
      measured: ms(slowest),
      target: "< 1 s",
      ok: slowest < 1000,
      values: { slowest, p50: median(took) },
    }),
  ];
}

/** From the key to the frame in which the next one is in focus; then as many keys as can be typed, as fast as possible. */
async function pressed(page: Page): Promise<Row[]> {
  const took: number[] = [];
  for (let n = 0; n < KEYS; n++) {
    const moved = page.evaluate(() => window.bench.moved());
    await page.evaluate(() => 0); // after the one above
    await page.keyboard.press("j");
    took.push(await moved);
  }
  const from = await page.evaluate(() => window.bench.position());
  await Promise.all(Array.from({ length: KEYS }, () => page.keyboard.press("j")));
  await page.waitForFunction((it) => window.bench.position() >= it, from + KEYS);
  const arrived = (await page.evaluate(() => window.bench.position())) - from;
  return [
    ...quantiles(`a key with ${MANY} pending`, took, [null, 100]),
    row(GROUP, `keys taken of ${KEYS} typed at once`, {
      measured: `${arrived}`,
      target: `${KEYS}`,
      ok: arrived === KEYS,
      values: { arrived },
    }),
  ];
}

/** The wheel, notch after notch without waiting: every notch must count, and no frame may be late. */
async function turned(page: Page): Promise<Row[]> {
  await page.keyboard.press("g");
  await page.waitForFunction(() => window.bench.scrolled() === 0);
  await page.locator(".virtual").hover();
  const frames = page.evaluate((to) => window.bench.framesUntil(to), TURNS * TURN_PX);
  for (let n = 0; n < TURNS; n++) await page.mouse.wheel(0, TURN_PX);
  const gaps = await frames;
  const blank = await page.evaluate(() => window.bench.isBlank());
  const way = await page.evaluate(() => window.bench.scrolled());
  return [
    row(GROUP, `wheel: pixels of ${TURNS * TURN_PX}`, {
      measured: `${way}${blank ? ", blank" : ""}`,
      target: `${TURNS * TURN_PX}, drawn`,
      ok: way === TURNS * TURN_PX && !blank,
      values: { way },
    }),
    row(GROUP, "wheel: between two frames, p99", {
      measured: ms(quantile(gaps, 0.99)),
      target: "< 100 ms",
      ok: quantile(gaps, 0.99) < 100,
      values: { p50: median(gaps), p99: quantile(gaps, 0.99) },
    }),
  ];
}

async function held(page: Page, daemon: number): Promise<Row[]> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("HeapProfiler.collectGarbage");
  await devTools.send("Performance.enable");
  const { metrics } = await devTools.send("Performance.getMetrics");
  const heap = metrics.find((it) => it.name === "JSHeapUsedSize")?.value ?? Number.NaN;
  return [
    row(GROUP, `memory of the page's script with ${MANY} pending`, {
      measured: megabytes(heap),
      values: { heap },
    }),
    row(GROUP, `memory of the daemon with ${MANY} pending`, {
      measured: megabytes(daemon),
      values: { daemon },
    }),
  ];
}

function quantiles(name: string, took: readonly number[], [half, most]: [number | null, number]): Row[] {
  const [p50, p99] = [median(took), quantile(took, 0.99)];
  return [
    row(GROUP, `${name}, p50`, {
      measured: ms(p50),
      ...(half === null ? {} : { target: `< ${half} ms`, ok: p50 < half }),
      values: { p50 },
    }),
    row(GROUP, `${name}, p99`, {
      measured: ms(p99),
      target: `< ${most} ms`,
      ok: p99 < most,
      values: { p99 },
    }),
  ];
}
