import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../../everything.ts";
import { agentStage, untilWithdrawn } from "../support/agents.ts";
import { ends } from "../support/answers.ts";
import { killDaemon } from "../support/http.ts";
import { showsLastLines } from "../support/last-lines.ts";

const SCRIPT = `#!/bin/bash
echo "what shall I do?"
while read -r line; do
  printf '%s\\n' "$line" >> "heard-$OJ_AGENT"
  case "$line" in
    overwrite) read -r -p "Overwrite config.json? [y/N] " yes; echo "you said $yes" | tee -a "heard-$OJ_AGENT" ;;
    bye) exit 4 ;;
    *) echo "did $line" ;;
  esac
done
`;

const PROGRAM = {
  scenario: "bash ./repl.sh",
  prompt: "first task",
  more: `idle_after = "2s"
    prompts = [{ match = "Overwrite .*\\\\? \\\\[y/N\\\\] *$", options = [{ label = "Yes", keys = "y Enter" }, { label = "No", keys = "n Enter" }] }]`,
};

describe("an agent that is any other program", () => {
  it("is told its task, is idle when silent, asks through its declared prompts, and gets answers typed", async () => {
    const stage = await agentStage({ repl: PROGRAM });
    stage.write({ "repl.sh": SCRIPT });
    const shown: boolean[] = [];
    await Promise.all(
      ["job", "crew"].map(async (kind) => {
        const run = kind === "job" ? await stage.job("repl") : await stage.crew("repl");
        const heard = () => {
          const file = path.join(stage.dir, `heard-${run.agent}`);
          return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n") : [];
        };
        await run.until(() => heard().length === 1, "its task");
        const idle = await run.asked("idle");
        shown.push(showsLastLines(idle, /did first task/));
        await run.answer(idle, "1", "-m", "overwrite");
        const prompt = await run.asked("approval");
        assert.equal(prompt.title, "Overwrite config.json? [y/N]");
        assert.deepEqual(
          prompt.options.map((it) => it.label),
          ["Yes", "No", "Cancel", "Dismiss"],
        );
        await run.answer(prompt, kind === "job" ? "1" : "2");
        const again = await run.asked("idle");
        shown.push(showsLastLines(again, new RegExp(`you said ${kind === "job" ? "y" : "n"}`)));
        await run.answer(again, "-m", "bye");
        const dead = await run.asked("dead");
        assert.match(dead.title, /exit code 4/);
        assert.deepEqual(heard(), [
          "first task",
          "overwrite",
          `you said ${kind === "job" ? "y" : "n"}`,
          "bye",
        ]);
        await run.answer(dead, "2");
        await ends("completed")(run);
      }),
    );
    assert.ok(shown.includes(true), "no card had the last lines");
  });

  also("gets one key for one answer, though it asks the very same again", async () => {
    const script = `for n in 1 2 3; do
      printf '\\033[H\\033[2J'; read -r -p "Overwrite it? [y/N] " yes; echo "$yes" >> said
    done
    sleep 600`;
    const stage = await agentStage({ asks: { ...PROGRAM, scenario: "bash ./asks.sh", prompt: null } });
    stage.write({ "asks.sh": script });
    const run = await stage.job("asks");
    const said = () => fs.readFileSync(path.join(stage.dir, "said"), "utf8");
    const first = await run.asked("approval");
    await run.answer(first, "1");
    const second = await run.asked("approval");
    assert.equal(said(), "y\n");
    await run.answer(second, "2");
    await run.asked("approval");
    assert.equal(said(), "y\nn\n");
  });

  also("raises a new question if it was answered and asks something else while no daemon runs", async () => {
    const script = `read -r -p "Overwrite staging? [y/N] " one
      read -r -p "Overwrite production? [y/N] " two
      echo "$one $two" > said
      sleep 600`;
    const stage = await agentStage({ asks: { ...PROGRAM, scenario: "bash ./asks.sh", prompt: null } });
    stage.write({ "asks.sh": script });
    const run = await stage.job("asks");
    const first = await run.asked("approval");
    assert.match(first.title, /staging/);
    await killDaemon(stage);
    await stage.press(run, "y", "Enter");
    await stage.shows(run, /production/);
    assert.equal((await stage.run("daemon", "start")).code, 0);
    await untilWithdrawn(stage, first.id);
    const second = await run.asked("approval");
    assert.match(second.title, /production/);
    await run.answer(second, "2");
    await run.until(() => fs.existsSync(path.join(stage.dir, "said")), "both answers");
    assert.equal(fs.readFileSync(path.join(stage.dir, "said"), "utf8"), "y n\n");
  });

  also("raises a question for its prompt if it was idle and asks while no daemon runs", async () => {
    const stage = await agentStage({ repl: PROGRAM });
    stage.write({ "repl.sh": SCRIPT });
    const run = await stage.job("repl");
    const idle = await run.asked("idle");
    await killDaemon(stage);
    await stage.press(run, "-l", "overwrite");
    await stage.press(run, "Enter");
    await stage.shows(run, /Overwrite config/);
    assert.equal((await stage.run("daemon", "start")).code, 0);
    await untilWithdrawn(stage, idle.id);
    await run.answer(await run.asked("approval"), "2");
    showsLastLines(await run.asked("idle"), /you said n/);
  });
});
