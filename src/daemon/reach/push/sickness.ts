/** What is wrong with push messages now, in a sentence for `oj channel list` and `oj doctor`. */
import type { Subscriptions } from "./subscriptions.ts";

const HOW = "open the inbox there (oj web) and switch Notices on";

export function sickness(
  browsers: Pick<Subscriptions, "list" | "lost">,
  { isDefault }: { isDefault: boolean },
): string | null {
  const all = browsers.list();
  const lost = browsers.lost()[0];
  if (lost) return `${lost.browser} of ${lost.person} ended its subscription: ${HOW} again`;
  if (all.length === 0) return `no browser has notices on: ${HOW}`;
  if (isDefault && all.some((it) => it.service.endsWith(".push.apple.com")))
    return "Apple's push service wants channel.push.subject, an address of yours";
  const failed = all.find((it) => it.error !== null);
  return failed ? `${failed.browser} of ${failed.person}: ${failed.error}` : null;
}
