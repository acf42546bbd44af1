/** The chat completions of OpenAI's API, as opencode uses them, playing scripts. */
import type { Dialect, Said } from "../specs/support/model-server.ts";
import { sse, tool } from "../specs/support/model-server.ts";

export { text, tool } from "../specs/support/model-server.ts";

/** A command; the client asks about each, because its settings say so. */
export const bash = (command: string) => tool("bash", { command, description: "May I?" });

interface Message {
  role: string;
  content?: string | { text?: string }[] | null;
}

export const completions: Dialect = {
  read(body) {
    if (!Array.isArray(body.tools) || body.tools.length === 0) return null;
    return (body.messages as Message[]).filter((it) => it.role !== "system").map(saidIn);
  },
  write(response, step) {
    const message =
      "text" in step
        ? { content: step.text }
        : {
            tool_calls: step.tools.map(({ name, input }, index) => ({
              index,
              id: `call_${Math.random().toString(36).slice(2)}`,
              type: "function",
              function: { name, arguments: JSON.stringify(input) },
            })),
          };
    const chunk = (delta: object, finish_reason: string | null) => ({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model: "scripted",
      choices: [{ index: 0, delta, finish_reason }],
    });
    const events = [
      chunk({ role: "assistant", ...message }, null),
      chunk({}, "text" in step ? "stop" : "tool_calls"),
      {
        ...chunk({}, null),
        choices: [],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      },
    ];
    sse(response, events, ["[DONE]"]);
  },
  failure: (status) => ({ error: { message: `scripted ${status}`, type: "scripted", code: null } }),
};

function saidIn({ role, content }: Message): Said {
  const words = typeof content === "string" ? content : (content ?? []).map((it) => it.text ?? "").join("\n");
  return { by: role === "assistant" ? "model" : "user", text: words };
}
