/** The steps that need no dialog: output, commands, signals, and what a hostile agent would do. */

import { preToolUse } from "./hooks/json.ts";
import type { Step } from "./scenario/scenario.ts";
import { runShell } from "./shell.ts";
import type { Flow, Stage } from "./stage.ts";
import { commonOf, filled, newCall, pause, showBelow } from "./stage.ts";

type Of<T extends Step["type"]> = Extract<Step, { type: T }>;

const CHUNK = 64 * 1024;
const EXPECT_CODE = 70;

/** Numbered lines, or as many bytes, as fast as the terminal takes them. */
export async function pourOutput(stage: Stage, { lines, bytes }: Of<"output">): Promise<void> {
  function* parts(): Generator<string> {
    let chunk = "";
    let poured = 0;
    for (let n = 1; n <= lines || poured + chunk.length < bytes; n++) {
      chunk += `${n} the quick brown fox jumps over the lazy dog\r\n`;
      if (chunk.length < CHUNK) continue;
      poured += chunk.length;
      yield chunk;
      chunk = "";
      if (stage.abort.signal.aborted) return;
    }
    yield chunk;
  }
  await stage.ui.pour(parts());
}

export async function pourEscape(stage: Stage, text: string): Promise<void> {
  await stage.ui.pour([text]);
}

export async function runCommand(stage: Stage, command: string): Promise<void> {
  const { code, output } = await runShell(command, stage);
  stage.record("run", { command, code, output });
  showBelow(
    stage,
    `$ ${command}${output === "" ? "" : `\n${output.trimEnd().split("\n").slice(0, 10).join("\n")}`}`,
  );
}

/** `oj` is what OJ_BIN says, otherwise the one on the path. */
export async function signalDone(stage: Stage, { kind, message }: Of<"signal">): Promise<void> {
  const words = message === null ? [] : ["-m", filled(stage, message)];
  const { code, output } = await runShell('${OJ_BIN:-oj} agent signal "$@"', stage, [kind, ...words]);
  stage.record("signal", { signal: kind, code, output });
  showBelow(
    stage,
    `oj agent signal ${kind}: ${code === 0 ? "ok" : `exit code ${code}`}\n${output.trimEnd()}`,
  );
}

/** Fails loudly: the agent ends. */
export async function expectText(stage: Stage, { of, pattern }: Of<"expect">): Promise<Flow> {
  const text = stage.conversation.state.told[of];
  if (pattern.test(text)) return "on";
  stage.record("expect_failed", { of, text, pattern: pattern.source });
  showBelow(stage, `expected ${of} to match /${pattern.source}/, but it is: ${text}`);
  return stage.leave(EXPECT_CODE, "other");
}

export async function sendHook(stage: Stage, { body, event, headers }: Of<"hook">): Promise<void> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const reply = await stage.hooks
    .sendRaw(event, text, headers)
    .catch((error: Error) => ({ status: 0, text: error.message }));
  stage.record("hook_reply", { ...reply });
}

/** So many hooks a second, whatever becomes of them. */
export async function flood(stage: Stage, { per_second, seconds, body }: Of<"flood">): Promise<void> {
  const text = JSON.stringify(body ?? preToolUse(commonOf(stage), newCall("Bash", { command: "true" })));
  const total = per_second * seconds;
  const startedAt = performance.now();
  const counts = { sent: 0, ok: 0, failed: 0 };
  const under = new Set<Promise<void>>();
  while (counts.sent < total) {
    const due = Math.min(Math.floor(((performance.now() - startedAt) / 1000) * per_second) + 1, total);
    for (; counts.sent < due; counts.sent++) {
      const one = stage.hooks
        .sendRaw("PreToolUse", text, {})
        .then(({ status }) => void (status === 200 ? counts.ok++ : counts.failed++))
        .finally(() => under.delete(one));
      under.add(one);
    }
    if (!(await pause(stage, 5))) break;
  }
  await Promise.all(under);
  stage.record("flood", { ...counts, ms: Math.round(performance.now() - startedAt) });
}
