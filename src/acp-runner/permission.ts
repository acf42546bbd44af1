/** `session/request_permission`: a dialog on the screen and an open hook at once; the first answer wins. */
import type { ToolCall } from "../scripted-agent/hooks/json.ts";
import { beforeTool, preToolUse } from "../scripted-agent/hooks/json.ts";
import { keepCall } from "../scripted-agent/hooks/transcript.ts";
import { decide } from "../scripted-agent/permission.ts";
import { approvalDialog } from "../scripted-agent/screen/make-dialog.ts";
import { commonOf, newCall, reportCall, showBelow } from "../scripted-agent/stage.ts";
import type { Called } from "./calls.ts";
import { calledBy, wordsIn } from "./calls.ts";
import type { PermissionOption } from "./options.ts";
import { CANCELLED, isApproval, optionOf, optionsIn, selected } from "./options.ts";
import { askAll } from "./questions.ts";
import type { Session } from "./session.ts";
import { flush } from "./updates.ts";
import type { Params } from "./wire/rpc.ts";
import { isObject, textOf } from "./wire/rpc.ts";

export async function requestPermission(session: Session, params: Params): Promise<object> {
  const options = optionsIn(params);
  const given = isObject(params.toolCall) ? params.toolCall : {};
  flush(session);
  session.stirred = true;
  const called = calledBy(given, session.ways, session.stage.cwd);
  const { option, reason } = isApproval(options, textOf(given.kind))
    ? await approve(session, called, textOf(given.toolCallId), options)
    : await choose(session, called, given, options);
  if (session.stage.abort.signal.aborted) return CANCELLED;
  return session.takesReasons ? { ...selected(option), _meta: { reason } } : selected(option);
}

interface Choice {
  option: PermissionOption | null;
  /** Why not, for a program that takes it along. */
  reason: string | null;
}

async function approve(
  session: Session,
  { name, input, title }: Called,
  use: string,
  options: readonly PermissionOption[],
): Promise<Choice> {
  const { stage } = session;
  const call = newCall(name, input);
  const no = optionOf(options, "reject_once", "reject_always");
  const before = beforeTool(await stage.hooks.send(preToolUse(commonOf(stage), call)));
  keepCall(stage, call);
  if (before.decision === "deny") return refused(session, call, before.reason, no);
  const dialog = approvalDialog(name, input, { cwd: stage.cwd, forced: false });
  const wide = optionOf(options, "allow_always");
  const shown = dialog.options.flatMap((it) => {
    if (it.grants === "always") return wide ? [{ ...it, label: `Yes, always: ${wide.name}` }] : [];
    return it.grants === "auto" || it.grants === "edits" ? [] : [it];
  });
  const verdict = await decide(
    stage,
    call,
    { ...dialog, options: shown },
    { needsInput: false, head: title },
  );
  if (verdict.by === "hook") {
    const { allow, message, interrupt } = verdict.permission;
    if (allow) return allowed(session, call, use, optionOf(options, "allow_once"));
    if (interrupt) return interruptedBy(session);
    return refused(session, call, message, no);
  }
  if (verdict.by === "nobody") return refused(session, call, null, no);
  const { outcome } = verdict;
  if (outcome.type === "yes") {
    if (outcome.remark !== null) session.owed.add(`The user adds: ${outcome.remark}`);
    return allowed(session, call, use, outcome.grant === "always" ? wide : optionOf(options, "allow_once"));
  }
  if (outcome.type === "no") return refused(session, call, outcome.message, no);
  return interruptedBy(session);
}

function allowed(
  { running, stage }: Session,
  call: ToolCall,
  use: string,
  option: PermissionOption | null,
): Choice {
  running.set(use, call);
  showBelow(stage, `Allowed: ${option?.name ?? ""}`);
  return { option, reason: null };
}

/** ACP has no place for a reason: it follows when the turn is over. */
async function refused(
  { stage, owed, takesReasons }: Session,
  call: ToolCall,
  message: string | null,
  option: PermissionOption | null,
): Promise<Choice> {
  const text = message ?? "The user denied this.";
  if (message !== null && !takesReasons)
    owed.add(`The user did not allow ${call.name}, and says: ${message}`);
  showBelow(stage, `Denied: ${text}`);
  await reportCall(stage, { call, response: text, text }, true);
  return { option, reason: message };
}

function interruptedBy({ stage }: Session): Choice {
  stage.abort.abort();
  return { option: null, reason: null };
}

/** Own words choose nothing: they are a No, and follow as a reason. */
async function choose(
  session: Session,
  { title }: Called,
  given: Params,
  options: readonly PermissionOption[],
): Promise<Choice> {
  const body = wordsIn(given.content);
  const question = {
    header: "Choice",
    question: body === "" ? title : `${title}\n\n${body}`,
    multiSelect: false,
    options: options.map(({ name, kind }) => ({ label: name, description: kind.replaceAll("_", " ") })),
  };
  const answers = await askAll(session, [question]);
  if (answers === null) return { option: null, reason: null };
  const said = answers[question.question] ?? "";
  const chosen = options.find((it) => it.name === said);
  if (!chosen) session.owed.add(said);
  return { option: chosen ?? optionOf(options, "reject_once", "reject_always"), reason: null };
}
