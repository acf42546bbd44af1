/** The settings under `[channel.webhook.NAME]`. */
import type { EventName } from "../../../channels/webhook/event.ts";
import { EVENTS } from "../../../channels/webhook/event.ts";
import { Refusal } from "../../../core/model/errors.ts";
import type { ChannelConfig } from "../../../core/reach/config-types.ts";
import { isPrivate, literalIn, PrivateAddress } from "./addresses.ts";

export interface WebhookSettings {
  url: URL;
  secretFile: string;
  events: readonly EventName[];
  allowPrivate: boolean;
}

const KNOWN = ["url", "secret_file", "events", "allow_private"];
const USUAL: readonly EventName[] = ["decision.created", "decision.settled"];

export function readSettings({ name, settings }: ChannelConfig): WebhookSettings {
  const other = Object.keys(settings).find((it) => !KNOWN.includes(it));
  if (other !== undefined) throw invalid(`Unknown setting "channel.${name}.${other}"`);
  const { url, secret_file, events = USUAL, allow_private = false } = settings;
  if (typeof secret_file !== "string") throw invalid(`channel.${name}.secret_file is missing`);
  if (typeof allow_private !== "boolean")
    throw invalid(`channel.${name}.allow_private must be true or false`);
  const to = addressOf(name, url);
  const literal = literalIn(to);
  if (!allow_private && literal !== null && isPrivate(literal))
    throw invalid(`channel.${name}.url: ${new PrivateAddress(literal, literal).message}`);
  return { url: to, secretFile: secret_file, events: eventsOf(name, events), allowPrivate: allow_private };
}

function addressOf(name: string, url: unknown): URL {
  const found = typeof url === "string" && URL.canParse(url) ? new URL(url) : null;
  if (!found || !/^https?:$/.test(found.protocol))
    throw invalid(`channel.${name}.url must be an address that begins with https://`);
  if (found.username !== "" || found.password !== "")
    throw invalid(`channel.${name}.url must not have a password in it`);
  return found;
}

function eventsOf(name: string, events: unknown): EventName[] {
  const all: readonly string[] = EVENTS;
  const bad = Array.isArray(events) ? events.find((it) => !all.includes(it)) : events;
  if (bad === undefined && Array.isArray(events) && events.length > 0) return events as EventName[];
  throw invalid(`channel.${name}.events must be a list of some of ${EVENTS.join(", ")}`);
}

function invalid(message: string): Refusal {
  return new Refusal("config.invalid", message, null);
}
