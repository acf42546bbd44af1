/**
 * Random sessions: keys, clicks, scrolling, resizing, arrivals, and answers given elsewhere. Whatever happens, an
 * answer goes only to what is listed, and chooses only where all of it had been on screen.
 */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { call } from "../specs/support/http.ts";
import type { Project } from "../specs/support/project.ts";
import type { Random } from "../torture/random.ts";
import { randomFrom } from "../torture/random.ts";
import { ask, webProject } from "./support/asking.ts";
import type { Inbox } from "./support/browser.ts";
import { inboxOf, noBrowser } from "./support/browser.ts";
import { recordInPage } from "./support/recorder.ts";

/** `OJ_WEB_SESSIONS=500` for more; by default as many as fit. */
const SESSIONS = Number(process.env.OJ_WEB_SESSIONS ?? 500);
const LONGEST_MS = process.env.OJ_WEB_SESSIONS ? 3_600_000 : 10_000;
const SEED = Number(process.env.OJ_WEB_SEED ?? Date.now() % 1_000_000);
const STEPS = 24;

interface Known {
  id: string;
  title: string;
  marks: string[];
}

const VIEWS = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
  { width: 1000, height: 420 },
];

/** Weighted: what answers comes often. */
const KEYS = ["1", "1", "2", "Enter", "Enter", "Enter", "Enter", "j", "k", "J", "K", "g", "G", "M", "m", "u"];
const RARE = ["Escape", "a", "!", "p", "?", "d", "Tab", "Space", "PageDown", "End"];
const WORDS = ["long", "short", "go 1", "nothing like it"];
const PLACES = [
  ".row",
  ".option",
  ".send",
  ".row-mark",
  ".confirm button",
  ".on-hold button",
  ".more button",
];

describe.skipIf(noBrowser)("random sessions in a browser", () => {
  it(
    `answer nothing unseen and nothing unlisted (seed ${SEED})`,
    async () => {
      const project = await webProject(1);
      const page = await inboxOf(project);
      await page.addInitScript(recordInPage);
      await page.reload();
      const random = randomFrom(SEED);
      const known = new Map<string, Known>();
      const until = Date.now() + LONGEST_MS;
      const told = { sessions: 0, answers: 0, together: 0 };
      while (told.sessions < SESSIONS && Date.now() < until) {
        const ids = await play(project, page, random, known);
        for (const it of await page.evaluate(() => window.sent.splice(0))) {
          told.answers += it.ids.length;
          if (it.ids.length > 1) told.together += 1;
          for (const id of it.ids) {
            const { title, marks } = known.get(id) ?? assert.fail(`${id} is not ours`);
            const where = `session ${told.sessions}, ${id}`;
            assert.ok(
              it.rows.some((row) => row.id === id || row.title === title),
              `${where}: not listed`,
            );
            const unseen = it.hasChosen ? marks.filter((mark) => !it.seen.includes(mark)) : [];
            assert.deepEqual(unseen, [], `${where}: answered unseen`);
          }
        }
        await call(project, "POST", "/decisions/resolve", { body: { ids, choices: [[1]] } });
        told.sessions += 1;
      }
      process.stdout.write(`    ${JSON.stringify(told)}\n`);
      if (told.sessions >= 8) assert.ok(told.answers > 0, "some of them answered something");
      page.troubles.length = 0; // lines about answers that came too late
    },
    LONGEST_MS + 300_000,
  );
});

/** How often each thing happens. */
const HAPPENS = {
  answer: 20,
  key: 36,
  rare: 6,
  click: 12,
  scroll: 8,
  resize: 4,
  filter: 3,
  arrival: 4,
  elsewhere: 3,
};

/** One session; returns what arrived during it. */
async function play(
  project: Project,
  page: Inbox,
  random: Random,
  known: Map<string, Known>,
): Promise<string[]> {
  const pick = (all: readonly string[]) => random.pick(all) ?? "";
  const ids: string[] = [];
  const arrive = async () => {
    const it = await arrival(project, random, known.size);
    known.set(it.id, it);
    ids.push(it.id);
  };
  const happens: Record<keyof typeof HAPPENS, () => Promise<unknown>> = {
    answer: async () => {
      for (const key of [pick(["1", "2"]), "Enter", "Enter"]) await page.keyboard.press(key);
    },
    key: () => page.keyboard.press(pick(KEYS)),
    rare: () => page.keyboard.press(pick(RARE)),
    click: () => press(page, pick(PLACES), random.next()),
    scroll: () => scroll(page, random.next() - 0.3),
    resize: () => page.setViewportSize(random.pick(VIEWS) ?? assert.fail()),
    filter: () => filter(page, pick(WORDS)),
    arrival: arrive,
    elsewhere: () => call(project, "POST", `/decisions/${pick(ids)}/resolve`, { body: { choices: [[2]] } }),
  };
  await page.keyboard.press("Escape");
  for (let n = 0; n < 3; n++) await arrive();
  for (let step = 0; step < STEPS; step++) await happens[random.weighted(HAPPENS)]();
  return ids;
}

/** Long or short, with a context of its own; some have the same question, so they are alike. */
async function arrival(project: Project, random: Random, count: number): Promise<Known> {
  const lines = random.chance(0.4) ? 60 : random.int(0, 3);
  const title = random.chance(0.5)
    ? `Alike ${lines > 3 ? "long" : "short"}?`
    : `Go ${count}, ${lines} lines?`;
  const marks = Array.from({ length: lines }, (_, at) => `mark-${count * 100 + at}`);
  const context = marks.map((it) => `- ${it}`).join("\n");
  const urgency = random.chance(0.2) ? "high" : "medium";
  const { id } = await ask(project, { as: `agent-${count}`, prompt: title, context, urgency });
  return { id, title, marks };
}

/** Clicks the middle of something, wherever it is, as a program would: nothing is scrolled into view first. */
function press(page: Inbox, place: string, dice: number): Promise<void> {
  return page.evaluate(
    ([place, dice]) => {
      const all = [...document.querySelectorAll<HTMLElement>(place)].filter((it) => it.checkVisibility());
      all[Math.floor(dice * all.length)]?.click();
    },
    [place, dice] as const,
  );
}

function scroll(page: Inbox, by: number): Promise<void> {
  return page.evaluate((by) => {
    const view =
      document.querySelector("dialog[open] .dialog-text") ?? document.querySelector(".pane") ?? document.body;
    view.scrollBy(0, by * 1500);
  }, by);
}

async function filter(page: Inbox, words: string): Promise<void> {
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.keyboard.type(words);
  await page.keyboard.press("Enter");
}
