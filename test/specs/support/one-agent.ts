/**
 * Everything that must be shown of a real client, with one agent that is started twice: a client takes seconds of a core
 * to start. Allowed, denied with a reason, asked, answered in the terminal first, idle, an error, the daemon killed with
 * a dialog open, death and resumption.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Decision, Run } from "./agents.ts";
import { untilWithdrawn } from "./agents.ts";
import { killDaemon } from "./http.ts";
import type { ClientStage, Model } from "./real-client.ts";

/** What the client's model can say, and where the client differs from others. */
export interface Cast<Step> {
  command(line: string): Step;
  says(words: string): Step;
  /** The model's API fails once, and then says this. */
  fails(next: Step): Step;
  /** Null if it has no questions; else with the words that answer it, and what the model hears. */
  asks: { step: Step; answer: string[]; hears: RegExp } | null;
  /** Null if it has no plan. */
  plans?: { steps: Step[]; show(run: Run): Promise<void> };
  /** Where the model reads the reason for a No: in the call's result, or in a prompt when the turn is over. */
  reason: "result" | "prompt";
  error: RegExp;
}

/** The script; its name is `all`. */
export function oneScript<Step>(cast: Cast<Step>): Step[] {
  const { command, says } = cast;
  return [
    command("touch one"),
    command("touch two"),
    ...(cast.asks ? [cast.asks.step] : []),
    ...(cast.plans?.steps ?? []),
    command("touch typed"),
    says("Turn 1."),
    ...(cast.reason === "prompt" ? [says("Turn 2.")] : []),
    cast.fails(command("touch kept")),
    command("touch made"),
    ...Array.from({ length: 9 }, () => says("Made.")), // it may have lost what it did before it was killed
  ];
}

export async function playAll<Step>(stage: ClientStage<Model>, cast: Cast<Step>): Promise<void> {
  const run = await stage.job("all");
  const acknowledged = async (it: Decision, ...words: string[]) =>
    assert.equal((await run.answer(it, ...words)).delivery.state, "acknowledged", it.title);
  let step = 0;
  const heard = async (what: RegExp) => assert.match(await stage.heard("all", step), what);

  const one = await run.asked("approval");
  assert.equal(one.title, "Bash: touch one");
  assert.equal(one.action?.input.command, "touch one");
  await acknowledged(one, "1");
  await acknowledged(await run.asked("approval"), "2", "-m", "Not in this folder.");
  step = 2;
  if (cast.reason === "result") await heard(/Not in this folder\./);
  if (cast.asks) {
    await acknowledged(await run.asked("question"), ...cast.asks.answer);
    step++;
    await heard(cast.asks.hears);
  }
  if (cast.plans) await cast.plans.show(run);
  step += cast.plans?.steps.length ?? 0;

  await typedFirst(stage, run);
  step += cast.reason === "prompt" ? 2 : 1;
  if (cast.reason === "prompt") await heard(/Not in this folder\./);

  const idle = await run.asked("idle");
  assert.match(idle.context, cast.reason === "prompt" ? /> Turn 2\./ : /> Turn 1\./);
  await acknowledged(idle, "1", "-m", "!go on\n\nMany lines 漢字");
  const failed = await run.asked("error");
  assert.match(failed.title, cast.error);
  await acknowledged(failed, "1", "-m", "Try again.");
  const kept = await run.asked("approval");
  step++;
  await heard(/Try again\./);
  await killDaemon(stage);
  await stage.run("daemon", "start");
  await acknowledged(kept, "1");
  await stage.until(() => stage.api.heard("all", step + 1) !== null, "the end of its call");
  const made = ["one", "two", "typed", "kept"].filter((it) => fs.existsSync(path.join(stage.dir, it)));
  assert.deepEqual(made, ["one", "typed", "kept"]);
  await restarted(stage, run);
}

/** Somebody who is attached is first. */
async function typedFirst(stage: ClientStage<Model>, run: Run): Promise<void> {
  const { id, title } = await run.asked("approval");
  assert.equal(title, "Bash: touch typed");
  await stage.shows(run, /touch typed[\s\S]*Do you want to proceed\?/);
  await stage.press(run, "1");
  assert.equal((await untilWithdrawn(stage, id)).reason, "answered in the terminal");
}

/** Killed with a dialog open. It goes on with its conversation, as far as it has saved it. */
async function restarted(stage: ClientStage<Model>, run: Run): Promise<void> {
  const { id } = await run.asked("approval");
  const pid = await stage.tmux("display-message", "-p", "-t", `=${run.agent}:`, "#{pane_pid}");
  process.kill(Number(pid), "SIGKILL");
  assert.equal((await untilWithdrawn(stage, id)).reason, "the agent exited");
  const before = stage.api.requests.length;
  const dead = await run.asked("dead");
  assert.equal((await run.answer(dead, "1", "-m", "You may.")).delivery.state, "acknowledged");
  for (;;) {
    const next = await run.asked();
    if (next.source === "idle") break;
    await run.answer(next, "1"); // it had not saved that it asked
  }
  // what it ran may have outlived it for a last request
  const told = stage.api.requests.slice(before).map((it) => it.heard);
  const all = JSON.stringify(told);
  assert.ok(
    told.some((it) => /killed by SIGKILL[\s\S]*You may\./.test(it)),
    all,
  );
  await run.answer(await run.asked("idle"), "2");
  assert.equal(await run.ended(), "completed");
}
