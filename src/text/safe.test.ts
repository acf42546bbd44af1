import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { safe, safeJson, safeLine } from "./safe.ts";

const at = (...codes: number[]) => String.fromCodePoint(...codes);
const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Characters that must never reach a terminal, whatever is around them. */
const DENIED = [
  ...from(0x00, 0x08), // C0 except tab and line feed
  ...from(0x0b, 0x1f),
  0x7f,
  ...from(0x80, 0x9f), // C1
  0xad, // soft hyphen
  0x034f, // combining grapheme joiner
  0x061c, // Arabic letter mark
  ...[0x115f, 0x1160, 0x3164, 0xffa0], // Hangul fillers
  ...[0x17b4, 0x17b5], // Khmer inherent vowels
  ...from(0x180b, 0x180f), // Mongolian selectors and vowel separator
  ...from(0x200b, 0x200c), // zero width space and non-joiner
  ...from(0x200e, 0x200f), // direction marks
  ...from(0x2028, 0x202e), // line and paragraph separator, bidi embeddings and overrides
  ...from(0x2060, 0x206f), // word joiner, invisible operators, isolates, deprecated formats
  0x2800, // braille blank
  ...from(0xd800, 0xdfff).filter((code) => code % 97 === 0), // lone surrogates
  ...from(0xfdd0, 0xfdef), // non-characters
  ...from(0xfe00, 0xfe0d), // variation selectors
  0xfeff, // byte order mark
  ...from(0xfff9, 0xfffb), // interlinear annotation
  ...[0xfffe, 0xffff],
  ...from(0x1bca0, 0x1bca3), // shorthand formats
  ...from(0x1d173, 0x1d17a), // musical formats
  ...from(0xe0000, 0xe007f), // tags
  ...from(0xe0100, 0xe01ef), // variation selectors supplement
];

const denied = new Set(DENIED);

/** Known attacks, each with letters around it. */
const ATTACKS = [
  "\u001b[31mred\u001b[0m",
  "\u001b[2J\u001b[H",
  "\u001b]0;title\u0007",
  "\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\",
  "\u001b]52;c;ZXZpbA==\u0007",
  "\u001bP+q544e\u001b\\",
  "\u001b_APC\u001b\\",
  "\u001b^PM\u001b\\",
  "\u009b31m",
  "\u009d0;x\u009c",
  "\u0090q\u009c",
  "approve\rdeny   ",
  "rm -rf /\b\b\b\b\b\b\b\bls",
  "a\u000bb\u000cc",
  "\u0007\u0007\u0007",
  "\u000e line drawing \u000f",
  "user\u202etxt.exe",
  "\u2066hidden\u2069",
  "\u202aembedded\u202c",
  "a\u200bb\u200cc\u200dd",
  "\ufeffleading mark",
  "l\u00adong",
  `tag ${at(0xe0049, 0xe0067, 0xe006e, 0xe006f, 0xe0072, 0xe0065)}`,
  `flag ${at(0x1f3f4, 0xe0067, 0xe0062, 0xe0065, 0xe006e, 0xe0067, 0xe007f)}`,
  `steganography ${at(0x1f600, 0xe0100, 0xe0142, 0xfe00, 0xfe01)}`,
  "two selectors \u2764\ufe0f\ufe0f",
  "selector on a letter a\ufe0f",
  "joiner at the end 👩\u200d",
  "joiner at the start \u200d👩",
  "joiner twice 👩\u200d\u200d👧",
  "joiner with a letter 👩\u200da",
  "line\u2028separator\u2029paragraph",
  "f\u2061(x) \u2062 y \u2063 z \u2064",
  "\ufff9annotated\ufffaannotation\ufffb",
  "\u3164 as a name \uffa0",
  "\u115f\u1160",
  "lone \ud800 high",
  "lone \udc00 low",
  "swapped \udc00\ud800",
  "\u2800\u2800blank\u2800",
  `non-character ${at(0xffff)} ${at(0x1fffe)} ${at(0x10ffff)}`,
  `${at(0x1d173)}music${at(0x1d17a)}`,
  "\u180eMongolian",
  "\u061cArabic mark",
  "NUL\u0000in the middle",
  "DEL\u007fete",
  "next\u0085line",
  "\u001b",
  "\u001b[",
  "\u001b[?1049h",
  "\u001b[6n",
  "\u001bc",
];

