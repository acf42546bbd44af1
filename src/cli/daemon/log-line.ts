/** A line of the daemon's log, as a person reads it. */

import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";

/** `2026-07-30 14:03:22  info   started  version=0.1.0 pid=4242` */
export function logLine(text: string, style: Style): string {
  const parsed = parse(text);
  if (!parsed) return safeLine(text);
  const { at_ms, level, message, ...fields } = parsed;
  const rest = Object.entries(fields).map(([name, value]) => `${safeLine(name)}=${shown(value)}`);
  const head = `${style.dim(timeOf(at_ms))}  ${levelColour(String(level), style)(String(level).padEnd(5))}  ${safeLine(String(message))}`;
  return rest.length === 0 ? head : `${head}  ${style.dim(rest.join(" "))}`;
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : null;
  } catch {
    return null; // cut off in the middle by a crash
  }
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return safeLine(typeof value === "string" && /[\s"=]/.test(value) ? JSON.stringify(value) : text);
}

function timeOf(at: unknown): string {
  if (typeof at !== "number" || Number.isNaN(new Date(at).getTime())) return "                   ";
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

function levelColour(level: string, style: Style): (text: string) => string {
  if (level === "error") return style.red;
  return level === "warn" ? style.yellow : style.dim;
}
