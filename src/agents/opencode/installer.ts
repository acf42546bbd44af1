/** `oj init opencode`: our plugin, in a file of its own. */
import type { HookInstaller } from "../setup.ts";
import { NotSettings } from "../setup.ts";
import { isUnchanged, pluginText } from "./plugin.ts";
import { MARK, opencodeSetup } from "./setup.ts";

export const opencodeInstaller: HookInstaller = {
  setup: opencodeSetup,
  put(text, wanted) {
    if (text !== null) checkOurs(text);
    return pluginText(wanted);
  },
  take(text) {
    if (!text.startsWith(MARK)) return text;
    checkOurs(text);
    return null;
  },
  unread: () => null,
  dialogs: () =>
    "its permissions and questions are in your inbox and in its terminal; the first answer wins, there or here",
  stops: () =>
    "when it stops, its last words are in your inbox; a reply from there is its next prompt, and its terminal stays free",
  plugin: null,
  events: () => ["session", "prompt", "permission", "question", "tool", "idle"],
};

/** Whatever somebody wrote or changed is theirs. A plugin that another version of oj wrote is ours. */
function checkOurs(text: string): void {
  if (!text.startsWith(MARK)) throw new NotSettings("it is not our plugin");
  if (!isUnchanged(text)) throw new NotSettings("somebody has changed our plugin");
}
