/** The settings of a Slack channel, as the person's config has them. */

export interface SlackSettings {
  botTokenFile: string;
  /** For Socket Mode; null: what people click comes through the Events API, if at all. */
  appTokenFile: string | null;
  signingSecretFile: string | null;
  /** The room that every card goes to; null: each person gets a direct message. */
  room: string | null;
  apiUrl: string;
}

const KNOWN = ["bot_token_file", "app_token_file", "signing_secret_file", "channel", "api_url"];

/** Returns what is wrong with them instead, a sentence each. */
export function slackSettings(
  name: string,
  settings: Readonly<Record<string, unknown>>,
): { settings: SlackSettings } | { problems: string[] } {
  const at = (key: string) => `channel.${name}.${key}`;
  const problems = Object.keys(settings)
    .filter((it) => !KNOWN.includes(it) && it !== "undo" && it !== "kind")
    .map((it) => `Unknown setting "${at(it)}"`);
  const read = (key: string): string | null => {
    const value = settings[key];
    if (value === undefined) return null;
    if (typeof value === "string" && value.trim() !== "") return value;
    problems.push(`${at(key)} must be a text`);
    return null;
  };
  const botTokenFile = read("bot_token_file");
  const appTokenFile = read("app_token_file");
  const signingSecretFile = read("signing_secret_file");
  const room = read("channel");
  const apiUrl = read("api_url") ?? "https://slack.com/api/";
  if (botTokenFile === null && settings.bot_token_file === undefined)
    problems.push(`${at("bot_token_file")} is missing`);
  if (room !== null && !/^[CGD][A-Z0-9_]+$/.test(room))
    problems.push(`${at("channel")} must be a channel's id such as C0123ABCD, not its name`);
  if (!/^https?:\/\//.test(apiUrl) || !URL.canParse(apiUrl))
    problems.push(`${at("api_url")} must be an address`);
  if (problems.length > 0 || botTokenFile === null) return { problems };
  return { settings: { botTokenFile, appTokenFile, signingSecretFile, room, apiUrl } };
}
