/** What a refusal of Slack means: for the notice that is owed, and in words for the person who set it up. */
import type { SlackFailure } from "../../../channel-ports.ts";
import { isSlackFailure } from "../../../channel-ports.ts";
import { ChannelError, isChannelError } from "../channel.ts";

const NO_TOKEN = [
  "token_revoked",
  "token_expired",
  "invalid_auth",
  "not_authed",
  "account_inactive",
  "no_permission",
  "missing_scope",
  "not_allowed_token_type",
];

/** Slack will say the same tomorrow. */
const FINAL = [
  "channel_not_found",
  "user_not_found",
  "users_not_found",
  "not_in_channel",
  "is_archived",
  "cannot_dm_bot",
  "restricted_action",
  "invalid_blocks",
  "invalid_arguments",
  "msg_blocks_too_long",
  "msg_too_long",
  "no_text",
];

/** Somebody removed the message: there is nothing left to rewrite. */
const GONE = [
  "message_not_found",
  "cant_update_message",
  "channel_not_found",
  "is_archived",
  "edit_window_closed",
];

export function sendError(error: Error): ChannelError {
  if (isChannelError(error)) return error;
  if (!isSlackFailure(error)) return new ChannelError(error.message, { isUnsure: true });
  const { code, retryAfterMs } = error;
  const isFinal = FINAL.includes(code) || NO_TOKEN.includes(code);
  return new ChannelError(failureWords(error), { isFinal, retryAfterMs, isUnsure: code === "no_response" });
}

/** A card that can't be rewritten now is rewritten once there is a token again: nothing else could stand in for it. */
export function changeError(error: Error): ChannelError {
  if (!isSlackFailure(error)) return new ChannelError(error.message);
  const isFinal = FINAL.includes(error.code);
  return new ChannelError(failureWords(error), { isFinal, retryAfterMs: error.retryAfterMs });
}

export function isGone(error: Error): boolean {
  return isSlackFailure(error) && GONE.includes(error.code);
}

export function failureWords(error: Error): string {
  if (!isSlackFailure(error)) return error.message;
  if (error.code === "missing_scope") return "Slack: the bot token lacks a permission (missing_scope)";
  return NO_TOKEN.includes(error.code) ? revoked("bot", error.code) : `Slack: ${messageOf(error)}`;
}

/** Why nobody's clicks are heard. */
export function silenceWords(trouble: string): string {
  return NO_TOKEN.includes(trouble) ? revoked("app", trouble) : `nothing is heard from Slack: ${trouble}`;
}

function revoked(which: string, code: string): string {
  return `Slack: the ${which} token was revoked or is wrong (${code})`;
}

function messageOf({ code, message }: SlackFailure): string {
  const words: Record<string, string> = {
    channel_not_found: "there is no such channel, or the app is not in it (channel_not_found)",
    not_in_channel: "the app is not in the channel: invite it there (not_in_channel)",
    user_not_found: "there is no such person (user_not_found)",
    is_archived: "the channel is archived (is_archived)",
  };
  return words[code] ?? message;
}
