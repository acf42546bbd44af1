/** The last line that each agent printed. A screen is read only if somebody asks and it has changed since. */
import type { AgentId } from "../../../core/model/ids.ts";
import type { Ports } from "../../../ports.ts";
import { Unreachable } from "../../../ports.ts";
import { lastLine } from "../terminal/last-line.ts";

export interface LastLines {
  /** Empty for an agent whose terminal is gone, or can't be read right now. */
  of(ids: readonly AgentId[]): Promise<ReadonlyMap<AgentId, string>>;
  stop(): void;
}

/** Nobody waits longer for a terminal that doesn't respond. */
const WITHIN_MS = 1000;
const LONGEST = 300;

export function startLastLines({ terminals, clock }: Pick<Ports, "terminals" | "clock">): LastLines {
  const known = new Map<AgentId, string>();
  const forget = (id: AgentId) => void known.delete(id);
  const unwatch = terminals.watch({ printed: forget, exited: forget });

  async function read(id: AgentId): Promise<void> {
    const screen = await terminals.screen(id).catch((error) => (error instanceof Unreachable ? null : ""));
    if (screen !== null) known.set(id, lastLine(screen).slice(0, LONGEST)); // otherwise whoever asks next looks again
  }

  return {
    async of(ids) {
      let disarm = () => {};
      const late = new Promise<void>((resolve) => {
        disarm = clock.after(WITHIN_MS, resolve);
      });
      await Promise.race([Promise.all(ids.filter((it) => !known.has(it)).map(read)), late]);
      disarm();
      return new Map(ids.map((id) => [id, known.get(id) ?? ""]));
    },
    stop: unwatch,
  };
}
