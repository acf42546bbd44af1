/**
 * Nothing is approved unseen: for every source, at both sizes, an answer that lets somebody act leaves the page only
 * after every line of what it is about was on screen.
 */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Cast, Stage } from "../specs/support/agents.ts";
import { agentStage } from "../specs/support/agents.ts";
import { undoAfter } from "../specs/support/settings.ts";
import { ask, decisionOf, untilAnswered } from "./support/asking.ts";
import type { Inbox } from "./support/browser.ts";
import { clicked, inboxOf, noBrowser, SIZES } from "./support/browser.ts";
import { recordInPage } from "./support/recorder.ts";

const LINES = 70;

/** The option that lets somebody act; `whole`: all the lines must be there, and not only the telling ones. */
const TABLE = {
  approval: { number: 1, whole: true },
  plan: { number: 1, whole: true },
  question: { number: 1, whole: true },
  step: { number: 1, whole: true },
  request: { number: 1, whole: true },
  idle: { number: 2, whole: true },
  gate: { number: 2, whole: false },
  dead: { number: 2, whole: false },
  error: { number: 2, whole: false },
} as const;

type Source = keyof typeof TABLE;

/** Each source has lines with numbers of its own. */
const firstOf = (source: Source) => 1000 * (1 + Object.keys(TABLE).indexOf(source));

function marksOf(source: Source): string[] {
  return Array.from({ length: LINES }, (_, at) => `mark-${firstOf(source) + at}`);
}

function lines(source: Source, begin = "- "): string {
  return marksOf(source)
    .map((it) => begin + it)
    .join("\n");
}

/** Shell that prints the lines. */
function prints(source: Source, begin: string): string {
  return `seq -f '${begin}mark-%.0f' ${firstOf(source)} ${firstOf(source) + LINES - 1}`;
}

const CAST: Partial<Record<Source, Cast>> = {
  idle: { scenario: { turns: [[{ say: lines("idle") }]] } },
  dead: { scenario: { turns: [[{ say: lines("dead") }, { crash: 7 }]] } },
  error: { scenario: { turns: [[{ say: lines("error") }, { error: "rate_limit" }]] } },
  gate: {
    scenario: { turns: [[{ say: "Done?" }]] },
    more: `on_idle = { action = "gate", run = ${JSON.stringify(`${prints("gate", "FAIL ")}; exit 1`)} }`,
  },
  approval: { scenario: { turns: [[{ tool: "Bash", input: { command: lines("approval", "echo ") } }]] } },
  question: {
    scenario: { turns: [[{ ask: { question: `Which?\n${lines("question")}`, options: ["Oak", "Elm"] } }]] },
  },
  plan: { scenario: { turns: [[{ plan: `# Plan\n\n${lines("plan")}` }]] } },
};

const STEP = `
command "release" { run = { job = "release" } }
job "release" {
  step "confirm" {
    decision {
      prompt  = "Release?"
      context = ${JSON.stringify(prints("step", "- "))}
      option "go" { label = "Go" }
      option "stop" {
        label  = "Stop"
        action = "cancel"
      }
    }
  }
}`;

async function stageOfAll(): Promise<{ stage: Stage; ids: Map<Source, string> }> {
  const stage = await agentStage(CAST as Record<string, Cast>, { ...undoAfter(0), runbook: STEP });
  await Promise.all(Object.keys(CAST).map((name) => stage.job(name)));
  await stage.run("run", "release");
  await ask(stage, { prompt: "Ship it?", context: lines("request") });
  const asked = (source: Source) =>
    stage.until(
      () => stage.events.find((it) => it.type === "decision:created" && it.source === source)?.id,
      `a decision of ${source}`,
    );
  const pairs = (Object.keys(TABLE) as Source[]).map(
    async (it): Promise<[Source, string]> => [it, await asked(it)],
  );
  return { stage, ids: new Map(await Promise.all(pairs)) };
}

describe.skipIf(noBrowser)("what has not been on screen", () => {
  it.each(SIZES)(
    "is not approved, whatever asks, %s",
    async (_, size) => {
      const { stage, ids } = await stageOfAll();
      const page = await inboxOf(stage, size);
      await page.addInitScript(recordInPage);
      await page.reload();
      for (const [source, id] of ids) {
        const { number, whole } = TABLE[source];
        const { shown, seen, tries } = await approve(page, id, number);
        const expected = whole ? marksOf(source) : shown;
        const unseen = expected.filter((it) => !seen.has(it));
        assert.deepEqual(unseen, [], `${source}: not on screen before its answer`);
        process.stdout.write(`    ${source}: ${expected.length} lines, ${tries} times too early\n`);
      }
    },
    300_000,
  );
});

/** Tries to approve at every stop, and reads on. What there was, and what had been on screen when the answer left. */
async function approve(page: Inbox, id: string, number: number) {
  await page.goto(`${new URL(page.url()).origin}/#/decision/${id}`);
  await page.locator(`#title-${id}`).waitFor();
  const shown: string[] = (await page.locator(".matter").innerText()).match(/mark-\d+/g) ?? [];
  await page.keyboard.press(`${number}`); // on a phone this jumps to the options, past everything
  for (let tries = 0; ; tries++) {
    assert.ok(tries < 40, "it comes to an end");
    await page.keyboard.press("Enter");
    const sent = await page.evaluate((id) => window.sent.find((it) => it.ids.includes(id)), id);
    if (sent) return { shown, seen: new Set(sent.seen), tries };
    await clicked(page.getByRole("button", { name: "Read on" })); // unless the answer has left in the meantime
  }
}

describe.skipIf(noBrowser)("on a narrow page", () => {
  it("a key for the decision behind the list opens it, and answers nothing", async () => {
    const asks = { tool: "Bash", input: { command: "touch asked" } };
    const stage = await agentStage({ asks: { scenario: { turns: [[asks, { signal: "done" }]] } } });
    const run = await stage.job("asks");
    const { id, title } = await run.asked("approval");
    const page = await inboxOf(stage, { viewport: { width: 700, height: 800 } });
    const card = page.getByRole("heading", { name: title });
    await page.getByRole("option", { name: title }).waitFor();
    assert.equal(await card.isVisible(), false);
    await page.keyboard.press("2");
    await card.waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("choose an option first").filter({ visible: true }).first().waitFor();
    assert.equal((await decisionOf(stage, id)).state, "pending");
    await page.keyboard.press("2");
    await page.keyboard.press("Enter");
    assert.deepEqual((await untilAnswered(stage, id)).answer?.labels, ["Deny"]);
  });
});
