#!/usr/bin/env node
/**
 * A double of `opencode serve` that plays a script: its events and replies are those of the recorded version. The
 * script is `$HOME/plays/opencode.json`, and whatever it is told is a line in `$HOME/records/$OJ_AGENT.jsonl`.
 */
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

const { HOME = "", OJ_AGENT = "" } = process.env;
/** @type {any[][]} */
const turns = JSON.parse(fs.readFileSync(path.join(HOME, "plays/opencode.json"), "utf8"));
const record = path.join(HOME, `records/${OJ_AGENT}.jsonl`);
const sessionID = "ses_1";
/** @type {Set<http.ServerResponse>} */
const followers = new Set();
/** @type {Map<string, (reply: any) => void>} */
const open = new Map();
let begun = 0;
let last = 0;

/** @param {string} kind  @param {object} fields */
const note = (kind, fields) => fs.appendFileSync(record, `${JSON.stringify({ kind, ...fields })}\n`);
/** @param {string} type  @param {object} properties */
function tell(type, properties) {
  const event = { id: `evt_${++last}`, type, properties: { sessionID, ...properties } };
  for (const it of followers) it.write(`data: ${JSON.stringify(event)}\n\n`);
}
/** @param {string} type  @param {object} properties  @param {string} replied */
async function ask(type, properties, replied) {
  const id = `${type.slice(0, 3)}_${++last}`;
  const reply = new Promise((resolve) => open.set(id, resolve));
  tell(type, { id, ...properties });
  const given = await reply;
  open.delete(id);
  tell(replied, { requestID: id, ...given });
  return given;
}

/** @param {string} messageID  @param {any} step */
async function play(messageID, step) {
  const callID = `call_${++last}`;
  const tool = { messageID, callID };
  /** @param {string} name  @param {object} state */
  const part = (name, state) =>
    tell("message.part.updated", { part: { id: `prt_${callID}`, type: "tool", tool: name, ...tool, state } });
  if (step.ask) {
    const options = step.ask.options.map((/** @type {string} */ label) => ({ label, description: "" }));
    const questions = [{ question: step.ask.question, header: "Q", options }];
    part("question", { status: "running", input: { questions } });
    const { answers } = await ask("question.asked", { questions, tool }, "question.replied");
    note("answered", { answers });
    part("question", { status: "completed", input: { questions }, output: "" });
  }
  if (step.tool) {
    const input = { command: step.input, description: "May I?" };
    part("bash", { status: "running", input });
    const asked = { permission: "bash", patterns: [step.input], metadata: input, always: ["*"], tool };
    const { reply, message } = await ask("permission.asked", asked, "permission.replied");
    note(reply === "reject" ? "denied" : "allowed", { message });
    part("bash", { status: reply === "reject" ? "error" : "completed", input, output: "" });
  }
  return step.say
    ? { id: `prt_${callID}`, type: "text", text: step.say, messageID, time: { start: 1, end: 2 } }
    : null;
}

/** @param {any} given */
async function prompted(given) {
  note("prompt", { text: given.parts.map((/** @type {any} */ it) => it.text).join("\n") });
  const messageID = `msg_${++last}`;
  const info = { id: messageID, role: "assistant", sessionID };
  tell("message.updated", { info });
  const parts = [];
  for (const step of turns[begun++] ?? [{ say: "Nothing more." }]) {
    const words = await play(messageID, step);
    if (words) parts.push(words);
  }
  tell("session.idle", {});
  return { info, parts };
}

const server = http.createServer((request, response) => {
  if (request.url === "/event") {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    return void followers.add(response);
  }
  let body = "";
  request.setEncoding("utf8").on("data", (part) => (body += part));
  request.on("end", async () => {
    const [, noun = "", id = "", verb] = request.url?.split("/") ?? [];
    const given = JSON.parse(body || "{}");
    const isReply = noun === "permission" || noun === "question";
    if (isReply) open.get(id)?.(given);
    const answer = verb === "message" ? await prompted(given) : isReply ? true : { id: sessionID };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  process.stdout.write(`opencode server listening on http://127.0.0.1:${address.port}\n`);
});
