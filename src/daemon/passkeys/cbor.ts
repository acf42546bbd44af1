/**
 * Reads the little CBOR that authenticators send (CTAP2's canonical form): numbers, texts, bytes, lists and maps, all of
 * known length. Everything is hostile: what is longer than the bytes, nested deeply, doubled or of another kind is
 * refused, and nothing is ever read beyond the end.
 */
export type Cbor =
  | number
  | string
  | Buffer
  | boolean
  | null
  | readonly Cbor[]
  | ReadonlyMap<number | string, Cbor>;

export class BadCbor extends Error {}

const MAX_DEPTH = 8;
const MAX_ITEMS = 64;

/** The first value in the bytes, and where it ends. */
export function readCbor(bytes: Buffer, from = 0): { value: Cbor; end: number } {
  let at = from;

  function take(length: number): Buffer {
    if (length > bytes.length - at) throw new BadCbor("it ends too early");
    at += length;
    return bytes.subarray(at - length, at);
  }

  /** The number in or after the first byte; it must be written as short as possible. */
  function argument(info: number): number {
    if (info < 24) return info;
    const size = { 24: 1, 25: 2, 26: 4 }[info];
    if (size === undefined) throw new BadCbor("a length is not known, or too large");
    const value = take(size).readUIntBE(0, size);
    if (value < (size === 1 ? 24 : 2 ** (size * 4)))
      throw new BadCbor("a number is longer than it needs to be");
    return value;
  }

  function items(info: number): number {
    const count = argument(info);
    if (count > MAX_ITEMS) throw new BadCbor("a list is too long");
    return count;
  }

  function map(info: number, depth: number): ReadonlyMap<number | string, Cbor> {
    const found = new Map<number | string, Cbor>();
    for (let left = items(info); left > 0; left--) {
      const key = value(depth + 1);
      if (typeof key !== "number" && typeof key !== "string")
        throw new BadCbor("a key is no number and no text");
      if (found.has(key)) throw new BadCbor("a key is there twice");
      found.set(key, value(depth + 1));
    }
    return found;
  }

  function value(depth: number): Cbor {
    if (depth > MAX_DEPTH) throw new BadCbor("it is nested too deeply");
    const first = take(1)[0] ?? 0;
    const info = first & 0x1f;
    switch (first >> 5) {
      case 0:
        return argument(info);
      case 1:
        return -1 - argument(info);
      case 2:
        return take(argument(info));
      case 3:
        return new TextDecoder("utf-8", { fatal: true }).decode(take(argument(info)));
      case 4:
        return Array.from({ length: items(info) }, () => value(depth + 1));
      case 5:
        return map(info, depth);
      case 7:
        if (info === 20 || info === 21) return info === 21;
        if (info === 22) return null;
        throw new BadCbor("a kind of value is not known here");
      default:
        throw new BadCbor("a kind of value is not known here");
    }
  }

  try {
    return { value: value(0), end: at };
  } catch (error) {
    throw error instanceof BadCbor ? error : new BadCbor("a text is no text");
  }
}
