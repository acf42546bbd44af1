/** How each channel is: whether it could be made, and what it says about itself when it is asked. */
import type { ChannelView } from "../../api/api.ts";
import { VIAS } from "../../core/model/decision-types.ts";
import type { ReachConfig } from "../../core/reach/config-types.ts";
import type { Clock } from "../../ports.ts";
import type { Registry } from "./registry.ts";

/** A service that doesn't answer must not keep the others waiting. */
const CHECK_MS = 10_000;

export function channelStates(
  registry: Registry,
  { people }: Pick<ReachConfig, "people">,
  clock: Pick<Clock, "after">,
): Promise<ChannelView[]> {
  const ways = new Map(registry.ways().map((it) => [it.name, it]));
  return Promise.all(
    registry.all().map(async ({ config: { name, kind }, channel, trouble: known }) => {
      const trouble = known ?? (channel ? await checked(channel.check(), clock) : "it could not be made");
      const way = ways.get(name);
      const reached = [...people.values()].filter((it) => way?.addressOf(it) != null);
      return {
        name,
        kind,
        room: channel?.room ?? null,
        people: reached.map((it) => it.name),
        hears_all: channel?.hearsAll ?? false,
        answers: (VIAS as readonly string[]).includes(kind),
        state: trouble === null ? ("ok" as const) : ("trouble" as const),
        trouble,
      };
    }),
  );
}

function checked(check: Promise<string | null>, clock: Pick<Clock, "after">): Promise<string | null> {
  return new Promise((resolve) => {
    const disarm = clock.after(CHECK_MS, () => resolve("it has not answered for ten seconds"));
    const end = (trouble: string | null) => {
      disarm();
      resolve(trouble);
    };
    check.then(end, (error: Error) => end(error.message));
  });
}
