/** A dialog on the screen and an open hook at once: the first answer wins. */

import type { Permission, ToolCall } from "./hooks/json.ts";
import { notification, permissionOf, permissionRequest } from "./hooks/json.ts";
import type { Dialog, Outcome } from "./screen/dialog.ts";
import type { Stage } from "./stage.ts";
import { commonOf } from "./stage.ts";

export type Verdict =
  | { by: "hook"; permission: Permission }
  | { by: "keys"; outcome: Outcome }
  /** Nobody could be asked, and no hook said anything. */
  | { by: "nobody" };

const NOTIFY_AFTER_MS = 6000;

/** `needsInput`: allowing without an input does nothing, as for questions and plans. */
export async function decide(
  stage: Stage,
  call: ToolCall,
  dialog: Dialog,
  { needsInput, head }: { needsInput: boolean; head?: string },
): Promise<Verdict> {
  const held = stage.hooks.hold(permissionRequest(commonOf(stage), call));
  const asked = stage.ui.ask(dialog, head);
  const fromHook = held.answer.then((output) => {
    const permission = output && permissionOf(output);
    return permission && (!permission.allow || !needsInput || permission.input) ? permission : null;
  });
  if (!asked) {
    const permission = await fromHook;
    return permission ? { by: "hook", permission } : { by: "nobody" };
  }
  const notify = setTimeout(
    () =>
      void stage.hooks.send(
        notification(commonOf(stage), "permission_prompt", "Claude needs your permission"),
      ),
    NOTIFY_AFTER_MS,
  );
  const verdict = await new Promise<Verdict>((resolve) => {
    void asked.outcome.then((outcome) => resolve({ by: "keys", outcome }));
    void fromHook.then((permission) => {
      if (permission) resolve({ by: "hook", permission });
    });
  });
  clearTimeout(notify);
  asked.close();
  if (verdict.by === "keys") {
    if (closesConnection(verdict.outcome)) held.close();
    void fromHook.then((permission) => permission && stage.record("late_reply", { tool: call.name }));
  }
  return verdict;
}

/** After a yes or an answer the hook's connection stays open, and a late response is ignored. */
function closesConnection(outcome: Outcome): boolean {
  if (outcome.type === "accept") return outcome.mode === "clear";
  return outcome.type === "escape" || (outcome.type === "no" && outcome.message === null);
}
