/** Every kind of channel: a bundle of its own, loaded when the first channel is configured. */
import type { ChannelKind } from "../../../core/model/reach-types.ts";
import type { MakeChannel } from "../channel.ts";
import { make as desktop } from "./desktop.ts";
import { make as exec } from "./exec.ts";
import { make as mail } from "./mail.ts";
import { make as ntfy } from "./ntfy.ts";
import { make as push } from "./push.ts";
import { make as slack } from "./slack.ts";
import { make as telegram } from "./telegram.ts";
import { make as tmux } from "./tmux.ts";
import { make as webhook } from "./webhook.ts";

export const makers: Readonly<Record<ChannelKind, MakeChannel>> = {
  desktop,
  exec,
  mail,
  ntfy,
  push,
  slack,
  telegram,
  tmux,
  webhook,
};
