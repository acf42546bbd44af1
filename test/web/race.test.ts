/** Nothing is answered by mistake: what arrives and what is settled elsewhere never turns an Enter to another decision. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { call } from "../specs/support/http.ts";
import { answer, ask, webProject } from "./support/asking.ts";
import { inboxOf, noBrowser } from "./support/browser.ts";

/** `OJ_RACE_ROUNDS=200` for more. */
const ROUNDS = Number(process.env.OJ_RACE_ROUNDS ?? 40);
const ROUND_MS = 5000;

describe.skipIf(noBrowser)("while 50 arrive and 10 are settled elsewhere", () => {
  it(
    `Enter answers the decision that was in focus, with what was chosen, or nothing: ${ROUNDS} rounds`,
    async () => {
      const project = await webProject();
      const page = await inboxOf(project);
      const sent: { id: string; choices: number[][] }[] = [];
      page.on("request", (it) => {
        const id = /\/decisions\/(dec-\w+)\/resolve$/.exec(it.url())?.[1];
        if (id) sent.push({ id, ...(it.postDataJSON() as { choices: number[][] }) });
      });
      const arrive = (round: number, count: number) =>
        Promise.all(
          Array.from({ length: count }, (_, at) => {
            const urgency = at % 3 === 0 ? "high" : "low";
            return ask(project, { as: `a-${round}-${at}`, prompt: `Go ${round}.${at}?`, urgency });
          }),
        );
      let waiting = (await arrive(0, 12)).map((it) => it.id as string);
      let answered = 0;
      for (let round = 1; round <= ROUNDS; round++) {
        const row = page.locator(".row.selected:not(.done)");
        await project.until(async () => {
          if ((await row.count()) === 1 && (await page.locator(".answer").count()) === 1) return true;
          await page.keyboard.press("g");
          return false;
        }, "a decision in focus");
        const focus = ((await row.getAttribute("id")) ?? "").replace("row-", "");
        const number = 1 + (round % 2);
        await page.keyboard.press(String(number));
        await page.locator(`.answer input[value="${number}"]:checked`).first().waitFor();
        sent.length = 0;
        const others = waiting.filter((it) => it !== focus).slice(0, round % 3 === 0 ? 9 : 10);
        const settled = round % 3 === 0 ? [focus, ...others] : others;
        const [arrived] = await Promise.all([
          arrive(round, 50),
          ...settled.map((id) => answer(project, id).catch(() => {})), // the page may have been faster
          page.waitForTimeout((round * 7) % 90).then(() => page.keyboard.press("Enter")),
        ]);
        const allowed = [{ id: focus, choices: [[number]] }];
        for (const { id, choices } of sent) assert.deepEqual([{ id, choices }], allowed, `round ${round}`);
        assert.ok(sent.length <= 1, `round ${round}: sent ${sent.length} times`);
        answered += sent.length;
        const ids = arrived.map((it) => it.id as string);
        await call(project, "POST", "/decisions/resolve", { body: { ids: ids.slice(12), choices: [[1]] } });
        const gone = new Set([...settled, focus]);
        waiting = [...waiting.filter((it) => !gone.has(it)), ...ids.slice(0, 12)];
      }
      assert.ok(answered > ROUNDS / 4, `only ${answered} of ${ROUNDS} were answered: the race is no race`);
      page.troubles.length = 0; // lines about answers that came too late
    },
    ROUNDS * ROUND_MS,
  );
});
