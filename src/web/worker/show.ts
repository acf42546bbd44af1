/** Turns a push message into a notification. Every message shows something, or the browser ends the subscription. */
import type { PushAction, PushMessage } from "../../api/api.ts";
import type { Scope } from "./scope.ts";

const UNREADABLE: PushMessage = {
  decision: null,
  tag: "unreadable",
  title: "A decision waits for you",
  body: "Open the inbox to see it.",
  is_urgent: false,
  is_silent: false,
  is_reminder: false,
  actions: [],
};

/** What a notification carries for whoever clicks it. */
export interface Carried {
  decision: string | null;
  actions: PushAction[];
}

export async function showPush({ registration }: Pick<Scope, "registration">, text: string): Promise<void> {
  const message = readPush(text) ?? UNREADABLE;
  const { decision, actions } = message;
  await registration.showNotification(message.title, {
    body: message.body,
    tag: message.tag,
    icon: "/icon-192.png",
    badge: "/badge-96.png",
    silent: message.is_silent,
    requireInteraction: message.is_urgent,
    renotify: message.is_reminder && !message.is_silent,
    data: { decision, actions } satisfies Carried,
    actions: actions.map(({ title }, at) => ({ action: String(at), title })),
  });
}

/** Null if it is not a message of ours: a daemon may be newer or older than this page. */
function readPush(text: string): PushMessage | null {
  try {
    const given = JSON.parse(text) as Partial<Record<keyof PushMessage, unknown>>;
    const { decision = null, tag, title, body } = given;
    if (typeof tag !== "string" || typeof title !== "string" || typeof body !== "string") return null;
    return {
      decision: typeof decision === "string" ? decision : null,
      tag,
      title,
      body,
      is_urgent: given.is_urgent === true,
      is_silent: given.is_silent === true,
      is_reminder: given.is_reminder === true,
      actions: Array.isArray(given.actions) ? given.actions.filter(isAction) : [],
    };
  } catch {
    return null;
  }
}

/** The answer goes to this daemon and to no other address. */
function isAction(it: unknown): it is PushAction {
  const { title, path } = (it ?? {}) as Partial<Record<keyof PushAction, unknown>>;
  return typeof title === "string" && typeof path === "string" && /^\/a\/[\w.~-]+$/.test(path);
}
