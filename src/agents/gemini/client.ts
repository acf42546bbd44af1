/** Gemini CLI, by ACP: our runner (`oj-acp`) starts it with `--acp`. `docs/adr/0018` says why. */
import { acp, launchBehindRunner } from "../acp/client.ts";
import type { AgentClient } from "../client.ts";
import { geminiSession } from "./session.ts";

/** With one of these it is not interactive. */
const OTHERWISE = /^(-p|--prompt|--prompt=.*|--acp|--experimental-acp|--list-.*|-h|--help|-v|--version)$/;

export const gemini: AgentClient = {
  ...acp,
  kind: "gemini",
  promises: { ...acp.promises, question: null }, // over ACP it asks in words, and waits
  session: geminiSession,
  isStartedBy: (word, args) =>
    /(^|\/)gemini$|^@google\/gemini-cli(@[^/]*)?$|\/@google\/gemini-cli\/bundle\/gemini\.js$/.test(word) &&
    !/^[^-]/.test(args[0] ?? "") &&
    !args.some((it) => OTHERWISE.test(it)),
  launch: (input) => launchBehindRunner(input, "", " --acp"),
};
