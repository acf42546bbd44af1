/** A response, with what the daemon uses of the platform's `Response`. See `headers.ts` for why it is not that one. */
import { PlainHeaders } from "./headers.ts";

type Stream = ReadableStream<Uint8Array>;

/** What is sent: known in full, or as it comes. */
export type Content = string | Uint8Array | Stream | null;

interface Init {
  status?: number;
  headers?: ConstructorParameters<typeof PlainHeaders>[0];
}

export class PlainResponse {
  readonly status: number;
  readonly headers: PlainHeaders;
  #content: Content;
  #isUsed = false;

  constructor(content?: Content | ArrayBuffer, { status = 200, headers }: Init = {}) {
    this.status = status;
    this.headers = new PlainHeaders(headers);
    this.#content = content instanceof ArrayBuffer ? new Uint8Array(content) : (content ?? null);
    if (typeof content === "string" && !this.headers.has("content-type"))
      this.headers.set("content-type", "text/plain;charset=UTF-8");
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** As it is: a text needs no stream to be sent. */
  get content(): Content {
    return this.#content;
  }

  get body(): Stream | null {
    const content = this.#content;
    if (typeof content !== "string" && !(content instanceof Uint8Array)) return content;
    this.#content = streamOf(Buffer.from(content));
    return this.#content;
  }

  get bodyUsed(): boolean {
    return this.#isUsed;
  }

  async text(): Promise<string> {
    const content = await this.#read();
    return typeof content === "string" ? content : new TextDecoder().decode(content);
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(Buffer.from(await this.#read())).buffer;
  }

  async #read(): Promise<string | Uint8Array> {
    const content = this.#content;
    if (this.#isUsed) throw new TypeError("the body has been read");
    this.#isUsed = true;
    if (content === null) return "";
    if (typeof content === "string" || content instanceof Uint8Array) return content;
    const parts: Uint8Array[] = [];
    for await (const part of content) parts.push(part);
    return Buffer.concat(parts);
  }
}

function streamOf(bytes: Uint8Array): Stream {
  return new ReadableStream({
    start(stream) {
      if (bytes.length > 0) stream.enqueue(bytes);
      stream.close();
    },
  });
}
