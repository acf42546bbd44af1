/** What Slack sends when somebody clicks, submits or types a command, read with the care that outside data needs. */
import type { Click } from "./clicks.ts";
import { clickIn } from "./clicks.ts";
import type { Place } from "./place.ts";
import { object, text } from "./place.ts";
import type { Asked } from "./submission.ts";
import { askedIn } from "./submission.ts";

export type Incoming =
  | { type: "click"; user: string; place: Place; trigger_id: string; click: Click }
  | { type: "submit"; user: string; view_id: string; asked: Asked; values: unknown }
  | { type: "command"; user: string; place: Place }
  | { type: "nothing" };

/** `kind` is the envelope's type in Socket Mode: `interactive`, `slash_commands`. */
export function incomingFrom(kind: string, payload: unknown): Incoming {
  const given = object(payload);
  if (kind === "slash_commands") return commandIn(given);
  if (kind !== "interactive") return NOTHING;
  const user = text(object(given.user).id);
  if (user === null) return NOTHING;
  if (given.type === "block_actions") return clickFrom(given, user);
  if (given.type !== "view_submission") return NOTHING;
  const view = object(given.view);
  const asked = askedIn(view.private_metadata);
  const view_id = text(view.id);
  if (asked === null || view_id === null) return NOTHING;
  return { type: "submit", user, view_id, asked, values: object(view.state).values };
}

const NOTHING: Incoming = { type: "nothing" };

function clickFrom(given: Record<string, unknown>, user: string): Incoming {
  const [action] = Array.isArray(given.actions) ? given.actions : [];
  const click = clickIn(object(action).action_id, object(action).value);
  const trigger_id = text(given.trigger_id);
  if (click === null || trigger_id === null) return NOTHING;
  const container = object(given.container);
  const isPrivate = container.is_ephemeral === true;
  const place = {
    channel: text(object(given.channel).id) ?? text(container.channel_id),
    ts: isPrivate ? null : (text(object(given.message).ts) ?? text(container.message_ts)),
    response_url: text(given.response_url),
  };
  return { type: "click", user, place, trigger_id, click };
}

function commandIn(given: Record<string, unknown>): Incoming {
  const user = text(given.user_id);
  if (user === null) return NOTHING;
  const place = { channel: text(given.channel_id), ts: null, response_url: text(given.response_url) };
  return { type: "command", user, place };
}
