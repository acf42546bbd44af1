import assert from "node:assert/strict";
import { it } from "vitest";
import { BadCbor, readCbor } from "./cbor.ts";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

it("reads what authenticators send", () => {
  for (const [text, value] of [
    ["00", 0],
    ["17", 23],
    ["18 18", 24],
    ["19 0100", 256],
    ["1a 00010000", 65_536],
    ["26", -7],
    ["39 0100", -257],
    ["43 010203", Buffer.from([1, 2, 3])],
    ["63 616263", "abc"],
    ["82 01 f5", [1, true]],
    [
      "a2 01 02 61 61 f6",
      new Map<string | number, unknown>([
        [1, 2],
        ["a", null],
      ]),
    ],
  ] as const)
    assert.deepEqual(readCbor(hex(text)), { value, end: hex(text).length }, text);
});

it("stops where the first value ends", () => {
  assert.deepEqual(readCbor(hex("ff 02 03"), 1), { value: 2, end: 2 });
});

it("refuses everything else, and never reads on beyond the end", () => {
  const table: Record<string, string> = {
    nothing: "",
    "a text that is longer than the bytes": "7a ffffffff 61",
    "bytes that are longer than the bytes": "58 ff 00",
    "a list that is longer than the bytes": "9a 00ffffff",
    "a list of a million": "9a 000f4240 00",
    "a map of a million": "ba 000f4240 00",
    "eight bytes of length": "5b 0000000000000001 00",
    "a length that is not known": "5f 41 00 ff",
    "a number that is too long": "18 01",
    "another that is too long": "19 0001",
    "a third that is too long": "1a 00000001",
    "a key that is there twice": "a2 01 02 01 03",
    "a key that is a list": "a1 80 01",
    "a key that is bytes": "a1 41 00 01",
    "a tag": "c0 60",
    "a float": "fb 3ff0000000000000",
    undefined: "f7",
    "a text that is no text": "62 ff fe",
    "a map that ends too early": "a1 01",
  };
  for (const [what, text] of Object.entries(table)) assert.throws(() => readCbor(hex(text)), BadCbor, what);
  assert.throws(() => readCbor(Buffer.alloc(10_000, 0x81)), /nested too deeply/);
  assert.throws(() => readCbor(Buffer.alloc(10_000, 0xa1)), BadCbor);
});

it("survives any bytes at all", () => {
  let seed = 1;
  const next = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31);
  for (let n = 0; n < 20_000; n++) {
    const bytes = Buffer.from(Array.from({ length: next() % 40 }, () => next() >> 8));
    try {
      assert.ok(readCbor(bytes).end <= bytes.length);
    } catch (error) {
      assert.ok(error instanceof BadCbor, String(error));
    }
  }
});
