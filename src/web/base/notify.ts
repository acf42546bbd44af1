/**
 * The browser's own notices about new decisions, while nobody is looking at the page. One tab shows them for all; one
 * switch turns them off.
 */
import { useEffect, useRef } from "preact/hooks";
import type { DecisionBrief } from "../../api/api.ts";
import { isQuiet, loudnessOf } from "../../inbox/card/waits.ts";
import { who } from "../../inbox/card/words.ts";
import type { Inbox } from "../../inbox/model.ts";
import { safeLine } from "../../text/safe.ts";
import { client } from "./api.ts";
import { isPushed, switchPushOff, switchPushOn } from "./push.ts";
import { decisionPath, go } from "./route.ts";
import { current } from "./store.ts";

const SETTING = "oj-notices";

export type Notices = "on" | "off" | "blocked" | "impossible";

/** On only if the person said so here: a page must not ask by itself. */
export function noticesNow(): Notices {
  if (!("Notification" in window)) return "impossible";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && localStorage.getItem(SETTING) === "on" ? "on" : "off";
}

export async function switchNotices(): Promise<Notices> {
  const wanted = noticesNow() === "on" ? "off" : "on";
  if (wanted === "on" && Notification.permission !== "granted") await Notification.requestPermission();
  localStorage.setItem(SETTING, wanted);
  return noticesNow();
}

/** Push messages go with notices: on or off together. Returns what the person should know. */
export async function switchPush(notices: Notices): Promise<string> {
  if (notices !== "on") {
    await switchPushOff();
    return "notices are off";
  }
  const why = await switchPushOn();
  return why === null
    ? "notices are on, also while this page is closed"
    : `notices are on while this page is open (no push messages: ${why})`;
}

/** Shows a notice for each decision that arrives while the page is out of sight, and removes it once it is settled. */
export function useNotices({ items, connection }: Inbox): void {
  const known = useRef<Inbox["items"] | null>(null);
  const open = useRef(new Map<string, Notification>());
  useEffect(() => {
    const before = known.current;
    if (connection !== "live") return;
    known.current = items;
    for (const [id, notice] of open.current)
      if (items.get(id)?.held !== null) {
        notice.close();
        open.current.delete(id);
      }
    if (before === null || document.hasFocus() || noticesNow() !== "on") return; // in this order: the last is slow
    const isNews = (it: DecisionBrief) => {
      const was = before.get(it.id);
      return was === undefined || (isQuiet(was) && !isQuiet(it)); // it is promoted: somebody waits for it now
    };
    const news = [...items.values()].filter((it) => isNews(it) && it.held === null);
    if (news.length > 0) void unlessQuiet(() => unlessPushed(news, (rest) => show(rest, open.current)));
  }, [items, connection]);
}

/** `oj quiet` is for the browser too. */
async function unlessQuiet(work: () => void): Promise<void> {
  const { quiet } = await client.health().catch(() => ({ quiet: true })); // without a daemon there is nothing to answer
  if (!quiet) work();
}

/** How long a push message may take: if there is none by then, no route sends one here. */
const PUSHED_MS = 3000;

/** Where push messages come as well, the page tells of what they don't, and of nothing twice. */
function unlessPushed(news: readonly DecisionBrief[], work: (rest: readonly DecisionBrief[]) => void): void {
  if (!isPushed()) return work(news);
  setTimeout(async () => {
    const worker = await navigator.serviceWorker.getRegistration();
    const shown = new Set((await worker?.getNotifications())?.map((it) => it.tag));
    const rest = news.filter((it) => !shown.has(it.id) && current().items.get(it.id)?.held === null);
    if (rest.length > 0) work(rest);
  }, PUSHED_MS);
}

/** Many at once are one notice. */
function show(news: readonly DecisionBrief[], open: Map<string, Notification>): void {
  if (news.length > MOST) {
    void new Notification(`${news.length} decisions wait for you`, { tag: "many" });
    return;
  }
  for (const item of news) open.set(item.id, notified(item));
}

const MOST = 3;

/** What is urgent stays until somebody reacts; what is not makes no sound. Tabs share a notice by its tag. */
function notified(item: DecisionBrief): Notification {
  const notice = new Notification(safeLine(item.title), {
    body: `${item.source} · ${safeLine(item.project)} · ${who(item)}`,
    tag: item.id,
    silent: loudnessOf(item) === "low",
    requireInteraction: loudnessOf(item) === "high",
  });
  notice.onclick = () => {
    window.focus();
    go(decisionPath(item.id));
    notice.close();
  };
  return notice;
}
