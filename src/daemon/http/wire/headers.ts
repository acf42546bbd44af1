/**
 * The headers of a message, with what the daemon uses of the platform's `Headers`. The first use of that one loads a
 * whole HTTP client.
 */

type Pairs = Iterable<readonly [string, string]>;

const NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
const UNSENDABLE = /[\0\r\n\u0100-\uffff]/;
const SPACE_AROUND = /^[\t\n\r ]+|[\t\n\r ]+$/g;
const COOKIE = "set-cookie";

export class PlainHeaders {
  readonly #values = new Map<string, string>();
  /** Each of them is a line of its own: they can't be joined. */
  #cookies: string[] = [];

  constructor(init?: Pairs | Readonly<Record<string, string>> | null) {
    if (init === undefined || init === null) return;
    const pairs = Symbol.iterator in init ? (init as Pairs) : Object.entries(init);
    for (const [name, value] of pairs) this.append(name, value);
  }

  append(name: string, value: string): void {
    const [key, text] = [keyOf(name), textOf(name, value)];
    if (key === COOKIE) this.#cookies.push(text);
    const before = this.#values.get(key);
    this.#values.set(key, before === undefined ? text : `${before}${key === "cookie" ? "; " : ", "}${text}`);
  }

  set(name: string, value: string): void {
    const [key, text] = [keyOf(name), textOf(name, value)];
    if (key === COOKIE) this.#cookies = [text];
    this.#values.set(key, text);
  }

  delete(name: string): void {
    const key = keyOf(name);
    if (key === COOKIE) this.#cookies = [];
    this.#values.delete(key);
  }

  get(name: string): string | null {
    return this.#values.get(keyOf(name)) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(keyOf(name));
  }

  getSetCookie(): string[] {
    return [...this.#cookies];
  }

  *entries(): IterableIterator<[string, string]> {
    for (const key of [...this.#values.keys()].sort())
      if (key === COOKIE) for (const cookie of this.#cookies) yield [key, cookie];
      else yield [key, this.#values.get(key) ?? ""];
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }

  forEach(visit: (value: string, name: string) => void): void {
    for (const [name, value] of this) visit(value, name);
  }
}

function keyOf(name: string): string {
  if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} can't be the name of a header`);
  return name.toLowerCase();
}

function textOf(name: string, value: string): string {
  const text = `${value}`.replace(SPACE_AROUND, "");
  if (UNSENDABLE.test(text)) throw new TypeError(`the value of the header ${name} can't be sent`);
  return text;
}
