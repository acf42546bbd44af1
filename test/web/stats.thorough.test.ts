/** The page of figures, as a person reads it: every number equals what `oj stats` says. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { describe, it } from "vitest";
import type { StatsView } from "../../src/api/api.ts";
import { spanWords } from "../../src/inbox/figures.ts";
import { call } from "../specs/support/http.ts";
import { reachProject } from "../specs/support/reach.ts";
import { answer, ask } from "./support/asking.ts";
import { assertAccessible, inboxOf, noBrowser, SIZES } from "./support/browser.ts";

const PEOPLE = `
[person.ana]
[person.ben]
[channel.exec.pager]
command = ["true"]
[[route]]
notify = ["ana", "ben"]
via    = ["exec.pager"]
`;

/** Two projects: answered by two people, dismissed, expired with its default, and one that waits. */
async function busy() {
  const project = await reachProject(PEOPLE);
  const nobody = { id: await project.ask("Nobody there?", "--deadline", "1s", "--default", "no") };
  const [first, second, third] = [
    await ask(project, { prompt: "Deploy build 1?" }),
    await ask(project, { prompt: "Deploy build 2?" }),
    await ask(project, { prompt: "Delete it?", project: "bank" }),
  ];
  const pending = await ask(project, { prompt: "Who pays?" });
  await answer(project, first.id);
  const ben = { headers: { "x-oj-user": "ben" }, body: { choices: [[2]] } };
  assert.equal((await call(project, "POST", `/decisions/${second.id}/resolve`, ben)).status, 200);
  const dismissed = { body: { option: "dismiss" } };
  assert.equal((await call(project, "POST", `/decisions/${third.id}/resolve`, dismissed)).status, 200);
  const told = async () =>
    (await project.show(pending.id)).notices.filter((it) => it.state === "sent").length;
  await project.until(async () => (await told()) === 2, "both are told of what waits");
  const isQuiet = async ({ id }: { id: string }) =>
    (await project.show(id)).notices.every((it) => it.state !== "owed");
  const all = [nobody, first, second, third];
  await project.until(
    async () => (await Promise.all(all.map(isQuiet))).every(Boolean),
    "nobody is owed a word",
  );
  return project;
}

/** The rows of the table behind a plot. */
async function numbersOf(page: Page, title: string): Promise<string[][]> {
  const plot = page.getByRole("region", { name: title, exact: true });
  const table = plot.getByRole("table");
  if (!(await table.isVisible())) await plot.getByText("The numbers").click();
  return table
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));
}

const words = (rows: readonly (readonly (string | number)[])[]) => rows.map((row) => row.map(String));

async function totalsOf(page: Page): Promise<Map<string, string>> {
  const rows = await page
    .locator(".totals > div")
    .evaluateAll((all) => all.map((it) => [...it.children].map((one) => one.textContent ?? "")));
  return new Map(rows.map(([name = "", text = ""]) => [name, text]));
}

describe.skipIf(noBrowser)("the figures", () => {
  it.each(SIZES)("are those of oj stats, in plots and in the tables behind them, %s", async (_, size) => {
    const project = await busy();
    const page = await inboxOf(project, size);
    await page.getByRole("link", { name: "Stats" }).click();
    await page.locator(".totals").getByText("1 by default").waitFor();
    const stats = await project.json<StatsView>("stats");
    const totals = await totalsOf(page);
    for (const name of ["asked", "answered", "withdrawn", "dismissed", "superseded"] as const)
      assert.equal(totals.get(name[0]?.toUpperCase() + name.slice(1)), String(stats[name]), name);
    assert.equal(totals.get("Expired"), `${stats.expired} 1 by default`);
    const { median_ms, p90_ms } = stats.times.answer;
    assert.equal(totals.get("Answer"), `${spanWords(median_ms ?? 0)} p90 ${spanWords(p90_ms ?? 0)}`);
    assert.deepEqual(
      await numbersOf(page, "Decisions per day"),
      words(
        stats.days.map((it) => [
          it.day,
          it.asked,
          it.answered,
          it.expired,
          it.withdrawn,
          it.dismissed,
          it.superseded,
        ]),
      ),
    );
    assert.deepEqual(
      await numbersOf(page, "Time to the answer"),
      words(
        stats.by_source
          .filter((it) => it.answer.count > 0)
          .map(({ name, answer: took }) => [
            name,
            spanWords(took.median_ms ?? 0),
            spanWords(took.p90_ms ?? 0),
            took.count,
          ]),
      ),
    );
    const answers = await numbersOf(page, "Who answers where");
    assert.deepEqual(answers, words(stats.answers.map((it) => [it.person, it.channel, it.answered])));
    assert.equal(answers.length, 2, "two people answered");
    const interruptions = await numbersOf(page, "Interruptions");
    assert.deepEqual(
      interruptions,
      words(stats.interruptions.map((it) => [it.person, it.count, ...it.hours])),
    );
    assert.deepEqual(
      interruptions.map(([person]) => person),
      ["ana", "ben"],
    );
    assert.deepEqual(await numbersOf(page, "Expired"), [["request", "1", "1", "0"]]);
    await assertAccessible(page, "the figures");
    const isWide = await page.locator(".page").evaluate((it) => it.scrollWidth > it.clientWidth);
    assert.equal(isWide, false, "nothing sticks out");
    await page.getByRole("combobox", { name: "Project" }).selectOption("bank");
    await page.waitForFunction(() => document.querySelector(".totals dd")?.textContent === "1");
    const bank = await project.json<StatsView>("stats", "--project", "bank");
    assert.deepEqual([bank.asked, bank.dismissed], [1, 1]);
    assert.equal((await totalsOf(page)).get("Dismissed"), "1");
    await page.getByLabel("From").fill("2031-01-01");
    await page.getByText("Nothing was asked, and nothing ended.").waitFor();
    assert.equal((await totalsOf(page)).get("Asked"), "0");
  });
});
