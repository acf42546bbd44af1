/** What each kind of channel needs before it works: its settings, its secrets, and what only a person can do. */
import { slackManifest } from "../../channels/slack/manifest.ts";
import type { ChannelKind } from "../../core/model/reach-types.ts";

export interface Recipe {
  /** The lines of its section. What is a choice begins with "# ". */
  settings: readonly string[];
  /** Files with a secret, beside the settings; made if they are absent. */
  secrets: readonly { file: string; generated?: string }[];
  /** Files that are no secret. */
  files: readonly { file: string; text: string }[];
  /** What is left to do, in order. `FILE:name` is the path of a file above. */
  steps: readonly string[];
}

export interface Wanted {
  /** For kinds of which there can be several. */
  name: string;
  url: string | null;
  /** A secret that nobody else has. */
  secret(): string;
}

const person = (key: string, value: string) =>
  `add ${key} = "${value}" to a [person.NAME] in FILE:config.toml`;
const ROUTE = "name the channel in the via of a [[route]] there, or leave via out to use every channel";

export const RECIPES: Record<ChannelKind, (wanted: Wanted) => Recipe> = {
  desktop: () => ({
    settings: [],
    secrets: [],
    files: [],
    steps: ['put "desktop" into the via of a [[route]]'],
  }),
  tmux: () => ({ settings: [], secrets: [], files: [], steps: ['put "tmux" into the via of a [[route]]'] }),
  slack: () => ({
    settings: [
      'bot_token_file = "slack-bot-token"',
      'app_token_file = "slack-app-token"',
      '# channel = "C0123456789"    # a room for everybody; without it, direct messages',
    ],
    secrets: [{ file: "slack-bot-token" }, { file: "slack-app-token" }],
    files: [{ file: "slack-app-manifest.json", text: `${JSON.stringify(slackManifest(null), null, 2)}\n` }],
    steps: [
      "open https://api.slack.com/apps, Create New App, From a manifest, and paste FILE:slack-app-manifest.json",
      "Install App: copy the Bot User OAuth Token (xoxb-…) into FILE:slack-bot-token",
      "Basic Information, App-Level Tokens: make one with connections:write (xapp-…), copy it into FILE:slack-app-token",
      person("slack", "U012AB3CD"),
      ROUTE,
    ],
  }),
  mail: () => ({
    settings: [
      'smtp = "smtp://127.0.0.1:25"',
      'from = "Oddjobs <oj@example.com>"',
      '# user = "oj"                            # a server that wants a login',
      '# password_file = "mail-password"',
      '# reply_to = "oj+{token}@example.com"    # replies by mail: see docs/channels/mail.md',
    ],
    secrets: [{ file: "mail-password" }],
    files: [],
    steps: [
      "set smtp and from in FILE:config.toml; a password belongs into FILE:mail-password",
      person("mail", "ana@example.com"),
      ROUTE,
    ],
  }),
  push: () => ({
    settings: [],
    secrets: [],
    files: [],
    steps: ["open the web inbox (oj web) in each browser, and press Notices there", ROUTE],
  }),
  ntfy: () => ({
    settings: ['url = "https://ntfy.sh"', '# token_file = "ntfy-token"    # a server with access control'],
    secrets: [],
    files: [],
    steps: ["subscribe to a topic that nobody guesses, in the app", person("ntfy", "oj-ana-7f3k"), ROUTE],
  }),
  telegram: () => ({
    settings: ['bot_token_file = "telegram-token"'],
    secrets: [{ file: "telegram-token" }],
    files: [],
    steps: [
      "write /newbot to @BotFather in Telegram, and copy the token into FILE:telegram-token",
      "write anything to your new bot, so that it may write to you",
      person("telegram", "123456789"),
      ROUTE,
    ],
  }),
  webhook: ({ name, url, secret }) => ({
    settings: [
      `url = ${JSON.stringify(url ?? "https://example.com/hook")}`,
      `secret_file = "${name}-secret"`,
      'events = ["decision.created", "decision.settled"]',
    ],
    secrets: [{ file: `${name}-secret`, generated: secret() }],
    files: [],
    steps: [
      ...(url === null ? ["set url in FILE:config.toml"] : []),
      `give the receiver what is in FILE:${name}-secret: it proves that messages are yours`,
    ],
  }),
  exec: ({ name }) => ({
    settings: [`command = ["${name}"]`],
    secrets: [],
    files: [],
    steps: ["set command in FILE:config.toml: a program that gets JSON on its standard input", ROUTE],
  }),
};
