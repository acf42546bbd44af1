/**
 * A scripted model on loopback, in the language of any client's API. `#s:NAME` in what the user says chooses the script,
 * and the number of the model's turns after it is the step; so resumed conversations work.
 */
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Model } from "./real-client.ts";

export type Step =
  | { text: string }
  | { tools: { name: string; input: object }[] }
  /** An HTTP error, once or so many times; then the next step. */
  | { status: number; times?: number; next: Step };

export const text = (words: string): Step => ({ text: words });
export const tool = (name: string, input: object): Step => ({ tools: [{ name, input }] });

/** A message of the conversation that a client sends along. */
export interface Said {
  by: "user" | "model";
  /** The words, or what came of a tool. */
  text: string;
}

/** How a client and its model talk. */
export interface Dialect {
  /** Null if the request is not about a conversation: a title, for instance. */
  read(body: Record<string, unknown>): Said[] | null;
  write(response: http.ServerResponse, step: Exclude<Step, { status: number }>, path: string): void;
  failure(status: number): object;
}

export interface ModelServer extends Model {
  url: string;
  close(): Promise<void>;
}

export async function startModelServer(
  scripts: Record<string, Step[]>,
  dialect: Dialect,
): Promise<ModelServer> {
  const requests: ModelServer["requests"] = [];
  const failed = new Map<string, number>();

  function play(step: Step, response: http.ServerResponse, name: string, path: string): void {
    if (!("status" in step)) return dialect.write(response, step, path);
    const before = failed.get(name) ?? 0;
    if (before >= (step.times ?? 1)) return play(step.next, response, name, path);
    failed.set(name, before + 1);
    response.writeHead(step.status, { "content-type": "application/json" });
    response.end(JSON.stringify(dialect.failure(step.status)));
  }

  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const path = request.url ?? "";
      if (request.method !== "POST") return void response.writeHead(404).end();
      const said = dialect.read(JSON.parse(Buffer.concat(parts).toString("utf8")));
      const place = said && placeOf(said);
      if (!said || !place) return dialect.write(response, { text: "A title" }, path);
      requests.push({ ...place, heard: heardIn(said), at: performance.now() });
      const step = scripts[place.script]?.[place.step] ?? text(`${place.script} has no step ${place.step}`);
      play(step, response, `${place.script} ${place.step}`, path);
    });
  });
  server.keepAliveTimeout = 600_000; // otherwise it hangs up just when a client may send its next request
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    heard: (script, step) =>
      requests.findLast((it) => it.script === script && it.step === step)?.heard ?? null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function placeOf(said: readonly Said[]): { script: string; step: number } | null {
  const at = said.findLastIndex((it) => it.by === "user" && /#s:[\w-]+/.test(it.text));
  const script = [...(said[at]?.text ?? "").matchAll(/#s:([\w-]+)/g)].at(-1)?.[1];
  if (script === undefined) return null;
  return { script, step: said.slice(at + 1).filter((it) => it.by === "model").length };
}

function heardIn(said: readonly Said[]): string {
  const news = said.slice(said.findLastIndex((it) => it.by === "model") + 1);
  return news.map((it) => it.text).join("\n");
}

export function sse(response: http.ServerResponse, events: readonly unknown[], last: string[] = []): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const it of events) response.write(`data: ${JSON.stringify(it)}\n\n`);
  for (const it of last) response.write(`data: ${it}\n\n`);
  response.end();
}
