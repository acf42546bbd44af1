/** Slack, as channels need it: its Web API, and Socket Mode on top of `ws`. A bundle of its own. */
import { WebSocket } from "ws";
import type { SlackGiven, SlackService } from "../../channel-ports.ts";
import { SlackFailure } from "../../channel-ports.ts";
import type { Clock, Journal } from "../../ports.ts";
import type { Socket, SocketEvents } from "./socket-mode.ts";
import { socketMode } from "./socket-mode.ts";
import { postTo, webApi } from "./web.ts";

/** Slack's envelopes have a few kilobytes; a card with all its blocks comes back with each click. */
const LARGEST_MESSAGE = 4_000_000;

interface Parts {
  clock: Clock;
  journal: Journal;
}

export function slackService(given: SlackGiven, { clock, journal }: Parts): SlackService {
  const { apiUrl, botToken, appToken } = given;
  const call = webApi(apiUrl);
  return {
    call: async (method, args) => call(method, await botToken(), args),
    respond: postTo,
    connect: (heard) =>
      socketMode({
        open: async () => addressIn(await call("apps.connections.open", await appToken(), {})),
        dial,
        heard,
        clock,
        journal,
        random: Math.random,
      }),
  };
}

function addressIn({ url }: Record<string, unknown>): string {
  if (typeof url === "string" && /^wss?:\/\//.test(url)) return url;
  throw new SlackFailure("no_response", "Slack gave no address to connect to");
}

function dial(url: string, on: SocketEvents): Socket {
  const socket = new WebSocket(url, { maxPayload: LARGEST_MESSAGE, followRedirects: false });
  let isOver = false;
  const over = (reason: string) => {
    if (isOver) return;
    isOver = true;
    on.closed(reason);
  };
  socket.on("message", (data, isBinary) => {
    if (!isBinary) on.text(String(data));
  });
  socket.on("ping", on.alive);
  socket.on("pong", on.alive);
  socket.on("error", (error) => over(error.message));
  socket.on("close", (code) => over(`Slack closed the connection (${code})`));
  return {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    ping() {
      if (socket.readyState === WebSocket.OPEN) socket.ping();
    },
    end: () => socket.terminate(),
  };
}