const CORPUS = [
  ...ATTACKS,
  ...DENIED.map((code) => `a${at(code)}b`),
  ...DENIED.slice(0, 60).map((code) => at(code).repeat(3)),
];

const hostileIn = (text: string, allowed: readonly number[] = []) =>
  [...text].map((it) => it.codePointAt(0) ?? 0).filter((code) => denied.has(code) && !allowed.includes(code));

describe("text from outside", () => {
  it("has a corpus worth the name", () => assert.ok(CORPUS.length > 600));

  it("reaches the terminal without anything hostile, on several lines", () => {
    for (const text of CORPUS) assert.deepEqual(hostileIn(safe(text)), [], JSON.stringify(text));
  });

  it("reaches the terminal without anything hostile, on one line", () => {
    for (const text of CORPUS) {
      assert.deepEqual(hostileIn(safeLine(text)), [], JSON.stringify(text));
      assert.doesNotMatch(safeLine(text), /[\n\t\r]/);
    }
  });

  it("loses nothing: each hostile character is shown in its place", () => {
    for (const code of DENIED) {
      const shown = safe(`a${at(code)}b`);
      assert.match(shown, /^a(.|\\u\{[0-9a-f]+\})b$/u, code.toString(16));
      assert.notEqual(shown, "ab");
    }
  });

  it("shows control characters as pictures and the rest as escapes", () => {
    assert.equal(safe("\u001b[31m"), "␛[31m");
    assert.equal(safe("a\u202eb"), "a\\u{202e}b");
    assert.equal(safe("\u007f\u009b"), "␡\\u{9b}");
    assert.equal(safe("\ud800"), "\\u{d800}");
  });

  it("keeps line breaks and tabs if it may have several lines", () => {
    assert.equal(safe("a\n\tb\r\nc"), "a\n\tb\nc");
    assert.equal(safe("a\rb"), "a␍b");
  });

  it("has them folded if it must be one line", () => assert.equal(safeLine("a\n\tb\r\nc"), "a⏎␉b⏎c"));

  it("keeps languages and emoji as they are", () => {
    for (const text of [
      "plain ASCII, with {braces} and \\ backslashes",
      "grüße, ça va, naïve, Ελληνικά, Привет",
      "日本語 中文 한국어",
      "नमस्ते ไทย עברית العربية",
      "e\u0301 combining",
      "👍 🎉 ❤️ ☎︎ 1️⃣ #️⃣",
      "👩‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 🇩🇪",
      "non\u00a0breaking and\u3000wide spaces",
    ])
      assert.equal(safe(text), text);
  });

  it("has towers of combining marks cut, and kept off our own words", () => {
    const tower = `Z${"\u0301".repeat(50)}algo`;
    assert.equal(safe(tower), `Z${"\u0301".repeat(6)}⟨44 more marks⟩algo`);
    assert.equal(safe("\u0301a"), "◌\u0301a");
  });

  it("is made safe quickly, however long it is", () => {
    const started = performance.now();
    safe("\u001b[31mred\u001b[0m \u202e".repeat(20_000));
    safe(`Z${"\u0301".repeat(200_000)}`);
    assert.ok(performance.now() - started < 2000);
  });
});

describe("JSON for a terminal", () => {
  it("keeps its value, and contains nothing hostile", () => {
    for (const text of CORPUS) {
      const json = safeJson(JSON.stringify({ text }, null, 2));
      assert.deepEqual(JSON.parse(json), { text });
      assert.deepEqual(hostileIn(json), []);
    }
  });
});
