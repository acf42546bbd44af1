/**
 * What the service worker does: shows push messages, opens what was clicked, sends the answer of a button, and says so
 * when the daemon can't be reached. It keeps nothing: no page, no response, no secret.
 */
import { offlinePage } from "./offline.ts";
import { press } from "./press.ts";
import type { Scope } from "./scope.ts";
import { showPush } from "./show.ts";

export function work(scope: Scope): void {
  scope.addEventListener("install", (event) => event.waitUntil(scope.skipWaiting()));
  scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));
  scope.addEventListener("push", (event) => event.waitUntil(showPush(scope, event.data?.text() ?? "")));
  scope.addEventListener("notificationclick", (event) => event.waitUntil(press(scope, event)));
  scope.addEventListener("fetch", (event) => {
    // The page itself, when somebody opens it. Everything else goes its own way, as if no worker were here.
    if (event.request.mode !== "navigate" || event.request.method !== "GET") return;
    if (new URL(event.request.url).pathname !== "/") return;
    event.respondWith(scope.fetch(event.request).catch(offlinePage));
  });
}
