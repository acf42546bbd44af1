/** The page's side of its service worker: it is registered, and sends the page where a notification leads. */
import { decisionPath, go } from "./route.ts";

/** Browsers have workers only where a page can't be tampered with: on this machine, or by https. */
export function startWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const { type, decision } = (data ?? {}) as { type?: unknown; decision?: unknown };
    if (type !== "open") return;
    go(typeof decision === "string" ? decisionPath(decision) : "#/");
  });
  navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(() => {}); // the page does without
}
