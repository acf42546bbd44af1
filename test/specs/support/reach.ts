/**
 * A project whose person has people, channels and routes in their own config.
 *
 *     const project = await reachProject(`[channel.slack] …`, { "slack-token": "xoxb-…" });
 *     const id = await project.ask("Ship it?");
 *     await project.told(id, "slack");
 */
import fs from "node:fs";
import path from "node:path";
import type { Given, Project } from "./project.ts";
import { tempProject } from "./project.ts";

export interface NoticeView {
  channel: string;
  to: string;
  state: string;
  at_ms: number;
  error: string | null;
}

export interface ToldDecision {
  id: string;
  state: string;
  title: string;
  notices: NoticeView[];
  not_notified: string | null;
  answer: { by: string; via: string; labels: string[] } | null;
  claimed: { by: string; until_ms: number } | null;
  delivery: { state: string };
}

export interface ReachProject extends Project {
  /** Asks as an agent or script would, and does not wait for the answer. */
  ask(prompt: string, ...more: string[]): Promise<string>;
  show(id: string): Promise<ToldDecision>;
  /** Waits until a notice of this kind is in this state. */
  told(id: string, channel: string, state?: string): Promise<NoticeView>;
  /** Replaces the person's config; the daemon notices by itself. */
  configure(config: string): void;
}

/** `secrets` are written to files of mode 0600 beside the config, so `token_file = "NAME"` finds them. */
export async function reachProject(
  config: string,
  secrets: Record<string, string> = {},
  files: Record<string, string> = {},
  given: Given = {},
): Promise<ReachProject> {
  const project = await tempProject(files, given);
  const dir = path.join(project.home, ".config/oj");
  fs.mkdirSync(dir, { recursive: true });
  const configure = (text: string) => {
    fs.writeFileSync(path.join(dir, "config.toml.new"), text);
    fs.renameSync(path.join(dir, "config.toml.new"), path.join(dir, "config.toml"));
  };
  configure(config);
  for (const [name, text] of Object.entries(secrets))
    fs.writeFileSync(path.join(dir, name), text, { mode: 0o600 });
  const show = (id: string) => project.json<ToldDecision>("decision", "show", id);
  return Object.assign(project, {
    configure,
    show,
    async ask(prompt: string, ...more: string[]) {
      const options = more.includes("--option") ? [] : ["--option", "Yes", "--option", "No"];
      const asked = ["decision", "request", "--prompt", prompt, ...options, ...more];
      return (await project.json<{ id: string }>(...asked)).id;
    },
    told(id: string, channel: string, state = "sent") {
      const find = async () =>
        (await show(id)).notices.find((it) => it.channel === channel && it.state === state);
      return project.until(find, `a notice by ${channel} that is ${state}`);
    },
  });
}
