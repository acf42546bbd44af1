/**
 * Clients whose hooks a person or a company has switched off: oj still notices every source, and the answer to it still
 * reaches the model.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import type { Run } from "../specs/support/agents.ts";
import { describeClaude } from "./describe.ts";
import { EVERYTHING } from "./everything.ts";
import { bash, text } from "./model-api.ts";
import { asks, parts, plans, planText, store } from "./scripts.ts";
import type { ClaudeStage, Role } from "./stage.ts";
import { claudeStage } from "./stage.ts";

interface Setting {
  /** The person's settings file. */
  user?: object;
  /** The company's settings, which the client takes from whoever starts it. */
  managed?: object;
  silent: { off: "all" | "http"; by: RegExp | null } | null;
  /** Settings without it work the same way, so `npm test` only tries their first source. */
  isWhole?: true;
}

const SETTINGS: Record<string, Setting> = {
  "all hooks switched off by the person": {
    user: { disableAllHooks: true },
    silent: { off: "all", by: /^disableAllHooks in .*\/claude\/settings\.json$/ },
    isWhole: true,
  },
  "HTTP hooks forbidden by the person": { user: { allowedHttpHookUrls: [] }, silent: null },
  "all hooks switched off by the company": {
    managed: { disableAllHooks: true },
    silent: { off: "all", by: null },
  },
  "HTTP hooks forbidden by the company": {
    managed: { allowedHttpHookUrls: [] },
    silent: { off: "http", by: null },
    isWhole: true,
  },
};

async function stageOf(setting: Setting, roles: Record<string, Role>): Promise<ClaudeStage> {
  const managed = setting.managed ? ` --managed-settings '${JSON.stringify(setting.managed)}'` : "";
  const cast = Object.entries(roles).map(([name, role]) => [
    name,
    { ...role, run: (role.run ?? "claude").replace(/^claude/, `claude${managed}`) },
  ]);
  const stage = await claudeStage(Object.fromEntries(cast));
  if (setting.user)
    fs.writeFileSync(path.join(stage.home, "claude/settings.json"), JSON.stringify(setting.user));
  return stage;
}

/**
 * Checks that oj says within seconds that the agent does not report, why, and what that costs; or that it says nothing.
 */
async function isSaid(stage: ClaudeStage, run: Run, { silent }: Setting): Promise<void> {
  if (silent === null) return assert.equal(run.events("agent:silent").length, 0);
  const [said] = await run.until(() => {
    const all = run.events("agent:silent");
    return all.length > 0 && all;
  }, "that it does not report");
  assert.equal(said?.off, silent.off);
  assert.match(String(said?.by), silent.by ?? /^null$/);
  const { stdout } = await stage.run("agent", "show", run.agent);
  assert.match(stdout.replace(/\s+/g, " "), /oj reads its screen and its conversation file instead/);
}

