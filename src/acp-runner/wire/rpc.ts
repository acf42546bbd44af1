/** JSON-RPC over lines, both ways. What arrives is hostile: a line that is no message of ours is ignored. */
import type { Readable, Writable } from "node:stream";

export type Params = Record<string, unknown>;

/** Answers a request of the other side; throws `RpcError` to refuse. */
export type Handler = (method: string, params: Params) => Promise<unknown>;

export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;
const INTERNAL = -32603;
/** A longer line is no message. */
const MAX_LINE = 64_000_000;

/** What the other side asks and tells. */
export interface PeerEvents {
  request: Handler;
  notice(method: string, params: Params): void;
}

export interface Peer {
  /** Whether a request of the other side still waits for its answer; without it, all do. */
  isOpen?(id: string): boolean;
  /** Whether it has come up; without it, that is not known. */
  isUp?(): boolean;
  request(method: string, params: Params): Promise<unknown>;
  notify(method: string, params: Params): void;
}

export function startPeer(input: Readable, output: Writable, on: PeerEvents): Peer {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let last = 0;
  const send = (message: Params) => void output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  output.on("error", () => {}); // its end says the same

  let rest = "";
  input.setEncoding("utf8");
  input.on("data", (part: string) => {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE) rest = "";
    for (const line of lines) receive(line);
  });

  function receive(line: string): void {
    const message = objectIn(line);
    if (!message) return;
    const { id, method, error, result } = message;
    if (typeof method !== "string") {
      const asked = typeof id === "number" ? waiting.get(id) : undefined;
      if (!asked) return;
      waiting.delete(id as number);
      if (isObject(error)) asked.reject(new RpcError(Number(error.code) || INTERNAL, wordsOf(error)));
      else asked.resolve(result);
      return;
    }
    const params = isObject(message.params) ? message.params : {};
    if (id === undefined || id === null) return on.notice(method, params);
    on.request(method, params).then(
      (value) => send({ id, result: value ?? {} }),
      (failure: Error) => {
        const code = failure instanceof RpcError ? failure.code : INTERNAL;
        send({ id, error: { code, message: failure.message } });
      },
    );
  }

  return {
    request(method, params) {
      const id = ++last;
      send({ id, method, params });
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    notify: (method, params) => send({ method, params }),
  };
}

export function unknownMethod(method: string): RpcError {
  return new RpcError(METHOD_NOT_FOUND, `unknown method ${method}`);
}

/** Programs often put what went wrong into `data`, or pass on the JSON that they were sent. */
export function wordsOf({ message, data }: Params): string {
  const inner = typeof message === "string" ? objectIn(message)?.error : null;
  if (isObject(inner) && typeof inner.message === "string")
    return [inner.code, inner.message].filter((it) => it !== undefined).join(" ");
  const details = isObject(data) ? (data.details ?? data.message) : data;
  const more = typeof details === "string" && details !== "" ? `: ${details}` : "";
  return `${typeof message === "string" ? message : "error"}${more}`;
}

function objectIn(line: string): Params | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is Params {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
