/** Records what a real client and we say to each other in one play: `OJ_SAVE_RECORDED=1` writes it to the fixtures. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Stage } from "./agents.ts";

export const RECORDS = process.env.OJ_SAVE_RECORDED === "1";
const TAP = path.join(import.meta.dirname, "../../fakes/clients/tap.mjs");
const FIXTURES = path.join(import.meta.dirname, "../../fixtures/recorded");

/** A program of that name, found before the real one, which writes down what goes through it. */
export function tapped(
  { home, env }: Pick<Stage, "home" | "env">,
  how: "hook" | "acp" | "serve",
  name: string,
): void {
  const real = (env.PATH ?? "")
    .split(":")
    .map((it) => path.join(it, name))
    .find((it) => fs.existsSync(it));
  const bin = path.join(home, "tapped");
  fs.mkdirSync(bin, { recursive: true });
  const line = `exec "${process.execPath}" "${TAP}" ${how} "${home}/recorded.jsonl" "${real}" "$@"`;
  fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  env.PATH = `${bin}:${env.PATH}`;
}

/** A Yes, a No with a reason, the second option of a question, the end of the turn; then an error. */
export async function played(stage: Stage, asksQuestion: boolean): Promise<void> {
  const run = await stage.job("plays");
  await run.answer(await run.asked("approval"), "1");
  await run.answer(await run.asked("approval"), "2", "-m", "Not here.");
  if (asksQuestion) await run.answer(await run.asked("question"), "2");
  assert.equal(await run.ended(), "completed");
  const failing = await stage.job("fails");
  await failing.answer(await failing.asked("error"), "2");
}

/** What opencode says about itself, again and again. */
const NOISE =
  /"type":"(plugin|catalog|reference|integration|server|session)\.(added|updated|heartbeat|diff|created)"/;

/** What was recorded, with names that are the same for everybody. */
export function saved({ home, dir }: Stage, name: string): void {
  const lines = fs
    .readFileSync(path.join(home, "recorded.jsonl"), "utf8")
    .replaceAll(dir, "/home/ana/shop")
    .replaceAll(home, "/home/ana")
    .replace(/-tmp-oj-run-\w+-oj-spec-\w+/g, "-home-ana")
    .replace(/tmp\/oj-run-\w+\/oj-spec-\w+/g, "home/ana")
    .split("\n");
  const kept = lines.filter((it) => !NOISE.test(it) && !it.includes("available_commands_update"));
  fs.writeFileSync(path.join(FIXTURES, `${name}.jsonl`), kept.join("\n"));
}
