/** Keeps the beginning or the end of a stream of bytes, within a limit, and says what it left out. */

export interface Keeper {
  add(part: Buffer): void;
  /** As text, without the final line end. Bytes that are not UTF-8 become U+FFFD. */
  text(): string;
}

export function keeper(maxBytes: number, end: "head" | "tail"): Keeper {
  let kept: Buffer = Buffer.alloc(0);
  let total = 0;
  return {
    add(part) {
      total += part.length;
      if (end === "head") {
        if (kept.length < maxBytes) kept = Buffer.concat([kept, part.subarray(0, maxBytes - kept.length)]);
        return;
      }
      const tail = part.length >= maxBytes ? part.subarray(part.length - maxBytes) : part;
      kept = Buffer.concat([kept.subarray(Math.max(0, kept.length + tail.length - maxBytes)), tail]);
    },
    text() {
      const text = kept.toString("utf8").replace(/\r?\n$/, "");
      const left = total - kept.length;
      if (left === 0) return text;
      return end === "head"
        ? `${text}\n… (${left} more bytes were left out)`
        : `(${left} bytes before this were left out) …\n${text}`;
    },
  };
}
