/** Installs the adapters before the first test, so that several workers don't install them over each other. */
import { installClaudeAcp, installCodexAcp } from "./install.ts";

export function setup(): void {
  installClaudeAcp();
  installCodexAcp();
}
