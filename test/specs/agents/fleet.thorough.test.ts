/** The fleet's screen in a real terminal: only what `tmux capture-pane` shows counts. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentStage } from "../support/agents.ts";
import { openTerminal } from "../support/terminal.ts";

const hangs = (words: string) => ({ turns: [[{ say: words }, { hang: 600_000 }]] });

describe("the fleet in the inbox", () => {
  it("lists who hangs and who works; peeks, attaches, sends, opens, and cancels after asking", async () => {
    const stage = await agentStage({
      stuck: { scenario: hangs("Off I go."), more: `hung_after = "3s"` },
      busy: { scenario: hangs("Counting the sheep.") },
    });
    const stuck = await stage.job("stuck");
    const { id } = await stuck.asked("idle");
    const terminal = await openTerminal(stage, ["decision", "watch"], { columns: 120, rows: 40 });
    await terminal.shows(/1 waiting for you/);
    await terminal.press("f");
    await terminal.shows(new RegExp(`The fleet: 1 hung\\n\\n▶ !  ${stuck.owner}  hung +\\w+  ${id} `));

    const busy = await stage.job("busy"); // arrives while the screen is open
    await terminal.shows(new RegExp(`▶ !  ${stuck.owner}[\\s\\S]*…  ${busy.owner} +working`));
    await terminal.press("j", "p");
    await terminal.shows(new RegExp(`${busy.agent}: its terminal, live[\\s\\S]*Counting the sheep`));
    await terminal.press("Escape");
    await terminal.shows(new RegExp(`The fleet[\\s\\S]*▶ …  ${busy.owner}`));

    await terminal.press("a");
    await terminal.shows(/^(?![\s\S]*The fleet)[\s\S]*Counting the sheep/);
    await terminal.press("C-b", "d");
    await terminal.shows(new RegExp(`The fleet[\\s\\S]*you were attached to ${busy.agent}`));

    await terminal.press("t");
    await terminal.shows(new RegExp(`to ${busy.agent}: ▏`));
    await terminal.type("and the goats");
    await terminal.press("Enter");
    await terminal.shows(new RegExp(`${busy.agent} gets it the next time it waits`));

    await terminal.press("x");
    await terminal.shows(new RegExp(`Cancel ${busy.owner}\\?`));
    await terminal.press("Escape");
    await terminal.shows(/The fleet/);
    assert.equal(busy.events("job:cancelled").length, 0);
    await terminal.press("x");
    await terminal.shows(new RegExp(`Cancel ${busy.owner}\\?`));
    await terminal.press("Enter");
    assert.equal(await busy.ended(), "cancelled");
    await terminal.shows(new RegExp(`The fleet: 1 hung\\n\\n▶ !  ${stuck.owner}`));

    await terminal.press("Enter");
    await terminal.shows(/▶.*Hung: no output[\s\S]*1 +Restart/);
    assert.equal((await stage.decision(id)).state, "pending");
    await terminal.press("q");
    await stage.until(terminal.isOver);
  });
});
