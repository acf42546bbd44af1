/** What is peculiar to programs that we tried, by the name that each gives itself. */
import type { Params } from "./wire/rpc.ts";
import { isObject } from "./wire/rpc.ts";

export interface Ways {
  /** It gives no input of a command, but its whole text as the title of the call. */
  titlesAreCommands: boolean;
  /** It forgets what it was told if the model failed before it said anything. */
  forgets: boolean;
  /** It reads a file before it creates it, and takes any error for the end of the matter. */
  readsBeforeCreating: boolean;
  /** Whether an update says that the turn has failed, for a program that then says why and ends it as any other. */
  saysFailed(update: Params): boolean;
}

const USUAL: Ways = {
  titlesAreCommands: false,
  forgets: false,
  readsBeforeCreating: false,
  saysFailed: () => false,
};

/** Gemini CLI 0.61.0. */
const GEMINI: Ways = { ...USUAL, titlesAreCommands: true, forgets: true, readsBeforeCreating: true };

/** codex-acp 2.6.0. */
const CODEX_ACP: Ways = {
  ...USUAL,
  saysFailed({ _meta }) {
    const codex = isObject(_meta) && isObject(_meta.codex) ? _meta.codex : {};
    return isObject(codex.threadStatus) && codex.threadStatus.type === "systemError";
  },
};

export function waysOf(program: string): Ways {
  if (program === "@agentclientprotocol/codex-acp") return CODEX_ACP;
  return program === "gemini-cli" ? GEMINI : USUAL;
}
