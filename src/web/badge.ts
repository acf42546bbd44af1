/** The window's title and its icon carry how many wait; when that is not known they say so. */
import { useEffect } from "preact/hooks";
import type { Inbox } from "../inbox/model.ts";
import { waiting } from "../inbox/model.ts";

export function useBadge(inbox: Inbox, isIn: boolean): void {
  const known = isIn && inbox.connection === "live";
  const count = waiting(inbox);
  const high = [...inbox.items.values()].some((it) => it.urgency === "high" && it.held === null);
  useEffect(() => {
    document.title = !known ? "(?) Oddjobs" : count === 0 ? "Oddjobs" : `(${count}) Oddjobs`;
    const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    if (link) link.href = icon(known ? count : null, high);
  }, [known, count, high]);
}

const SIZE = 64;

function icon(count: number | null, high: boolean): string {
  const canvas = document.createElement("canvas");
  canvas.width = SIZE;
  canvas.height = SIZE;
  const pen = canvas.getContext("2d");
  if (!pen) return "data:,";
  pen.fillStyle = count === null ? "#6b7682" : count === 0 ? "#1a7f37" : high ? "#b3261e" : "#2b50c8";
  pen.beginPath();
  pen.roundRect(2, 2, SIZE - 4, SIZE - 4, 16);
  pen.fill();
  const text = count === null ? "?" : count === 0 ? "✓" : count > 99 ? "99+" : String(count);
  pen.fillStyle = "#fff";
  pen.font = `700 ${text.length > 2 ? 26 : text.length > 1 ? 36 : 44}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, SIZE / 2, SIZE / 2 + 3);
  return canvas.toDataURL("image/png");
}
