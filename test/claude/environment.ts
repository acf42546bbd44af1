/**
 * The environment of the real client in a test: it reads nothing of the person's own, and nothing leaves the machine.
 */
import fs from "node:fs";
import path from "node:path";

export function claudeEnv(given: { home: string; config: string; api: string }): Record<string, string> {
  return {
    HOME: given.home,
    CLAUDE_CODE_TMPDIR: given.home, // otherwise it leaves files in the system's folder
    CLAUDE_CONFIG_DIR: given.config,
    ANTHROPIC_BASE_URL: given.api,
    ANTHROPIC_AUTH_TOKEN: "anything",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1", // otherwise each client clones it from GitHub
    CLAUDE_CODE_MAX_RETRIES: "0",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    IS_SANDBOX: "1", // otherwise root may not skip permissions
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    SHELL: "/bin/bash",
  };
}

export function prepareConfig(folder: string, given: { trusted: string | null; onboarded: boolean }): void {
  fs.mkdirSync(folder, { recursive: true });
  const projects = given.trusted === null ? {} : { [given.trusted]: { hasTrustDialogAccepted: true } };
  const config = { hasCompletedOnboarding: given.onboarded, projects };
  fs.writeFileSync(path.join(folder, ".claude.json"), JSON.stringify(config));
}
