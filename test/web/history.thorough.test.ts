/** The page *History*: who decided what, found by its filters and taken elsewhere. */
import assert from "node:assert/strict";
import fs from "node:fs";
import { describe, it } from "vitest";
import type { DecisionView } from "../../src/api/api.ts";
import { also } from "../everything.ts";
import { agentStage } from "../specs/support/agents.ts";
import { call } from "../specs/support/http.ts";
import type { Project } from "../specs/support/project.ts";
import { ask, webProject } from "./support/asking.ts";
import type { Inbox } from "./support/browser.ts";
import { assertAccessible, DESK, inboxOf, noBrowser, SIZES } from "./support/browser.ts";

async function answeredBy(project: Project, id: string, user: string, choice: number): Promise<void> {
  const sent = { body: { choices: [[choice]] }, headers: { "x-oj-user": user, "x-oj-via": "cli" } };
  assert.equal((await call(project, "POST", `/decisions/${id}/resolve`, sent)).status, 200);
}

async function settledProject(): Promise<Project> {
  const project = await webProject();
  for (const [at, user] of ["ana", "ben", "ana", "zoe"].entries()) {
    const { id } = await ask(project, {
      as: `bot-${at}`,
      prompt: `Deploy ${at}?`,
      project: at < 2 ? "shop" : "mail",
    });
    await answeredBy(project, id, user, (at % 2) + 1);
  }
  await ask(project, { prompt: "=Waits?" });
  return project;
}

const titles = (page: Inbox) => page.locator(".row .row-title").allInnerTexts();

async function shows(project: Project, page: Inbox, wanted: string[]): Promise<void> {
  await project.until(
    async () => {
      const found = await titles(page);
      return JSON.stringify(found) === JSON.stringify(wanted) || Promise.reject(new Error(found.join(", ")));
    },
    `rows ${wanted.join(", ")}`,
  );
}

describe.skipIf(noBrowser)("the history", () => {
  it.each(SIZES)("is filtered by person, days, outcome, project and words, %s", async (_, size) => {
    const project = await settledProject();
    const page = await inboxOf(project, size);
    await page.getByRole("link", { name: "History" }).click();
    await shows(project, page, ["Deploy 3?", "Deploy 2?", "Deploy 1?", "Deploy 0?"]);
    assert.match(
      await page.locator(".row").first().innerText(),
      /No · zoe \(cli\) · not delivered yet · request · mail/,
    );
    await page.getByLabel("Person").selectOption("ana");
    await shows(project, page, ["Deploy 2?", "Deploy 0?"]);
    await page.getByLabel("Project").selectOption("shop");
    await shows(project, page, ["Deploy 0?"]);
    await assertAccessible(page, "the filters in use");
    await page.reload(); // the address has them
    await shows(project, page, ["Deploy 0?"]);
    assert.equal(await page.getByLabel("Person").inputValue(), "ana");
    await page.getByLabel("Person").selectOption("");
    await page.getByLabel("Project").selectOption("");
    await page.getByLabel("To", { exact: true }).fill("2020-01-01");
    await page.getByText("Nothing found.").waitFor();
    await page.getByLabel("To", { exact: true }).fill("");
    await page.getByLabel("From").fill("2020-01-01");
    await page.getByLabel("Outcome").selectOption("withdrawn");
    await page.getByText("Nothing found.").waitFor();
    await page.getByLabel("Outcome").selectOption("answered");
    await page.getByRole("searchbox").fill("deploy 1");
    await shows(project, page, ["Deploy 1?"]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, "nothing is wider than the screen");
  });

  it("is exported as it is filtered, as CSV and JSON", async () => {
    const project = await settledProject();
    const page = await inboxOf(project, DESK);
    await page.goto(`${new URL(page.url()).origin}/#/history?by=ana`);
    await shows(project, page, ["Deploy 2?", "Deploy 0?"]);
    const saved = async (format: string) => {
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: `Export as ${format}` }).click();
      const file = await download;
      assert.equal(file.suggestedFilename(), `decisions.${format.toLowerCase()}`);
      return fs.readFileSync(await file.path(), "utf8");
    };
    const csv = await saved("CSV");
    assert.match(csv, /^\ufeffid,project,source,/);
    assert.match(csv, /\r\n(dec-\w+),mail,request,medium,Deploy 2\?,[^\r]*,answered,Yes,,ana,cli,/);
    assert.equal(csv.trimEnd().split("\r\n").length, 3);
    const json = JSON.parse(await saved("JSON")) as DecisionView[];
    assert.deepEqual(
      json.map((it) => it.title),
      ["Deploy 2?", "Deploy 0?"],
    );
  });

  also("shows the answers of several questions beside their questions", async () => {
    const store = { question: "Which store?", header: "Store", options: ["Postgres", "SQLite"] };
    const name = { question: "Which name?", options: ["Oak", "Elm"] };
    const scenario = { turns: [[{ ask: [store, name] }, { signal: "done" }]] };
    const stage = await agentStage({ asks: { scenario } });
    const run = await stage.job("asks");
    await run.answer(await run.asked("question"), "2", "3", "--text", "Ash");
    const page = await inboxOf(stage, DESK);
    await page.getByRole("link", { name: "History" }).click();
    const row = page.getByRole("option", { name: /2 questions/ });
    await row.getByText("Store: SQLite; Which name?: Ash").waitFor();
    await row.getByText("ana (cli) · delivered").waitFor();
    await row.click();
    await page.getByRole("heading", { name: "Which name?" }).waitFor();
    const chosen = await page.locator(".asked li.chosen").allInnerTexts();
    assert.deepEqual(
      chosen.map((it) => it.replace(/\s*chosen$/, "")),
      ["SQLite", "Ash"],
    );
  });
});
