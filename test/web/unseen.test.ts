/**
 * Nothing is approved unseen: for every source, at both sizes, an answer that lets somebody act leaves the page only
 * after every line of what it is about was on screen.
 */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Cast, Stage } from "../specs/support/agents.ts";
import { agentStage } from "../specs/support/agents.ts";
import { undoAfter } from "../specs/support/settings.ts";
import { ask } from "./support/asking.ts";
import type { Inbox } from "./support/browser.ts";
import { inboxOf, noBrowser, SIZES } from "./support/browser.ts";
import { answersOf, marked, marksInSight } from "./support/sight.ts";

const LINES = 70;
const { text: LONG, marks: ALL } = marked(LINES, (mark) => `- ${mark}`);
const COMMAND = marked(LINES, (mark) => `echo ${mark} && sleep 0`).text;
const PLAN = `# Plan\n\n${marked(LINES, (mark) => `- step ${mark}`).text}`;
const PRINTS = `sh -c 'for n in $(seq 1 ${LINES}); do echo "FAIL mark-$n"; done; exit 1'`;

const CAST: Record<string, Cast> = {
  idle: { scenario: { turns: [[{ say: LONG }]] } },
  dead: { scenario: { turns: [[{ say: LONG }, { crash: 7 }]] } },
  error: { scenario: { turns: [[{ say: LONG }, { error: "rate_limit" }]] } },
  gate: {
    scenario: { turns: [[{ say: "Done?" }]] },
    more: `on_idle = { action = "gate", run = ${JSON.stringify(PRINTS)} }`,
  },
  approval: { scenario: { turns: [[{ tool: "Bash", input: { command: COMMAND } }]] } },
  question: { scenario: { turns: [[{ ask: { question: `Which?\n${LONG}`, options: ["Oak", "Elm"] } }]] } },
  plan: { scenario: { turns: [[{ plan: PLAN }]] } },
};

const STEP = `
command "release" { run = { job = "release" } }
job "release" {
  step "confirm" {
    decision {
      prompt  = "Release?"
      context = "seq -f '- mark-%g' 1 ${LINES}"
      option "go" { label = "Go" }
      option "stop" {
        label  = "Stop"
        action = "cancel"
      }
    }
  }
}`;

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

async function stageOfAll(): Promise<{ stage: Stage; ids: Map<string, string> }> {
  const stage = await agentStage(CAST, { ...undoAfter(0), runbook: STEP });
  await Promise.all(Object.keys(CAST).map((name) => stage.job(name)));
  await stage.run("run", "release");
  await ask(stage, { prompt: "Ship it?", context: LONG });
  const asked = (source: string) =>
    stage.until(
      () => stage.events.find((it) => it.type === "decision:created" && it.source === source)?.id,
      `a decision of ${source}`,
    );
  const pairs = Object.keys(TABLE).map(async (it): Promise<[string, string]> => [it, await asked(it)]);
  return { stage, ids: new Map(await Promise.all(pairs)) };
}

describe.skipIf(noBrowser)("what has not been on screen", () => {
  it.each(SIZES)(
    "is not approved, whatever asks, %s",
    async (_, size) => {
      const { stage, ids } = await stageOfAll();
      const page = await inboxOf(stage, size);
      for (const [source, { number, whole }] of Object.entries(TABLE)) {
        const id = ids.get(source) ?? assert.fail(source);
        const seen = await approve(page, id, number);
        const lines = whole ? ALL : seen.shown;
        assert.deepEqual(
          lines.filter((it) => !seen.before.has(it)),
          [],
          `${source}: not on screen before its answer`,
        );
        process.stdout.write(`    ${source}: ${lines.length} lines, ${seen.refused} times too early\n`);
      }
    },
    300_000,
  );
});

/** Tries to approve at every stop, and reads on. What had been on screen before the answer left, and what there was. */
async function approve(page: Inbox, id: string, number: number) {
  const sent = answersOf(page);
  const before = new Set<string>();
  await page.goto(`${new URL(page.url()).origin}/#/decision/${id}`);
  await page.locator(`#title-${id}`).waitFor();
  const shown = (await page.locator(".matter").innerText()).match(/mark-\d+/g) ?? [];
  const look = async () => {
    for (const it of await marksInSight(page)) before.add(it);
  };
  await look();
  await page.keyboard.press(`${number}`); // on a phone this jumps to the options, past everything
  for (let refused = 0; ; refused++) {
    assert.ok(refused < 40, "it comes to an end");
    await look();
    await page.keyboard.press("Enter");
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve))); // whatever the key did has been done
    if (sent.some((it) => it.id === id)) return { before, shown, refused };
    await look(); // the key may have pressed the button, which reads on
    const readOn = page.getByRole("button", { name: "Read on" });
    if ((await readOn.count()) > 0) await readOn.click();
  }
}
