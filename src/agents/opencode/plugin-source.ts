/** The source of the plugin, in JavaScript. Names with underscores are filled in. No error of it may reach opencode. */
export const SOURCE = String.raw`import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import os from "node:os";
import path from "node:path";

const SECONDS = __SECONDS__;
const HOLD_SECONDS = __HOLD_SECONDS__;
const STOP = __STOP__;
const ENV = process.env;
const STATE = ENV.OJ_STATE_DIR || path.join(ENV.XDG_STATE_HOME || path.join(os.homedir(), ".local/state"), "oj");
const SOCKET = path.join(STATE, "oj.sock");

/** This process, as the daemon knows processes: its id and, if the system tells, when it started. */
function processName() {
  try {
    const stat = fs.readFileSync("/proc/self/stat", "utf8");
    return process.pid + "." + stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return String(process.pid);
  }
}

/** The daemon's answer; empty if there is no daemon, or none in time. */
function post(hook, { query = {}, seconds = SECONDS, gone = new AbortController() } = {}) {
  return new Promise((resolve) => {
    const search = new URLSearchParams({ client: processName(), of: __OF__, ...query });
    const headers = { host: "oj", "content-type": "application/json" };
    const place = { socketPath: SOCKET, path: "/hooks/session?" + search, method: "POST", headers };
    const request = http.request(place, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part) => (text += part));
      response.on("end", () => end(response.statusCode === 200 ? text : "{}"));
      response.on("error", () => end("{}"));
      response.on("close", () => end("{}"));
    });
    const stop = () => {
      request.destroy();
      end("{}");
    };
    const timer = setTimeout(stop, seconds * 1000);
    function end(text) {
      clearTimeout(timer);
      gone.signal.removeEventListener("abort", stop);
      try {
        resolve(JSON.parse(text) ?? {});
      } catch {
        resolve({});
      }
    }
    request.on("error", () => end("{}"));
    gone.signal.addEventListener("abort", stop, { once: true });
    if (gone.signal.aborted) stop();
    else request.end(JSON.stringify(hook));
  });
}

/** Sessions that are watched need the daemon. */
function startDaemon() {
  const socket = net.connect(SOCKET);
  socket.on("connect", () => socket.destroy());
  socket.on("error", () => {
    const oj = spawn("oj", ["daemon", "start"], { detached: true, stdio: "ignore" });
    oj.on("error", () => {}); // oj is not installed here
    oj.unref();
  });
}

export const oj = async ({ client, directory }) => {
  if (ENV.OJ_AGENT) return {}; // an agent of oj's own reports by itself
  startDaemon();
  const parents = new Map();
  /** The permissions and questions that wait for an answer, and the sessions that wait for words. */
  const open = new Map();
  const waiting = new Map();
  /** The prompts that come from oj. */
  const ours = new Set();
  const seen = new Set();
  let isOver = false;

  const report = (event, session, more, how) => {
    seen.add(session);
    return post({ hook_event_name: event, session_id: session, cwd: directory, ...more }, how);
  };

  /** A subagent's session belongs to the one that a person talks to. */
  async function rootOf(id) {
    if (!parents.has(id)) {
      const { data } = await client.session.get({ path: { id } });
      parents.set(id, data?.parentID ?? null);
    }
    const parent = parents.get(id);
    return parent ? rootOf(parent) : id;
  }

  async function lastWords(id) {
    const { data } = await client.session.messages({ path: { id }, query: { limit: 10 } });
    const said = (data ?? []).filter((it) => it.info.role === "assistant");
    const text = (it) => it.parts.flatMap((one) => (one.type === "text" ? [one.text] : [])).join("\n");
    const stopped = said.at(-1)?.info.error?.name === "MessageAbortedError";
    return { text: said.map(text).findLast((it) => it !== "") ?? "", stopped };
  }

  /** The dialog is drawn all the while: the first answer wins. */
  async function ask(kind, request) {
    const gone = new AbortController();
    open.set(request.id, gone);
    const { text } = await lastWords(request.sessionID);
    const asked = { [kind]: request, last_assistant_message: text };
    const held = { seconds: HOLD_SECONDS, gone };
    const { reply } = await report("PermissionRequest", await rootOf(request.sessionID), asked, held);
    if (!open.delete(request.id) || !reply) return;
    const url = "/" + kind + "/" + encodeURIComponent(request.id) + "/reply";
    await client._client.post({ url, body: reply, headers: { "content-type": "application/json" } });
  }

  async function stop(session) {
    if (isOver || (await rootOf(session)) !== session) return;
    const { text, stopped } = await lastWords(session);
    if (stopped) return; // by the person at the terminal, who knows
    const gone = new AbortController();
    waiting.get(session)?.abort();
    waiting.set(session, gone);
    const held = { query: STOP, seconds: SECONDS + STOP.wait_s, gone };
    const reply = await report("Stop", session, { last_assistant_message: text }, held);
    if (waiting.get(session) !== gone) return;
    waiting.delete(session);
    if (reply.remark) await client.tui.showToast({ body: { message: reply.remark, variant: "info" } });
    if (!reply.prompt) return;
    ours.add(reply.prompt);
    await client.session.promptAsync({
      path: { id: session },
      body: { parts: [{ type: "text", text: reply.prompt }] },
    });
  }

  const handlers = {
    "session.created": async ({ info }) => {
      parents.set(info.id, info.parentID ?? null);
      if (!info.parentID) await report("SessionStart", info.id);
    },
    "session.deleted": async ({ info }) => {
      if ((await rootOf(info.id)) === info.id) await report("SessionEnd", info.id);
    },
    "session.idle": ({ sessionID }) => stop(sessionID),
    "permission.asked": (it) => ask("permission", it),
    "question.asked": (it) => ask("question", it),
    "permission.replied": settled,
    "question.replied": settled,
    "question.rejected": settled,
  };

  function settled({ requestID }) {
    const gone = open.get(requestID);
    open.delete(requestID);
    gone?.abort();
  }

  /** Nothing that goes wrong here is opencode's concern. */
  const quietly = async (work) => {
    try {
      return await work();
    } catch {}
  };

  return {
    event: async ({ event }) => {
      const handler = handlers[event.type];
      if (handler) void quietly(() => handler(event.properties)); // some wait for a person
    },
    "chat.message": ({ sessionID }, { message, parts }) =>
      quietly(async () => {
        if ((await rootOf(sessionID)) !== sessionID) return;
        const prompt = parts.flatMap((it) => (it.type === "text" ? [it.text] : [])).join("\n");
        const woken = ours.delete(prompt);
        waiting.get(sessionID)?.abort();
        waiting.delete(sessionID);
        const { context } = await report("UserPromptSubmit", sessionID, { prompt, woken });
        const last = parts.at(-1);
        if (!context || !last) return;
        const more = { id: last.id + "oj", sessionID, messageID: message.id };
        parts.push({ ...more, type: "text", text: context, synthetic: true });
      }),
    "tool.execute.after": ({ sessionID, callID }, output) =>
      quietly(async () => {
        if ((await rootOf(sessionID)) !== sessionID) return;
        const { context } = await report("PostToolUse", sessionID, { tool_use_id: callID });
        if (context && typeof output?.output === "string") output.output += "\n\n" + context;
      }),
    dispose: async () => {
      isOver = true;
      await Promise.all([...seen].map((it) => report("SessionEnd", it)));
    },
    "shell.env": ({ sessionID }, { env }) =>
      quietly(async () => {
        if (sessionID && ENV.OJ_SESSION === undefined) env.OJ_SESSION = await rootOf(sessionID);
      }),
  };
};
`;
