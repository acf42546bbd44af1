/** The desktop of whoever sits at this machine. It only shows; the decision is answered in an inbox. */
import { loudnessOf } from "../../../inbox/card/waits.ts";
import type { Notice } from "../../../ports.ts";
import type { Channel, Given, Outgoing } from "../channel.ts";
import { ChannelError } from "../channel.ts";

const LONGEST_LINE = 120;
const MOST_LINES = 4;

export async function make({ config, ports, isQuiet }: Given): Promise<Channel> {
  return {
    kind: "desktop",
    name: config.name,
    room: "this desktop",
    isLocal: true,
    addressOf: () => "this desktop",
    async send(message) {
      if (isQuiet()) return { ref: null };
      const trouble = await ports.notifier.notify(noticeOf(message));
      if (trouble !== null) throw new ChannelError(trouble, { isFinal: true });
      return { ref: null };
    },
    check: () => ports.notifier.check(),
    close: async () => {},
  };
}

function noticeOf({ decision, others, reason }: Outgoing): Notice {
  const all = [decision, ...others.map((it) => it.decision)];
  const isUrgent = all.some((it) => loudnessOf(it) === "high");
  const { owner, project, title } = decision;
  if (others.length === 0) {
    const again = { reminder: "reminder: ", promoted: "blocks work now: " }[reason as string] ?? "";
    return { title: cut(`oj: ${again}${owner.name} in ${project}`), text: cut(title), isUrgent };
  }
  const lines = all.slice(0, MOST_LINES).map((it) => cut(`${it.owner.name}: ${it.title}`));
  const more = all.length - lines.length;
  const text = [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
  return { title: `oj: ${all.length} decisions wait for you`, text, isUrgent };
}

function cut(text: string): string {
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE - 1)}…` : text;
}
