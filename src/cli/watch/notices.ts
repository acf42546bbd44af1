/** The terminal's bell and the window's title: what waits is noticed without looking. */
import type { Inbox } from "../../inbox/model.ts";
import { waiting } from "../../inbox/model.ts";
import type { Input } from "../../inbox/update.ts";

const BELL = "\u0007";
/** Terminals that know it keep the title that was there, and give it back. */
const KEEP_TITLE = "\u001b[22;2t";
const GIVE_BACK = "\u001b[23;2t";

export interface Notices {
  /** Something happened: rings if a decision has arrived. */
  after(input: Input, inbox: Inbox): void;
  close(): void;
}

export function openNotices(write: (text: string) => void, isQuiet: () => boolean): Notices {
  let title = "";
  write(KEEP_TITLE);
  return {
    after(input, inbox) {
      const count = waiting(inbox);
      const next = count === 0 ? "oj" : `(${count}) oj`;
      if (next !== title) write(`\u001b]2;${next}${BELL}`);
      title = next;
      const isArrival = input.type === "events" && input.events.some((it) => it.type === "decision:created");
      if (isArrival && !isQuiet()) write(BELL);
    },
    close: () => write(GIVE_BACK),
  };
}