for (const [name, setting] of Object.entries(SETTINGS)) {
  const also = it.runIf(EVERYTHING || setting.isWhole);
  describeClaude(`with ${name}`, () => {
    it("asks for permission, and gets a Yes, a Yes with a remark, or a No with a reason", async () => {
      const script = [bash("touch made"), text("All done.")];
      const stage = await stageOf(setting, { yes: { script }, remark: { script }, no: { script } });
      const answer = async (role: string, ...words: string[]) => {
        const run = await stage.job(role);
        await isSaid(stage, run, setting);
        const decision = await run.asked("approval");
        assert.equal(decision.title, "Bash: touch made");
        assert.deepEqual(decision.action?.input, { command: "touch made", description: "a test" });
        const labels = decision.options.map((it) => it.label);
        assert.deepEqual(labels, ["Approve", "Deny", "Cancel", "Dismiss"]);
        assert.equal((await run.answer(decision, ...words)).delivery.state, "acknowledged");
        assert.equal(await run.ended(), "completed");
        return stage.heard(role, 1);
      };
      const heard = await Promise.all([
        answer("yes", "1"),
        answer("remark", "1", "-m", "Then test it."),
        answer("no", "2", "-m", "Not in this folder."),
      ]);
      assert.equal(heard[0], "(Bash completed with no output)");
      assert.match(heard[1] ?? "", /^\(Bash completed with no output\)[\s\S]*Then test it\.$/);
      assert.match(heard[2] ?? "", /^\[error\] [\s\S]*Not in this folder\.$/);
    });

    also("asks several questions, and gets several choices and a free answer", async () => {
      const stage = await stageOf(setting, {
        both: { script: asks(store, parts) },
        own: { script: asks(store) },
      });
      const both = async () => {
        const run = await stage.job("both");
        const decision = await run.asked("question");
        assert.equal(decision.title, "2 questions: Which database should we use?");
        assert.equal((await run.answer(decision, "2", "1,3")).delivery.state, "acknowledged");
        assert.match(
          await stage.heard("both", 1),
          /"Which database should we use\?"="Postgres", "Which features do you want\?"="Auth, Export"/,
        );
        assert.equal(await run.ended(), "completed");
      };
      const own = async () => {
        const run = await stage.crew("own");
        const decision = await run.asked("question");
        await run.answer(decision, "3", "--text", "DuckDB, please");
        assert.match(await stage.heard("own", 1), /"Which database should we use\?"="DuckDB, please"/);
        assert.equal(await run.ended(), "completed");
      };
      await Promise.all([both(), own()]);
    });

    also("presents a plan, which is accepted in each mode or revised", async () => {
      const role = (of: string) => ({
        run: "claude --permission-mode plan",
        script: plans(`${of}-built`),
        also: { [`${of}-built`]: [text("Built.")] },
        more: "",
      });
      const stage = await stageOf(setting, {
        clear: role("clear"),
        manual: role("manual"),
        revise: role("revise"),
      });
      const answer = async (of: string, ...words: string[]) => {
        const run = await stage.job(of);
        const decision = await run.asked("plan");
        assert.equal(String(decision.action?.input.plan).trim(), planText(`${of}-built`).trim());
        assert.equal((await run.answer(decision, ...words)).delivery.state, "acknowledged");
        return run;
      };
      const [cleared] = await Promise.all([
        answer("clear", "1"),
        answer("manual", "3"),
        answer("revise", "4", "-m", "Add tests."),
      ]);
      assert.match(await stage.heard("clear-built", 0), /Implement the following plan:\n\n# Plan/);
      assert.match(await stage.heard("manual", 2), /^User has approved your plan\./);
      assert.match(await stage.heard("revise", 2), /^\[error\] [\s\S]*Add tests\.$/);
      await cleared?.asked("idle");
    });

    also("stops, fails or dies: oj notices each, and what it is told next reaches it", async () => {
      const stage = await stageOf(setting, {
        stops: { script: [text("All is done."), text("Well.")], more: "" },
        limited: { script: [{ status: 429, next: text("Well.") }], more: "" },
        // the model hears about the interrupted call in a step of its own
        dies: { script: [bash("touch made"), text("Cut off."), text("Back.")], more: "" },
      });
      const stops = async () => {
        const run = await stage.job("stops");
        const decision = await run.asked("idle");
        assert.match(decision.context, /Its last message:\n> All is done\./);
        const taken = await run.answer(decision, "1", "-m", "One more thing.");
        assert.equal(taken.delivery.state, "acknowledged");
        assert.match(await stage.heard("stops", 1), /One more thing\./);
        await run.asked("idle");
      };
      const limited = async () => {
        const run = await stage.job("limited");
        const decision = await run.asked("error");
        assert.match(decision.title, /^Rate limited: /);
        const taken = await run.answer(decision, "1", "-m", "Try again.");
        assert.equal(taken.delivery.state, "acknowledged");
        await run.asked("idle");
      };
      const dies = async () => {
        const run = await stage.job("dies");
        await run.asked("approval");
        const pid = await stage.tmux("list-panes", "-t", `=${run.agent}:`, "-F", "#{pane_pid}");
        process.kill(Number(pid), "SIGKILL");
        const taken = await run.answer(await run.asked("dead"), "1", "-m", "Go on without it.");
        assert.equal(taken.delivery.state, "acknowledged");
        assert.match(await stage.heard("dies", 2), /Go on without it\./);
        await run.asked("idle");
      };
      await Promise.all([stops(), limited(), dies()]);
    });
  });
}
