/** Every agent client that oj knows, one line each. The rest of a client is in its own folder. */
export { acp } from "../acp/client.ts";
export { claudeCode } from "../claude/client.ts";
export { codex } from "../codex/client.ts";
export { gemini } from "../gemini/client.ts";
export { opencode } from "../opencode/client.ts";
export { scripted } from "../scripted/client.ts";
