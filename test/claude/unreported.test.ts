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
import { also } from "./everything.ts";
import type { Step } from "./model-api.ts";
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
  /** Settings without it work the same way, so `npm test` leaves them out. */
  isTried?: true;
}

const SETTINGS: Record<string, Setting> = {
  "all hooks switched off by the person": {
    user: { disableAllHooks: true },
    silent: { off: "all", by: /^disableAllHooks in .*\/claude\/settings\.json$/ },
  },
  "HTTP hooks forbidden by the person": { user: { allowedHttpHookUrls: [] }, silent: null },
  "all hooks switched off by the company": {
    managed: { disableAllHooks: true },
    silent: { off: "all", by: null },
  },
  "HTTP hooks forbidden by the company": {
    managed: { allowedHttpHookUrls: [] },
    silent: { off: "http", by: null },
    isTried: true,
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
  describeClaude(`with ${name}`, () => {
    const first = setting.isTried ? it : also;
    first("asks for permission, and gets a Yes, a Yes with a remark, or a No with a reason", async () => {
      const commands = ["touch one", "touch two", "touch three"];
      const stage = await stageOf(setting, {
        asks: { script: [...commands.map((it) => bash(it)), text("All done.")] },
      });
      const run = await stage.job("asks");
      await isSaid(stage, run, setting);
      const answers = [["1"], ["1", "-m", "Then test it."], ["2", "-m", "Not in this folder."]];
      for (const [at, words] of answers.entries()) {
        const decision = await run.asked("approval");
        assert.equal(decision.title, `Bash: ${commands[at]}`);
        assert.deepEqual(decision.action?.input, { command: commands[at], description: "a test" });
        const labels = decision.options.map((it) => it.label);
        assert.deepEqual(labels, ["Approve", "Deny", "Cancel", "Dismiss"]);
        assert.equal((await run.answer(decision, ...words)).delivery.state, "acknowledged");
      }
      assert.equal(await run.ended(), "completed");
      assert.equal(await stage.heard("asks", 1), "(Bash completed with no output)");
      // as text, a remark may come a step later
      const told = (await stage.heard("asks", 2)) + (await stage.heard("asks", 3));
      assert.match(told, /^\(Bash completed with no output\)[\s\S]*Then test it\./);
      assert.match(await stage.heard("asks", 3), /\[error\] [\s\S]*Not in this folder\.$/);
    });

    also("asks several questions, and gets several choices and a free answer", async () => {
      const [both] = asks(store, parts);
      const stage = await stageOf(setting, { asks: { script: [both ?? text("?"), ...asks(store)] } });
      const run = await stage.crew("asks");
      const decision = await run.asked("question");
      assert.equal(decision.title, "2 questions: Which database should we use?");
      assert.equal((await run.answer(decision, "2", "1,3")).delivery.state, "acknowledged");
      assert.match(
        await stage.heard("asks", 1),
        /"Which database should we use\?"="Postgres", "Which features do you want\?"="Auth, Export"/,
      );
      await run.answer(await run.asked("question"), "3", "--text", "DuckDB, please");
      assert.match(await stage.heard("asks", 2), /"Which database should we use\?"="DuckDB, please"/);
      assert.equal(await run.ended(), "completed");
    });

    also("presents a plan, which is accepted in each mode or revised", async () => {
      const again = (of: string) => {
        const [write, present, end] = plans(`${of}-built`) as [Step, Step, Step];
        return [write, present, present, end];
      };
      const role = (of: string, script: Step[]) => ({
        run: "claude --permission-mode plan",
        script,
        also: { [`${of}-built`]: [text("Built.")] },
        more: "",
      });
      const stage = await stageOf(setting, {
        clear: role("clear", plans("clear-built")),
        manual: role("manual", again("manual")),
      });
      const answer = async (of: string, ...all: string[][]) => {
        const run = await stage.job(of);
        for (const words of all) {
          const decision = await run.asked("plan");
          assert.equal(String(decision.action?.input.plan).trim(), planText(`${of}-built`).trim());
          assert.equal((await run.answer(decision, ...words)).delivery.state, "acknowledged");
        }
        return run;
      };
      const [cleared] = await Promise.all([
        answer("clear", ["1"]),
        answer("manual", ["4", "-m", "Add tests."], ["3"]),
      ]);
      assert.match(await stage.heard("clear-built", 0), /Implement the following plan:\n\n# Plan/);
      assert.match(await stage.heard("manual", 2), /^\[error\] [\s\S]*Add tests\.$/);
      assert.match(await stage.heard("manual", 3), /^User has approved your plan\./);
      await cleared?.asked("idle");
    });

    also("stops, fails or dies: oj notices each, and what it is told next reaches it", async () => {
      const stage = await stageOf(setting, {
        stops: { script: [text("All is done."), { status: 429, next: text("Well.") }], more: "" },
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
        const limited = await run.asked("error");
        assert.match(limited.title, /^Rate limited: /);
        const again = await run.answer(limited, "1", "-m", "Try again.");
        assert.equal(again.delivery.state, "acknowledged");
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
      await Promise.all([stops(), dies()]);
    });
  });
}
