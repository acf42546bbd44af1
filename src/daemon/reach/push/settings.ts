/** The settings under `[channel.push]`. */
import { Refusal } from "../../../core/model/errors.ts";
import type { ChannelConfig } from "../../../core/reach/config-types.ts";

/** Whom a push service writes to if our messages cause trouble. */
const NOBODY = "mailto:oj@localhost";

export interface PushSettings {
  subject: string;
  /** Nobody set it. Apple's service wants a real one. */
  isDefault: boolean;
}

export function readSettings({ name, settings }: ChannelConfig): PushSettings {
  const other = Object.keys(settings).find((it) => it !== "subject" && it !== "undo");
  if (other !== undefined) throw invalid(`Unknown setting "channel.${name}.${other}"`);
  const { subject } = settings;
  if (subject === undefined) return { subject: NOBODY, isDefault: true };
  if (typeof subject !== "string" || !/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(subject))
    throw invalid(`channel.${name}.subject must be a mailto: or https: address`);
  return { subject, isDefault: false };
}

function invalid(message: string): Refusal {
  return new Refusal("config.invalid", message, 'subject = "mailto:you@example.com"');
}
