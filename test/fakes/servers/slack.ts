/**
 * Slack as far as oj uses it: the Web API, Socket Mode, the Events API and the people who click. It enforces what Slack
 * enforces (`slack-limits.ts`), and does what Slack does on bad days: 429, lost responses, refreshes, revoked tokens.
 *
 *     const slack = await fakeSlack();
 *     const card = await until(() => slack.cards("C1")[0]);
 *     await slack.click(card, "Approve", "U1");
 */
import { createHmac } from "node:crypto";
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { WebSocket } from "ws";
import { WebSocketServer } from "ws";
import { messageProblem, modalProblems } from "./slack-limits.ts";

// biome-ignore lint/suspicious/noExplicitAny: payloads of another program
type Json = any;

export interface Message {
  channel: string;
  ts: string;
  text: string;
  blocks: Json[];
  thread_ts?: string;
}

export interface View {
  id: string;
  user: string;
  view: Json;
}

const ACK_MS = 3000;

export interface FakeSlackGiven {
  botToken?: string;
  appToken?: string;
  signingSecret?: string;
  /** Milliseconds between two messages in a channel, below which 429 is the answer. */
  everyMs?: number;
  /** Hears of every message that was posted or rewritten. */
  wrote?(message: Message): void;
}

export type FakeSlack = Awaited<ReturnType<typeof fakeSlack>>;

