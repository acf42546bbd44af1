/** Google's `generateContent`, as Gemini CLI uses it, playing scripts. */
import type { Dialect, Said } from "../specs/support/model-server.ts";
import { sse, tool } from "../specs/support/model-server.ts";

export { text, tool } from "../specs/support/model-server.ts";

/** A command, about which the client asks. */
export const shell = (command: string) => tool("run_shell_command", { command, description: "May I?" });

interface Content {
  role?: string;
  parts: { text?: string; functionResponse?: { response?: { output?: string; error?: string } } }[];
}

export const generate: Dialect = {
  read(body) {
    if (!Array.isArray(body.tools) || body.tools.length === 0) return null;
    return (body.contents as Content[]).map(saidIn);
  },
  write(response, step, path) {
    const parts =
      "text" in step
        ? [{ text: step.text }]
        : step.tools.map(({ name, input }) => ({ functionCall: { name, args: input } }));
    const answer = {
      candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      totalTokens: 10,
    };
    if (path.includes("streamGenerateContent")) return sse(response, [answer]);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  },
  failure: (status) => ({ error: { code: status, message: `scripted ${status}`, status: "SCRIPTED" } }),
};

function saidIn({ role, parts }: Content): Said {
  const words = parts.map(({ text, functionResponse }) => {
    const { output, error } = functionResponse?.response ?? {};
    return text ?? output ?? error ?? "";
  });
  return { by: role === "model" ? "model" : "user", text: words.join("\n") };
}
