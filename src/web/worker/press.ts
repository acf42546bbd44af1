/**
 * What happens when somebody presses a notification. A button answers with the token that came with the message, which
 * is good for this one answer; the worker has no login, and needs none.
 */
import type { Pressed, Scope, Tab } from "./scope.ts";
import type { Carried } from "./show.ts";

type Needed = Pick<Scope, "clients" | "fetch" | "registration" | "location">;

export async function press(scope: Needed, { action, notification }: Pressed): Promise<void> {
  notification.close();
  const { decision, actions } = carriedBy(notification.data);
  const pressed = actions[Number(action)];
  if (action === "" || !pressed) return open(scope, decision);
  const { isTaken, isAnswer, words } = await send(scope, pressed.path);
  await scope.registration.showNotification(notification.title, {
    body: isAnswer ? `You answered: ${pressed.title}` : words,
    tag: notification.tag,
    icon: "/icon-192.png",
    badge: "/badge-96.png",
    silent: isTaken,
    renotify: !isTaken,
    data: { decision, actions: [] } satisfies Carried,
  });
}

interface Sent {
  isTaken: boolean;
  /** False for "I'm on it". */
  isAnswer: boolean;
  words: string;
}

async function send({ fetch }: Needed, path: string): Promise<Sent> {
  try {
    const response = await fetch(path, { method: "POST", headers: { accept: "application/json" } });
    const { message, answered } = (await response.json()) as { message?: unknown; answered?: unknown };
    const words = typeof message === "string" ? message : "Your answer was not taken.";
    return { isTaken: response.ok, isAnswer: response.ok && answered !== false, words };
  } catch {
    return {
      isTaken: false,
      isAnswer: false,
      words: "Your answer was not sent: Oddjobs can't be reached. Open the decision.",
    };
  }
}

/** In a tab that is there already, if there is one: the one in view first. */
async function open({ clients, location }: Needed, decision: string | null): Promise<void> {
  const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const own = tabs.filter((it) => new URL(it.url).origin === location.origin && isInbox(it));
  const tab = own.find((it) => it.visibilityState === "visible") ?? own[0];
  if (!tab) return void (await clients.openWindow(decision === null ? "/" : `/#/decision/${decision}`));
  await tab.focus().catch(() => {}); // some systems don't let a window come to the front
  tab.postMessage({ type: "open", decision });
}

/** Not the page behind a link in a mail. */
function isInbox({ url }: Tab): boolean {
  return new URL(url).pathname === "/";
}

function carriedBy(data: unknown): Carried {
  const { decision = null, actions = [] } = (data ?? {}) as Partial<Carried>;
  return { decision, actions };
}
