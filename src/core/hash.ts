/** A canonical text of any JSON, and SHA-256 of a text. Pure, as core may import nothing; approvals are bound by it. */

/** The same value always gives the same text: keys in order, no blanks. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, it]) => it !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, it]) => `${JSON.stringify(key)}:${canonical(it)}`).join(",")}}`;
}

export function sha256(text: string): string {
  const bytes = padded(new TextEncoder().encode(text));
  const hash = Uint32Array.from(INITIAL);
  const words = new Uint32Array(64);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + i * 4);
    for (let i = 16; i < 64; i++) words[i] = extended(words, i);
    compress(hash, words);
  }
  return [...hash].map((it) => it.toString(16).padStart(8, "0")).join("");
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

function extended(words: Uint32Array, i: number): number {
  const [a, b, c, d] = [at(words, i - 16), at(words, i - 15), at(words, i - 7), at(words, i - 2)];
  const small = turn(b, 7) ^ turn(b, 18) ^ (b >>> 3);
  const big = turn(d, 17) ^ turn(d, 19) ^ (d >>> 10);
  return (a + small + c + big) | 0;
}

function compress(hash: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < 64; i++) {
    const one =
      (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + at(K, i) + at(words, i)) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((it, i) => {
    hash[i] = at(hash, i) + it;
  });
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function at(words: Uint32Array, i: number): number {
  return words[i] ?? 0;
}

/** The first 32 bits of the fractional parts of the roots of the first primes: square roots to begin with, cube roots for each round. */
const PRIMES = primes(64);
const INITIAL = PRIMES.slice(0, 8).map((it) => fraction(Math.sqrt(it)));
const K = Uint32Array.from(PRIMES.map((it) => fraction(Math.cbrt(it))));

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((it) => n % it !== 0)) found.push(n);
  return found;
}

function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32);
}
