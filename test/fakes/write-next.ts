/** Writes one event after whatever others wrote, as an engine does: what a turn can't take is read before it. */
import type { DecisionId } from "../../src/core/model/ids.ts";
import type { Log } from "../../src/ports.ts";
import { Behind } from "../../src/ports.ts";
import { asked } from "../contracts/log-events.ts";

const PAGE = 500;

/** `at.seen` is the last event that this writer has seen. */
export async function writeNext(log: Log, at: { seen: number }, id: DecisionId): Promise<void> {
  for (;;) {
    let last = at.seen;
    try {
      await log.turn(at.seen, (news) => {
        at.seen = news.at(-1)?.seq ?? at.seen;
        last = at.seen + 1;
        return [asked(last, id)];
      });
      at.seen = last;
      return;
    } catch (error) {
      if (!(error instanceof Behind)) throw error;
      for (let page = await log.read(at.seen, PAGE); page.length > 0; page = await log.read(at.seen, PAGE))
        at.seen = page.at(-1)?.seq ?? at.seen;
    }
  }
}
