/** Channels as they are written in a person's config. What each setting means is up to the channel. */
import type { ChannelKind } from "../core/model/reach-types.ts";
import { CHANNEL_KINDS } from "../core/model/reach-types.ts";
import type { ChannelConfig } from "../core/reach/config-types.ts";
import { suggest } from "../core/text/suggest.ts";
import type { Problems, Table } from "./problems.ts";
import { isTable } from "./problems.ts";

/** There can be several of these: `[channel.webhook.audit]`. */
const NAMED: readonly ChannelKind[] = ["webhook", "exec"];
/** These need no settings, so they need no section. */
const BUILT_IN: readonly ChannelKind[] = ["desktop", "tmux", "push"];

export function readChannels(section: unknown, problems: Problems): Map<string, ChannelConfig> {
  const channels = new Map<string, ChannelConfig>();
  for (const kind of BUILT_IN) channels.set(kind, { name: kind, kind, settings: {} });
  for (const [kind, value] of Object.entries(problems.table("channel", section))) {
    const key = `channel.${kind}`;
    if (!isKind(kind)) {
      const near = suggest(kind, CHANNEL_KINDS);
      const words = near ? `did you mean "${near}"?` : `the kinds are ${CHANNEL_KINDS.join(", ")}`;
      problems.add(key, `is of an unknown kind; ${words}`);
      continue;
    }
    const table = problems.table(key, value);
    if (NAMED.includes(kind)) readNamed(kind, table, channels, problems);
    else add(kind, kind, table, channels, problems);
  }
  return channels;
}

function readNamed(
  kind: ChannelKind,
  table: Table,
  channels: Map<string, ChannelConfig>,
  problems: Problems,
): void {
  for (const [name, value] of Object.entries(table)) {
    const key = `channel.${kind}.${name}`;
    if (!isTable(value)) problems.add(key, `stands outside; each ${kind} has a name: [channel.${kind}.NAME]`);
    else if (problems.name(key, name)) add(`${kind}.${name}`, kind, value, channels, problems);
  }
}

function add(
  name: string,
  kind: ChannelKind,
  settings: Table,
  channels: Map<string, ChannelConfig>,
  problems: Problems,
): void {
  for (const [setting, value] of Object.entries(settings))
    checkSecret(`channel.${name}.${setting}`, value, problems);
  const { undo = 0 } = settings; // the same wherever people answer
  if (typeof undo !== "number" || undo < 0)
    problems.add(`channel.${name}.undo`, "must be a number of seconds from 0 up");
  channels.set(name, { name, kind, settings });
}

const SECRET = /(?:^|_)(?:token|secret|password|passphrase|key)$/;

/** Agents can read this file, so secrets stand in files of their own. The value itself is never repeated. */
function checkSecret(key: string, value: unknown, problems: Problems): void {
  if (SECRET.test(key))
    problems.add(key, `is a secret: write it to a file of mode 0600 and set ${lastOf(key)}_file to its path`);
  else if (typeof value === "string" && /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*:[^/?#]*@/i.test(value))
    problems.add(key, "has a password in it: write that to a file of mode 0600 and name it by password_file");
}

function lastOf(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1);
}

function isKind(text: string): text is ChannelKind {
  return (CHANNEL_KINDS as readonly string[]).includes(text);
}
