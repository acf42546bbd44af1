/** Any other program in a terminal: nothing is known of it but its process, its output and the prompts that the runbook declares. */
import type { AgentClient } from "./client.ts";

export const program: AgentClient = {
  launch: ({ script, values }) => ({
    argv: ["bash", "-c", script],
    env: { ...values },
    files: {},
    saysMessage: false,
  }),
  read: () => null,
  reply: () => null,
  look: () => ({ state: "unknown" }),
  keys: (_prompt, reply, _screen, done) => {
    if (done.length > 0) return { type: "done" };
    if (reply.type !== "keys") return { type: "give-up", reason: "this program's prompt takes keys only" };
    return { type: "press", keys: reply.keys.split(" ") };
  },
  shown: () => null,
  shows: () => true,
  kept: () => ({ open: [], ended: [], last_message: "", error: null }),
  subagentsOf: () => null,
  transcript: (screen) => screen,
  draft: () => "",
  resumes: () => false,
  guard: (text) => text,
};
