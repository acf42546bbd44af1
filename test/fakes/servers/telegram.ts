/** A Telegram Bot API for tests: one bot, its chats, and the limits that the real one enforces. */
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface TelegramServer {
  url: string;
  token: string;
  /** The messages in all chats, as they are now. */
  messages: Message[];
  /** Every call in order, without getUpdates. */
  calls: { method: string; params: Params }[];
  /** What answerCallbackQuery showed, by the id of the press. */
  alerts: Map<string, string>;
  /** The next calls of a method fail so; `times` is 1 unless told. */
  fail(method: string, code: number, how?: { retryAfter?: number; times?: number }): void;
  /** How often getUpdates was called with each offset. */
  offsets: number[];
  /** Somebody presses a button. Returns the id of the press. */
  press(from: number, data: string, message?: Message): string;
  /** Somebody replies to one of the bot's messages, or just writes. */
  write(from: number, text: string, replyTo?: Message): void;
  close(): Promise<void>;
}

export interface Message {
  message_id: number;
  chat: string;
  text: string;
  buttons: { text: string; callback_data?: string; url?: string }[];
  replyTo: number | null;
}

type Params = Record<string, unknown>;
type Answer = { ok: true; result: unknown } | { ok: false; error_code: number; description: string };

export async function telegramServer(token = "704912345:TEST-token"): Promise<TelegramServer> {
  let updates: { update_id: number }[] = [];
  const waiting = new Set<() => void>();
  const failures: { method: string; code: number; retryAfter: number | null; left: number }[] = [];
  let next = 1;
  /** Only one program may wait for updates: whoever asks ends the wait of the one before. */
  let endOther: (() => void) | null = null;

  const server = http.createServer(async (request, response) => {
    const [, bot = "", method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? [];
    const params = JSON.parse((await bodyOf(request)) || "{}") as Params;
    const answer = await answerTo(decodeURIComponent(bot), method, params, request);
    const status = answer.ok ? 200 : answer.error_code;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });

  async function answerTo(
    bot: string,
    method: string,
    params: Params,
    request: http.IncomingMessage,
  ): Promise<Answer> {
    if (bot !== telegram.token) return no(401, "Unauthorized");
    const failure = failures.find((it) => it.method === method && it.left > 0);
    if (failure) {
      failure.left--;
      const more = failure.retryAfter === null ? {} : { parameters: { retry_after: failure.retryAfter } };
      return { ...no(failure.code, "made to fail"), ...more };
    }
    if (method === "getUpdates") return updatesFor(params, request);
    telegram.calls.push({ method, params });
    try {
      return { ok: true, result: perform(method, params) };
    } catch (error) {
      return no(400, `Bad Request: ${(error as Error).message}`);
    }
  }

  async function updatesFor({ offset, timeout }: Params, request: http.IncomingMessage): Promise<Answer> {
    telegram.offsets.push(Number(offset));
    updates = updates.filter((it) => it.update_id >= Number(offset)); // the others were taken
    endOther?.();
    const due = (): Answer => ({ ok: true, result: [...updates] });
    if (updates.length > 0) return due();
    return new Promise((resolve) => {
      const end = (answer: Answer) => {
        clearTimeout(timer);
        waiting.delete(wake);
        if (endOther === conflict) endOther = null;
        request.socket.off("close", wake);
        resolve(answer);
      };
      const wake = () => end(due());
      const conflict = () => end(no(409, "Conflict: terminated by other getUpdates request"));
      const timer = setTimeout(wake, Number(timeout) * 1000).unref();
      waiting.add(wake);
      endOther = conflict;
      request.socket.once("close", wake);
    });
  }

  function perform(method: string, params: Params): unknown {
    switch (method) {
      case "getMe":
        return { id: 1, is_bot: true, username: "oddjobs_bot" };
      case "sendMessage": {
        const reply = (params.reply_parameters as { message_id: number } | undefined)?.message_id ?? null;
        const made = { ...checked(params), message_id: next++, chat: String(params.chat_id), replyTo: reply };
        telegram.messages.push(made);
        return { message_id: made.message_id };
      }
      case "editMessageText": {
        const found = telegram.messages.find((it) => it.message_id === params.message_id);
        if (!found) throw new Error("message to edit not found");
        const now = checked(params);
        if (now.text === found.text && JSON.stringify(now.buttons) === JSON.stringify(found.buttons))
          throw new Error("message is not modified");
        Object.assign(found, now);
        return { message_id: found.message_id };
      }
      case "answerCallbackQuery":
        if (String(params.text ?? "").length > 200) throw new Error("MESSAGE_TOO_LONG");
        telegram.alerts.set(String(params.callback_query_id), String(params.text ?? ""));
        return true;
      default:
        throw new Error("method not found");
    }
  }

  function come(update: object): void {
    updates.push({ update_id: next++, ...update });
    for (const wake of waiting) wake();
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const telegram: TelegramServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    messages: [],
    calls: [],
    alerts: new Map(),
    offsets: [],
    fail(method, code, { retryAfter, times = 1 } = {}) {
      failures.push({ method, code, retryAfter: retryAfter ?? null, left: times });
    },
    press(from, data, message) {
      const id = `press-${next++}`;
      const under = message && { message: { message_id: message.message_id } };
      come({ callback_query: { id, from: { id: from, is_bot: false }, data, ...under } });
      return id;
    },
    write(from, text, replyTo) {
      const about = replyTo && {
        reply_to_message: {
          from: { id: 1, is_bot: true },
          text: replyTo.text,
          message_id: replyTo.message_id,
        },
      };
      const who = { from: { id: from, is_bot: false }, chat: { id: from, type: "private" } };
      come({ message: { message_id: next++, ...who, text, ...about } });
    },
    async close() {
      for (const wake of waiting) wake();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return telegram;
}

/** What Telegram refuses. */
function checked(params: Params): Pick<Message, "text" | "buttons"> {
  const text = String(params.text ?? "");
  if (text.trim() === "") throw new Error("message text is empty");
  if (text.length > 4096) throw new Error("message is too long");
  if (params.parse_mode !== undefined) throw new Error("tests expect plain text");
  for (const { offset, length } of (params.entities ?? []) as { offset: number; length: number }[])
    if (length <= 0 || offset < 0 || offset + length > text.length)
      throw new Error("entity is out of bounds");
  const keyboard = params.reply_markup as { inline_keyboard?: Message["buttons"][] } | undefined;
  const buttons = (keyboard?.inline_keyboard ?? []).flat();
  for (const { text: label, callback_data, url } of buttons) {
    if (label.trim() === "") throw new Error("inline keyboard button text is empty");
    if (callback_data !== undefined && (callback_data === "" || Buffer.byteLength(callback_data) > 64))
      throw new Error("BUTTON_DATA_INVALID");
    if (url !== undefined && !new URL(url).hostname.includes(".")) throw new Error("button URL is invalid");
  }
  return { text, buttons };
}

function no(error_code: number, description: string): Answer {
  return { ok: false, error_code, description };
}

async function bodyOf(request: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
