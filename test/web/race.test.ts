/** Nothing is answered by mistake: whatever arrives or is settled elsewhere never redirects an Enter to another decision. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { EVERYTHING } from "../everything.ts";
import { follow } from "../specs/support/agents.ts";
import { call } from "../specs/support/http.ts";
import type { Project } from "../specs/support/project.ts";
import { answer, ask, webProject } from "./support/asking.ts";
import type { Inbox } from "./support/browser.ts";
import { inboxOf, noBrowser } from "./support/browser.ts";

/** `OJ_RACE_ROUNDS=200` for more. */
const ROUNDS = Number(process.env.OJ_RACE_ROUNDS ?? (EVERYTHING ? 12 : 5));
const ROUND_MS = 30_000;
const ARRIVE = 50;
const SETTLED = 10;
/** Enough for ten others to be settled in each round. */
const WAITING = 12;

interface Choice {
  id: string;
  number: number;
}

describe.skipIf(noBrowser)("a person who goes elsewhere while the page goes on to the next decision", () => {
  it("gets where they wanted", async () => {
    const project = await webProject();
    const page = await inboxOf(project);
    for (let round = 0; round < (EVERYTHING ? 6 : 2); round++) {
      const first = await ask(project, { prompt: `First ${round}?` });
      await ask(project, { prompt: `Next ${round}?` });
      const wanted = await ask(project, { prompt: `Wanted ${round}?` });
      await page.goto(`${new URL(page.url()).origin}/#/decision/${first.id}`);
      await page.locator(`#title-${first.id}`).waitFor();
      await page.evaluate(leaveAsTheFocusMoves, {
        left: first.id,
        wanted: wanted.id,
        frame: round % 2 === 0,
      });
      await page.keyboard.press("1");
      await page.keyboard.press("Enter");
      await page.locator(`#title-${wanted.id}`).waitFor();
      assert.equal(new URL(page.url()).hash, `#/decision/${wanted.id}`);
    }
  });
});

/** In the page: goes to another decision in the very moment in which the focus has left this one. */
function leaveAsTheFocusMoves({
  left,
  wanted,
  frame,
}: {
  left: string;
  wanted: string;
  frame: boolean;
}): void {
  const observer = new MutationObserver(() => {
    if (document.getElementById(`title-${left}`)) return;
    observer.disconnect();
    const leave = () => {
      location.hash = `#/decision/${wanted}`;
    };
    if (frame) requestAnimationFrame(leave);
    else leave();
  });
  observer.observe(document, { childList: true, subtree: true });
}

describe.skipIf(noBrowser)("while 50 decisions arrive and 10 are settled elsewhere", () => {
  it(
    `Enter answers the decision in focus with what was chosen, or nothing: ${ROUNDS} rounds`,
    async () => {
      const project = await webProject();
      const page = await inboxOf(project);
      const sent: Choice[] = [];
      page.on("request", (it) => {
        const id = /\/decisions\/(dec-\w+)\/resolve$/.exec(it.url())?.[1];
        if (id)
          sent.push({ id, number: (it.postDataJSON() as { choices: number[][] }).choices[0]?.[0] ?? 0 });
      });
      const events = follow(project);
      const settledBy = (id: string) =>
        events.find((it) => it.type === "decision:resolved" && it.id === id)?.via as string | undefined;
      const outcomes = { answered: 0, refused: 0, late: 0 };
      /** At any time during the storm; if the focus is settled elsewhere, every other time as soon as the daemon has said so. */
      const moment = (round: number, id: string) =>
        round % 6 === 0 ? project.until(() => settledBy(id)) : page.waitForTimeout((round * 7) % 90);
      let waiting = await arrive(project, 0, WAITING);
      for (let round = 1; round <= ROUNDS; round++) {
        const chosen = await choose(project, page, 1 + (round % 2));
        const others = waiting.filter((it) => it !== chosen.id);
        const settled = [...(round % 3 === 0 ? [chosen.id] : []), ...others].slice(0, SETTLED);
        assert.equal(settled.length, SETTLED);
        const before = sent.length;
        const [arrived] = await Promise.all([
          arrive(project, round, ARRIVE),
          ...settled.map((id) => answer(project, id).catch(() => {})), // the page may have been faster
          moment(round, chosen.id).then(() => page.keyboard.press("Enter")),
        ]);
        const via = await project.until(() => settledBy(chosen.id), `an answer to ${chosen.id}`);
        if (via === "web") outcomes.answered += 1;
        else if (sent.length > before) outcomes.late += 1;
        else outcomes.refused += 1;
        assert.ok(via === "web" || settled.includes(chosen.id), `round ${round}: refused without a reason`);
        const tried = sent.slice(before);
        assert.deepEqual(tried, tried.length > 0 ? [chosen] : [], `round ${round}`);
        await call(project, "POST", "/decisions/resolve", {
          body: { ids: arrived.slice(WAITING), choices: [[1]] },
        });
        const gone = new Set([...settled, chosen.id]);
        waiting = [...waiting.filter((it) => !gone.has(it)), ...arrived.slice(0, WAITING)];
      }
      const own = events.filter((it) => it.type === "decision:resolved" && it.via === "web");
      process.stdout.write(`    ${ROUNDS} rounds: ${JSON.stringify(outcomes)}\n`);
      assert.equal(own.length, outcomes.answered, "another one was answered");
      assert.ok(outcomes.answered >= Math.floor((ROUNDS * 2) / 3));
      page.troubles.length = 0; // lines about answers that came too late
    },
    ROUNDS * ROUND_MS,
  );
});

async function arrive(project: Project, round: number, count: number): Promise<string[]> {
  const asked = Array.from({ length: count }, (_, at) => {
    const urgency = at % 3 === 0 ? "high" : "low";
    return ask(project, { as: `a-${round}-${at}`, prompt: `Go ${round}.${at}?`, urgency });
  });
  return (await Promise.all(asked)).map((it) => it.id);
}

/** Chooses on whichever is in focus. Keys pause for a moment if the previous one was settled elsewhere. */
function choose(project: Project, page: Inbox, number: number): Promise<Choice> {
  const row = page.locator(".row.selected:not(.done)");
  const option = page.locator(`.answer input[value="${number}"]:checked`);
  return project.until(async () => {
    if ((await row.count()) !== 1 || (await page.locator(".answer").count()) !== 1) {
      await page.keyboard.press("g");
      return null;
    }
    const id = ((await row.getAttribute("id", { timeout: 1000 })) ?? "").replace("row-", "");
    await page.keyboard.press(String(number));
    if ((await option.count()) !== 1 || (await page.locator(`#row-${id}.selected:not(.done)`).count()) !== 1)
      return null;
    return { id, number };
  }, "a decision in focus with an option chosen");
}
