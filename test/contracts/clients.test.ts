/** Every client's adapter against what the real client said. */
import * as claude from "../../src/agents/claude/version.ts";
import * as codex from "../../src/agents/codex/version.ts";
import * as gemini from "../../src/agents/gemini/version.ts";
import * as list from "../../src/agents/known/list.ts";
import * as opencode from "../../src/agents/opencode/version.ts";
import { clientContract } from "./client.contract.ts";
import { hearAcp, hearHooks, hearServer } from "./client-replay.ts";

const all = { question: true, error: true };

clientContract({
  client: list.claudeCode,
  version: claude.TESTED_VERSION,
  name: "claude-2.1.325",
  tells: all,
  hear: hearHooks(list.claudeCode),
});
clientContract({
  client: list.codex,
  version: codex.TESTED_VERSION,
  name: "codex-0.166.0",
  tells: { question: false, error: false },
  hear: hearHooks(list.codex),
});
clientContract({
  client: list.opencode,
  version: opencode.TESTED_VERSION,
  name: "opencode-1.18.33-play",
  tells: all,
  hear: hearServer(list.opencode, "opencode"),
});
clientContract({
  client: list.gemini,
  version: gemini.TESTED_VERSION,
  name: "gemini-0.61.0",
  tells: { question: false, error: true },
  hear: hearAcp(list.gemini, "gemini-cli"),
});