export async function fakeSlack(given: FakeSlackGiven = {}) {
  const { signingSecret = "shh", everyMs = 1000 } = given;
  const tokens = { bot: given.botToken ?? "xoxb-good", app: given.appToken ?? "xapp-good" };
  const revoked = new Set<string>();
  const messages: Message[] = [];
  const places = new Map<string, Message>();
  const ephemerals: Json[] = [];
  const views = new Map<string, View>();
  const calls: { method: string; args: Json; at: number; isRefused: boolean }[] = [];
  const triggers = new Map<string, number>();
  const responses = new Map<string, { channel: string; user: string; ts: string | null }>();
  const sockets = new Set<WebSocket>();
  const connections = new Set<Socket>();
  const lastPost = new Map<string, number>();
  const drops: string[] = [];
  const limited = new Map<string, number>();
  const broken = new Map<string, number>();
  const acks: { type: string; ms: number; payload: Json }[] = [];
  const late: string[] = [];
  const onConnect: (() => void)[] = [];
  let connects = 0;
  let serial = 0;
  let eventsUrl: string | null = null;
  let isOffline = false;

  const server = http.createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part) => {
      body += part;
    });
    request.on("end", () => answer(request, body, response));
  });
  server.on("connection", (socket) => {
    if (isOffline) socket.destroy();
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
  });
  const upgrades = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    upgrades.handleUpgrade(request, socket, head, (ws) => {
      sockets.add(ws);
      ws.on("close", () => sockets.delete(ws));
      ws.on("message", (data) => onAck(JSON.parse(String(data))));
      ws.send(JSON.stringify({ type: "hello", num_connections: sockets.size }));
      connects++;
      for (const it of onConnect.splice(0)) it();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  function answer(request: http.IncomingMessage, body: string, response: http.ServerResponse): void {
    const path = new URL(request.url ?? "/", url).pathname;
    if (path.startsWith("/respond/")) return respond(path.slice("/respond/".length), body, response);
    const method = path.replace(/^\/api\//, "");
    const args = argsOf(request, body);
    const token = args.token ?? request.headers.authorization?.replace(/^Bearer /, "");
    delete args.token;
    const pause = pauseFor(method, args);
    calls.push({ method, args, at: Date.now(), isRefused: pause !== null });
    if (pause !== null) {
      response
        .writeHead(429, { "retry-after": String(pause) })
        .end(JSON.stringify({ ok: false, error: "ratelimited" }));
      return;
    }
    const left = broken.get(method) ?? 0;
    if (left > 0) {
      broken.set(method, left - 1);
      response.writeHead(500).end("an internal error");
      return;
    }
    const result = authProblem(method, token) ?? carryOut(method, args);
    const dropped = drops.indexOf(method);
    if (dropped >= 0 && result.ok) {
      drops.splice(dropped, 1); // the effect has happened; nobody hears of it
      request.socket.destroy();
      return;
    }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result));
  }

  function pauseFor(method: string, { channel }: Json): number | null {
    const ordered = limited.get(method);
    if (ordered !== undefined && ordered > Date.now()) return Math.ceil((ordered - Date.now()) / 1000);
    if (method !== "chat.postMessage" || everyMs === 0) return null;
    const last = lastPost.get(channel) ?? 0;
    if (Date.now() - last < everyMs) return 1;
    lastPost.set(channel, Date.now());
    return null;
  }

  function authProblem(method: string, token: string | undefined): Json | null {
    const wanted = method === "apps.connections.open" ? tokens.app : tokens.bot;
    if (token === undefined || token === "") return { ok: false, error: "not_authed" };
    if (revoked.has(token)) return { ok: false, error: "token_revoked" };
    return token === wanted ? null : { ok: false, error: "invalid_auth" };
  }

  function carryOut(method: string, args: Json): Json {
    switch (method) {
      case "auth.test":
        return { ok: true, team: "Test", user: "oj", user_id: "UBOT", bot_id: "B1" };
      case "apps.connections.open":
        return { ok: true, url: `ws://127.0.0.1:${port}/link/?ticket=${++serial}` };
      case "chat.postMessage":
        return post(args);
      case "chat.update":
        return update(args);
      case "chat.postEphemeral": {
        const problem = messageProblem(args.blocks);
        if (problem) return refused(problem);
        ephemerals.push(args);
        return { ok: true, message_ts: nextTs() };
      }
      case "views.open":
      case "views.push":
        return openView(args);
      case "views.update":
        return updateView(args);
      default:
        return { ok: false, error: "unknown_method" };
    }
  }

  function post(args: Json): Json {
    const problem = messageProblem(args.blocks);
    if (problem) return refused(problem);
    if (!args.text && !args.blocks) return { ok: false, error: "no_text" };
    if (!/^[CDGUW]/.test(args.channel ?? "")) return { ok: false, error: "channel_not_found" };
    // a message to a person arrives in the conversation with them
    const channel = /^[UW]/.test(args.channel) ? `D${args.channel.slice(1)}` : args.channel;
    const message: Message = { channel, ts: nextTs(), text: args.text ?? "", blocks: args.blocks ?? [] };
    if (args.thread_ts) message.thread_ts = args.thread_ts;
    messages.push(message);
    places.set(`${channel} ${message.ts}`, message);
    given.wrote?.(message);
    return { ok: true, channel, ts: message.ts, message: { text: message.text } };
  }

  function update(args: Json): Json {
    const message = places.get(`${args.channel} ${args.ts}`);
    if (!message) return { ok: false, error: "message_not_found" };
    const problem = messageProblem(args.blocks);
    if (problem) return refused(problem);
    message.text = args.text ?? message.text;
    if (args.blocks !== undefined) message.blocks = args.blocks; // without them the old buttons stay
    given.wrote?.(message);
    return { ok: true, channel: message.channel, ts: message.ts };
  }

  function openView({ trigger_id, view }: Json): Json {
    const since = triggers.get(trigger_id);
    if (since === undefined) return { ok: false, error: "invalid_trigger" };
    if (Date.now() - since > ACK_MS) return { ok: false, error: "expired_trigger_id" };
    const [user] = String(trigger_id).split(".").slice(1);
    triggers.delete(trigger_id);
    const messages = modalProblems(view);
    if (messages.length > 0) return refused({ error: "invalid_arguments", messages });
    const id = `V${++serial}`;
    views.set(id, { id, user: user ?? "", view });
    return { ok: true, view: { id, hash: `h${serial}`, ...view } };
  }

  function updateView({ view_id, view }: Json): Json {
    const open = views.get(view_id);
    if (!open) return { ok: false, error: "not_found" };
    const messages = modalProblems(view);
    if (messages.length > 0) return refused({ error: "invalid_arguments", messages });
    open.view = view;
    return { ok: true, view: { id: view_id, ...view } };
  }

  function respond(id: string, body: string, response: http.ServerResponse): void {
    const place = responses.get(id);
    const args = JSON.parse(body);
    const problem = messageProblem(args.blocks);
    if (!place || problem) {
      response.writeHead(problem ? 400 : 404).end();
      return;
    }
    ephemerals.push({ ...args, channel: place.channel, user: place.user, viaResponse: true });
    response.writeHead(200).end("ok");
  }

  /** Sends what a person did, by the socket or over HTTPS, and waits for the acknowledgement. */
  async function tell(type: string, payload: Json): Promise<Json> {
    return eventsUrl === null ? tellSocket(type, payload) : tellEvents(type, payload);
  }

  const waiting = new Map<string, (payload: Json) => void>();

  function onAck({ envelope_id, payload }: Json): void {
    waiting.get(envelope_id)?.(payload);
    waiting.delete(envelope_id);
  }

  async function tellSocket(type: string, payload: Json): Promise<Json> {
    // Slack chooses one of the connections; the oldest is the one that a refresh may lose
    const socket = [...sockets].find((it) => it.readyState === it.OPEN);
    if (!socket) throw new Error("nobody is connected to Slack");
    const envelope_id = `e${++serial}`;
    const began = performance.now();
    const acked = new Promise<Json>((resolve) => waiting.set(envelope_id, resolve));
    socket.send(JSON.stringify({ envelope_id, type, payload, accepts_response_payload: true }));
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), ACK_MS);
    });
    const ack = await Promise.race([acked.then((it) => ({ it })), tooLate]);
    clearTimeout(timer);
    if (ack === null) {
      late.push(type);
      return "operation_timed_out";
    }
    acks.push({ type, ms: performance.now() - began, payload: ack.it });
    return ack.it;
  }

  /** The request as Slack would sign it. */
  function signed(type: string, payload: Json, at = Math.floor(Date.now() / 1000)) {
    const body =
      type === "slash_commands"
        ? new URLSearchParams(payload).toString()
        : `payload=${encodeURIComponent(JSON.stringify(payload))}`;
    const signature = createHmac("sha256", signingSecret).update(`v0:${at}:${body}`).digest("hex");
    return {
      body,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-slack-request-timestamp": String(at),
        "x-slack-signature": `v0=${signature}`,
      },
    };
  }

  async function tellEvents(type: string, payload: Json): Promise<Json> {
    const response = await fetch(eventsUrl ?? "", { method: "POST", ...signed(type, payload) });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`the events address answered ${response.status}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  function nextTs(): string {
    return `${Math.floor(Date.now() / 1000)}.${String(++serial).padStart(6, "0")}`;
  }

  function newTrigger(user: string): string {
    const id = `${++serial}.${user}.t`;
    triggers.set(id, Date.now());
    return id;
  }

  function newResponse(channel: string, user: string, ts: string | null): string {
    const id = `r${++serial}`;
    responses.set(id, { channel, user, ts });
    return `${url}/respond/${id}`;
  }

  const clicked = (element: Json, block_id: string, where: Json, user: string) => ({
    type: "block_actions",
    user: { id: user, username: user.toLowerCase() },
    trigger_id: newTrigger(user),
    actions: [{ ...element, block_id, action_ts: nextTs() }],
    ...where,
  });

  return {
    url,
    apiUrl: `${url}/api/`,
    tokens,
    calls,
    ephemerals,
    acks,
    /** What was not acknowledged within three seconds. */
    late,
    messages,
    signed,
    /** Messages that are not in a thread. */
    cards: (channel?: string) =>
      messages.filter(
        (it) => it.thread_ts === undefined && (channel === undefined || it.channel === channel),
      ),
    thread: ({ ts }: Message) => messages.filter((it) => it.thread_ts === ts),
    openViews: () => [...views.values()],
    /** How many connections there are, and how many there ever were. */
    connected: () => sockets.size,
    connects: () => connects,
    /** Clicks a button by what is written on it. Returns what the acknowledgement said. */
    async click(
      message: Pick<Message, "channel" | "ts" | "blocks"> & Partial<Message>,
      label: string,
      user: string,
    ) {
      const { element, block_id } = buttonIn(message.blocks, label);
      const where = {
        channel: { id: message.channel },
        container: { type: "message", message_ts: message.ts, channel_id: message.channel },
        message: { ts: message.ts, text: message.text, blocks: message.blocks },
        response_url: newResponse(message.channel, user, message.ts),
      };
      return tell("interactive", clicked(element, block_id, where, user));
    },
    /** Submits a modal with values by block id: a text, the value of an option, or several. */
    async submit({ id, view, user }: View, values: Record<string, string | string[] | null>, by = user) {
      const state: Json = { values: {} };
      for (const block of view.blocks.filter((it: Json) => it.type === "input")) {
        const given = values[block.block_id] ?? null;
        state.values[block.block_id] = { [block.element.action_id]: stateOf(block.element, given) };
        if (given === null && block.optional !== true) throw new Error(`Slack demands ${block.block_id}`);
      }
      const payload = {
        type: "view_submission",
        user: { id: by },
        trigger_id: newTrigger(by),
        view: { id, ...view, state },
      };
      const ack = await tell("interactive", payload);
      const open = views.get(id);
      if (ack?.response_action === "update" && open) {
        const problems = modalProblems(ack.view);
        if (problems.length > 0) throw new Error(problems.join("; "));
        open.view = ack.view;
      } else if (ack?.response_action !== "errors") views.delete(id);
      return ack;
    },
    command: (text: string, user: string, channel = "C1") =>
      tell("slash_commands", {
        command: "/oj",
        text,
        user_id: user,
        channel_id: channel,
        trigger_id: newTrigger(user),
        response_url: newResponse(channel, user, null),
      }),
    /** Sends any payload, as a forger with the socket or the secret could. */
    tell,
    /** Clicks go to this address from now on, instead of the socket. */
    sendEventsTo(address: string | null) {
      eventsUrl = address;
    },
    /** The next call of this method has its effect, and its response is lost. */
    dropNext: (method: string) => void drops.push(method),
    /** Every call of this method is answered with 429 for so long. */
    limit: (method: string, ms: number) => void limited.set(method, Date.now() + ms),
    /** Somebody deletes every message. */
    removeAll() {
      messages.length = 0;
      places.clear();
    },
    /** The next calls of this method are answered with 500, and have no effect. */
    breakNext: (method: string, times: number) => void broken.set(method, times),
    revoke: (token: string) => void revoked.add(token),
    restore: (token: string) => void revoked.delete(token),
    /** Asks every connection to be replaced. Closes the old ones ten seconds later, as Slack does, or once a new one is there. */
    refresh(reason = "refresh_requested") {
      const old = [...sockets];
      for (const it of old) it.send(JSON.stringify({ type: "disconnect", reason, debug_info: {} }));
      const closeAll = () => {
        for (const it of old) it.close();
      };
      const timer = setTimeout(closeAll, 10_000).unref();
      onConnect.push(() => {
        clearTimeout(timer);
        setTimeout(closeAll, 50).unref();
      });
    },
    offline() {
      isOffline = true;
      for (const it of connections) it.destroy();
    },
    online() {
      isOffline = false;
    },
    async close() {
      for (const it of sockets) it.terminate();
      for (const it of connections) it.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function refused({ error, messages }: { error: string; messages: string[] }): Json {
  return { ok: false, error, response_metadata: { messages } };
}

function argsOf(request: http.IncomingMessage, body: string): Json {
  if (request.headers["content-type"]?.startsWith("application/json")) return JSON.parse(body || "{}");
  const args: Json = Object.fromEntries(new URLSearchParams(body));
  for (const name of ["blocks", "view", "metadata"])
    if (args[name] !== undefined) args[name] = JSON.parse(args[name]);
  return args;
}

function buttonIn(blocks: Json[], label: string): { element: Json; block_id: string } {
  const elements = blocks.flatMap((block) =>
    [...(block.elements ?? []), ...(block.accessory ? [block.accessory] : [])].map((element: Json) => ({
      element,
      block_id: block.block_id ?? "",
    })),
  );
  const found = elements.find(({ element }) => element.type === "button" && element.text.text === label);
  if (!found) {
    const labels = elements.map(({ element }) => element.text?.text).join(", ");
    throw new Error(`there is no button "${label}" among: ${labels || "none"}`);
  }
  return found;
}

/** Every button's text, in order. */
export function buttonsOf({ blocks }: Pick<Message, "blocks">): string[] {
  return blocks
    .flatMap((it) => [...(it.elements ?? []), ...(it.accessory ? [it.accessory] : [])])
    .filter((it) => it.type === "button")
    .map((it) => it.text.text);
}

/** All that a person reads, block by block. */
export function textOf(message: { blocks: Json[] }): string {
  const words = (value: Json): string[] => {
    if (Array.isArray(value)) return value.flatMap(words);
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, it]) =>
      key === "text" && typeof it === "string" ? [it] : words(it),
    );
  };
  return words(message.blocks).join("\n");
}

function stateOf(element: Json, given: string | string[] | null): Json {
  const option = (value: string) => {
    const found = element.options?.find((it: Json) => it.value === value || it.text.text === value);
    if (!found) throw new Error(`there is no option ${value}`);
    return found;
  };
  switch (element.type) {
    case "plain_text_input":
      return { type: element.type, value: given };
    case "radio_buttons":
    case "static_select":
      return { type: element.type, selected_option: given === null ? null : option(String(given)) };
    default:
      return { type: element.type, selected_options: [given ?? []].flat().map(option) };
  }
}
