/** Push messages to this browser: they arrive while the page is closed, too. */
import { client, errorOf } from "./api.ts";

/** The id under which the daemon knows this browser. */
const KEPT = "oj-push";

/** Whether the daemon sends messages to this browser, as far as the page knows. */
export function isPushed(): boolean {
  return localStorage.getItem(KEPT) !== null;
}

/** Null if messages are on now, otherwise why not. */
export async function switchPushOn(): Promise<string | null> {
  try {
    const { public_key, why } = await client.pushStatus();
    if (public_key === null) return why;
    const body = await subscribe(public_key);
    if (body === null) return "this browser can't get push messages";
    const { id } = await client.addPushSubscription(body);
    localStorage.setItem(KEPT, id);
    return null;
  } catch (error) {
    return error instanceof DOMException
      ? "this browser can't reach its push service"
      : errorOf(error).message;
  }
}

export async function switchPushOff(): Promise<void> {
  const id = localStorage.getItem(KEPT);
  localStorage.removeItem(KEPT);
  const worker = await navigator.serviceWorker?.getRegistration();
  const subscription = await worker?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
  if (id !== null) await client.removePushSubscription(id).catch(() => {}); // its service says so with the next message
}

/** A browser renews its subscription now and then, and the daemon drops one that has ended: they meet again here. */
export async function keepPush(): Promise<void> {
  if (isPushed()) await switchPushOn();
}

async function subscribe(publicKey: string) {
  const worker = await navigator.serviceWorker?.getRegistration();
  if (!worker?.pushManager) return null;
  await navigator.serviceWorker.ready; // only an active worker can subscribe
  const key = Uint8Array.from(atob(publicKey.replaceAll("-", "+").replaceAll("_", "/")), (it) =>
    it.charCodeAt(0),
  );
  const known = await worker.pushManager.getSubscription();
  if (known && !isFor(known, key)) await known.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const { endpoint, keys } = (await worker.pushManager.subscribe(options)).toJSON();
  const { p256dh, auth } = keys ?? {};
  return endpoint && p256dh && auth ? { endpoint, keys: { p256dh, auth } } : null;
}

function isFor({ options }: PushSubscription, key: Uint8Array): boolean {
  const own = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return own.length === key.length && own.every((it, at) => it === key[at]);
}
