/**
 * A program that speaks ACP and plays a script: each prompt starts the next turn. Whatever it is told and answered is a
 * line in its record. `node acp-agent.mjs SCRIPT RECORD [--no-load | --takes-reasons]`: with the last, a prompt after a
 * refusal is the reason, and the turn ends again with the words that it ended with.
 */
import fs from "node:fs";
import readline from "node:readline";

const [, , script = "", record = "", flag] = process.argv;
/** @type {object[][]} */
const turns = JSON.parse(fs.readFileSync(script, "utf8"));
/** @type {Map<number, (message: any) => void>} */
const waiting = new Map();
/** @type {(() => void) | null} */
let cancelled = null;
let last = 0;
let wasRefused = false;

/** @param {string} kind  @param {object} fields */
const note = (kind, fields) => fs.appendFileSync(record, `${JSON.stringify({ kind, ...fields })}\n`);
/** @param {object} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
/** @param {string} method  @param {object} params @returns {Promise<any>} */
const request = (method, params) => {
  const id = ++last;
  send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
};
/** @param {string} sessionId  @param {object} update */
const update = (sessionId, update) => send({ method: "session/update", params: { sessionId, update } });

/** How many turns were begun, in any run of this program. */
const begun = () =>
  fs.existsSync(record)
    ? fs
        .readFileSync(record, "utf8")
        .split("\n")
        .filter((it) => it.includes('"prompt"')).length
    : 0;

/** @param {string} sessionId  @param {any} step */
async function play(sessionId, step) {
  if (step.say)
    update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: step.say } });
  if (step.update) update(sessionId, step.update);
  if (step.ask) {
    const { result, error } = await request(step.ask, { sessionId, ...step.with });
    note("answer", { of: step.ask, result, error });
    wasRefused ||= result?.outcome?.optionId === "n";
    if (step.runs && result?.outcome?.outcome === "selected")
      update(sessionId, { sessionUpdate: "tool_call_update", toolCallId: step.runs, status: "completed" });
  }
  if (step.all) await Promise.all(step.all.map((/** @type {any} */ it) => play(sessionId, it)));
  if (step.hang) await new Promise((resolve) => (cancelled = () => resolve(undefined)));
}

/** @param {any} message */
async function receive(message) {
  const { id, method, params } = message;
  if (method === undefined) return waiting.get(id)?.(message);
  switch (method) {
    case "initialize":
      note("initialize", { params });
      return send({
        id,
        result: { protocolVersion: 1, agentCapabilities: { loadSession: flag !== "--no-load" } },
      });
    case "session/new":
      return send({ id, result: { sessionId: "acp-1" } });
    case "session/load":
      note("load", { id: params.sessionId });
      update(params.sessionId, {
        sessionUpdate: "agent_message_chunk",
        content: { type: "text", text: "Something old." },
      });
      return send({ id, result: {} });
    case "session/cancel":
      note("cancel", {});
      return cancelled?.();
    case "session/prompt": {
      const isReason = wasRefused && flag === "--takes-reasons";
      const steps = isReason
        ? [turns[begun() - 1]?.at(-1) ?? {}]
        : (turns[begun()] ?? [{ say: "Nothing more." }]);
      note(isReason ? "reason" : "prompt", { texts: params.prompt.map((/** @type {any} */ it) => it.text) });
      wasRefused = false;
      cancelled = null;
      for (const step of steps) {
        const { error } = /** @type {any} */ (step);
        if (error) return send({ id, error });
        await play(params.sessionId, step);
        const { stop } = /** @type {any} */ (step);
        if (stop) return send({ id, result: { stopReason: stop } });
      }
      const wasCancelled = fs.readFileSync(record, "utf8").trimEnd().split("\n").at(-1)?.includes('"cancel"');
      return send({ id, result: { stopReason: wasCancelled ? "cancelled" : "end_turn" } });
    }
    default:
      return send({ id, error: { code: -32601, message: "unknown" } });
  }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => void receive(JSON.parse(line)));
process.stdin.on("end", () => process.exit(0));
