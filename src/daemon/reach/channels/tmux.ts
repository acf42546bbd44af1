/** A line in the tmux of whoever sits at this machine. It only shows what to type; the decision is answered in an inbox. */
import { tmuxLine } from "../../../channels/tmux/line.ts";
import { Refusal } from "../../../core/model/errors.ts";
import { loudnessOf } from "../../../inbox/card/waits.ts";
import type { Channel, Given } from "../channel.ts";
import { ChannelError } from "../channel.ts";
import { personalTmux } from "../tmux/show.ts";

const SHOWN_MS = 8000;
const URGENT_MS = 30_000;

export async function make({ config, isQuiet }: Given): Promise<Channel> {
  const tmux = personalTmux(socketIn(config.name, config.settings));
  return {
    kind: "tmux",
    name: config.name,
    room: "this tmux",
    isLocal: true,
    addressOf: () => "this tmux",

    async send(message) {
      if (isQuiet()) return { ref: null };
      const clients = await tmux.clients();
      if (clients.length === 0) throw new ChannelError("nobody is attached to tmux", { isFinal: true });
      const line = tmuxLine(message.decision, message);
      const forMs = loudnessOf(message.decision) === "high" ? URGENT_MS : SHOWN_MS;
      const shown = await Promise.allSettled(clients.map((it) => tmux.show(it, line, forMs)));
      const failed = shown.filter((it) => it.status === "rejected");
      if (failed.length === shown.length)
        throw new ChannelError(`tmux did not show it: ${failed[0]?.reason.message}`);
      return { ref: null };
    },

    check: () =>
      tmux.clients().then(
        () => null,
        (error: Error) => error.message,
      ),
    close: async () => {},
  };
}

function socketIn(name: string, settings: Readonly<Record<string, unknown>>): string | null {
  const other = Object.keys(settings).find((it) => it !== "socket");
  if (other !== undefined)
    throw new Refusal("config.invalid", `Unknown setting "channel.${name}.${other}"`, null);
  const { socket = null } = settings;
  if (socket === null || (typeof socket === "string" && socket.startsWith("/"))) return socket;
  throw new Refusal("config.invalid", `channel.${name}.socket must be a path that begins with /`, null);
}
