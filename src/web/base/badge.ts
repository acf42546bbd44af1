/** The window's title and icon, which show how many decisions wait, or that the number is unknown. */
import { useEffect, useMemo } from "preact/hooks";
import { loudnessOf } from "../../inbox/card/waits.ts";
import type { Inbox } from "../../inbox/model.ts";
import { waiting } from "../../inbox/model.ts";

export function useBadge(inbox: Inbox, isIn: boolean): void {
  const known = isIn && inbox.connection === "live";
  const count = waiting(inbox);
  const text = !known ? "?" : count === 0 ? "✓" : count > 99 ? "99+" : String(count);
  const high = useMemo(
    () => [...inbox.items.values()].some((it) => loudnessOf(it) === "high" && it.held === null),
    [inbox.items],
  );
  useEffect(() => {
    document.title = !known ? "(?) Oddjobs" : count === 0 ? "Oddjobs" : `(${count}) Oddjobs`;
  }, [known, count]);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    if (link)
      link.href = icon(text, !known ? "#6b7682" : count === 0 ? "#1a7f37" : high ? "#b3261e" : "#2b50c8");
  }, [text, high]);
}

const SIZE = 64;

function icon(text: string, colour: string): string {
  const canvas = document.createElement("canvas");
  canvas.width = SIZE;
  canvas.height = SIZE;
  const pen = canvas.getContext("2d");
  if (!pen) return "data:,";
  pen.fillStyle = colour;
  pen.beginPath();
  pen.roundRect(2, 2, SIZE - 4, SIZE - 4, 16);
  pen.fill();
  pen.fillStyle = "#fff";
  pen.font = `700 ${text.length > 2 ? 26 : text.length > 1 ? 36 : 44}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, SIZE / 2, SIZE / 2 + 3);
  return canvas.toDataURL("image/png");
}
