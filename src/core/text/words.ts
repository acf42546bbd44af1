/** Wording that several places share. */
import type { Owner } from "../model/decision-types.ts";

/** "feature/login · build", "helper": who waits, in a few words. */
export function ownerName(owner: Owner): string {
  return owner.kind === "job" ? `${owner.name} · ${owner.step}` : owner.name;
}

/** "just now", "3 minutes ago", "2 days ago". A clock that went back gives "just now", never a negative age. */
export function describeAge(ms: number): string {
  const age = shortAge(ms);
  if (age === "now") return "just now";
  const count = Number.parseInt(age, 10);
  const unit = { s: "second", m: "minute", h: "hour", d: "day" }[age.slice(-1)] ?? "day";
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

/** "now", "12s", "3m", "5h", "2d": for columns. */
export function shortAge(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 5) return "now";
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** At most `length` characters, with an ellipsis if there was more. */
export function clipped(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}
