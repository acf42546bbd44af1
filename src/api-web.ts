/** What travels about the inbox for browsers: how one gets in, which are, and what they show of the past. */
import type { Event } from "./core/events.ts";

/** What is recorded about a decision or a job, oldest first. `next`: where to go on; null: that is all. */
export interface TimelineView {
  events: Event[];
  next: number | null;
}

export interface WebLoginView {
  id: string;
  /** Who made the link, and answers there. */
  user: string;
  /** What the browser calls itself: outside text. */
  browser: string;
  created_at_ms: number;
  /** To the hour. */
  used_at_ms: number;
}

/** Where to open it; without a login of one's own only once, and until then. */
export interface WebLink {
  url: string;
  expires_at_ms: number;
}

/** The calls about it. */
export interface WebCalls {
  decisionEvents(id: string, query?: { after?: number }): Promise<TimelineView>;
  /** Of the job and of the decisions that it owns. */
  jobEvents(id: string, query?: { after?: number }): Promise<TimelineView>;
  /** A link that logs one browser in; it shows that decision, if one is given. */
  makeWebLink(input: { decision?: string }): Promise<WebLink>;
  webLogins(): Promise<WebLoginView[]>;
  /** Ends that one, or all, and the links that nobody has used. */
  endWebLogins(id: string | null): Promise<{ ended: number }>;
}
