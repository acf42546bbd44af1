/** What the service worker uses of its global scope. Libraries for pages and for workers can't be in one program. */

interface Waiting {
  waitUntil(work: Promise<unknown>): void;
}

export interface PushNews extends Waiting {
  data: { text(): string } | null;
}

export interface Pressed extends Waiting {
  /** The button's number; empty for the notification itself. */
  action: string;
  notification: { data: unknown; tag: string; title: string; close(): void };
}

export interface Fetched extends Waiting {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

/** A page of ours. */
export interface Tab {
  url: string;
  visibilityState: "visible" | "hidden";
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}

/** As `NotificationOptions`, with what only notifications of a worker have. */
export interface Note extends NotificationOptions {
  renotify?: boolean;
  actions?: { action: string; title: string }[];
}

export interface Scope {
  location: { origin: string };
  registration: { showNotification(title: string, note: Note): Promise<void> };
  clients: {
    claim(): Promise<void>;
    matchAll(which: { type: "window"; includeUncontrolled: true }): Promise<readonly Tab[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  fetch(request: Request | string, init?: RequestInit): Promise<Response>;
  addEventListener(type: "install" | "activate", handle: (event: Waiting) => void): void;
  addEventListener(type: "push", handle: (event: PushNews) => void): void;
  addEventListener(type: "notificationclick", handle: (event: Pressed) => void): void;
  addEventListener(type: "fetch", handle: (event: Fetched) => void): void;
}
