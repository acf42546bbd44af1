/** Adds to a dialog what its call would do to a file, as the file is when the dialog appears. */
import type { AgentClient } from "../../../agents/client.ts";
import type { Prompt } from "../../../core/model/agent-types.ts";
import { diffOf } from "../../../core/text/file-diff.ts";
import type { Ports } from "../../../ports.ts";

export async function withDiff(
  { readSource }: Pick<Ports, "readSource">,
  { fileChange }: Pick<AgentClient, "fileChange">,
  prompt: Prompt,
  at: { cwd: string; roots: readonly string[] },
): Promise<Prompt> {
  const change = fileChange(prompt);
  if (change === null) return prompt;
  return { ...prompt, diff: diffOf(change, await readSource(change.path, at)) };
}
