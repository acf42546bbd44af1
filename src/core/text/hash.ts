/**
 * The canonical text of any JSON, and the SHA-256 of a text. Pure,
 * because core may import nothing. Approvals are bound to this hash.
 */

/** The same value always gives the same text: keys sorted, no whitespace. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, it]) => it !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, it]) => `${JSON.stringify(key)}:${canonical(it)}`).join(",")}}`;
}

export function sha256(text: string): string {
  const bytes = padded(new TextEncoder().encode(text));
  const hash = Int32Array.from(INITIAL);
  const words = new Int32Array(64);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + i * 4);
    for (let i = 16; i < 64; i++) words[i] = extended(words, i);
    compress(hash, words);
  }
  return [...hash].map((it) => (it >>> 0).toString(16).padStart(8, "0")).join("");
}

function padded(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const size = Math.ceil((bytes.length + 9) / 64) * 64;
  const all = new Uint8Array(size);
  all.set(bytes);
  all[bytes.length] = 0x80;
  const view = new DataView(all.buffer);
  view.setUint32(size - 8, Math.floor((bytes.length * 8) / 2 ** 32));
  view.setUint32(size - 4, (bytes.length * 8) >>> 0);
  return all;
}

function extended(words: Int32Array, i: number): number {
  const b = at(words, i - 15);
  const d = at(words, i - 2);
  const small = rotate(b, 7) ^ rotate(b, 18) ^ (b >>> 3);
  const big = rotate(d, 17) ^ rotate(d, 19) ^ (d >>> 10);
  return (at(words, i - 16) + small + at(words, i - 7) + big) | 0;
}

/** Plain assignments for speed: a tool call may carry megabytes, and the daemon would spend its time here. */
function compress(hash: Int32Array, words: Int32Array): void {
  let a = at(hash, 0);
  let b = at(hash, 1);
  let c = at(hash, 2);
  let d = at(hash, 3);
  let e = at(hash, 4);
  let f = at(hash, 5);
  let g = at(hash, 6);
  let h = at(hash, 7);
  for (let i = 0; i < 64; i++) {
    const one =
      (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + at(K, i) + at(words, i)) |
      0;
    const two = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  hash[0] = at(hash, 0) + a;
  hash[1] = at(hash, 1) + b;
  hash[2] = at(hash, 2) + c;
  hash[3] = at(hash, 3) + d;
  hash[4] = at(hash, 4) + e;
  hash[5] = at(hash, 5) + f;
  hash[6] = at(hash, 6) + g;
  hash[7] = at(hash, 7) + h;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function at(words: Int32Array, i: number): number {
  return words[i] as number;
}

/**
 * The first 32 bits of the fractional parts of the roots of the first
 * primes: square roots for the initial hash, cube roots for the rounds.
 */
const PRIMES = primes(64);
const INITIAL = PRIMES.slice(0, 8).map((it) => fraction(Math.sqrt(it)));
const K = Int32Array.from(PRIMES.map((it) => fraction(Math.cbrt(it))));

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((it) => n % it !== 0)) found.push(n);
  return found;
}

function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32);
}
