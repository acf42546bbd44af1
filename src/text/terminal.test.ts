import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { openTerminal, wholeLines } from "./terminal.ts";

const ESC = "\u001b";
const CSI = `${ESC}[`;

/** Everything that was printed on a small terminal, in the end; also if it arrives letter by letter. */
function read(...parts: string[]): string[] {
  const [whole, cut] = [parts, [...parts.join("")]].map((all) => {
    const terminal = openTerminal({ columns: 10, rows: 4 });
    for (const part of all) terminal.write(part);
    return wholeLines([...terminal.scrolled(), ...terminal.lines()]);
  });
  assert.deepEqual(cut, whole, "it does not matter how it arrives");
  return whole ?? [];
}

describe("what a program printed", () => {
  it("is its lines, those that have left the screen as well", () =>
    assert.deepEqual(read("1\r\n2\r\n3\r\n4\r\n5\r\n6"), ["1", "2", "3", "4", "5", "6"]));

  it("has long lines as one", () =>
    assert.deepEqual(read("0123456789 bcdef\r\nnext"), ["0123456789 bcdef", "next"]));

  it("has a line that fills the width and nothing after it", () =>
    assert.deepEqual(read("0123456789\r\nnext"), ["0123456789", "next"]));

  it("has what was printed last where something was printed over", () =>
    assert.deepEqual(read("10 %\r20 %\r100 %\r\nabc\b\bX"), ["100 %", "aXc"]));

  it("has no colours, titles, links or questions to the terminal", () =>
    assert.deepEqual(
      read(
        `${CSI}1;31mred${CSI}0m ${ESC}]0;title\u0007${ESC}]8;;http://x${ESC}\\link`,
        `${ESC}P+q544e${ESC}\\${CSI}c${CSI}?25l${ESC}(B!`,
      ),
      ["red link!"],
    ));

  it("has wide and joined characters once, in their columns", () =>
    assert.deepEqual(read(`日本${CSI}1;5Hx\r\ne\u0301!`), ["日本x", "e\u0301!"]));

  it("moves on by tabs", () => assert.deepEqual(read("a\tb"), ["a       b"]));
});

describe("what a program drew", () => {
  it("is what is there in the end: lines that it drew again are there once", () =>
    assert.deepEqual(
      read("said\r\n", "* working", `\r${CSI}2K+ working`, `\r${CSI}2Kanswer\r\n> `, `\r${CSI}1A${CSI}Jdone`),
      ["said", "done"],
    ));

  it("is where it moved the cursor", () =>
    assert.deepEqual(read(`${CSI}2;3Hx${CSI}Ay${CSI}1;1Ha${CSI}4dz`), ["a  y", "  x", "", " z"]));

  it("keeps what it cleared, once", () =>
    assert.deepEqual(read("one", `${CSI}2J${CSI}H`, "one", `${CSI}2J${CSI}H`, "two"), ["one", "two"]));

  it("is drawn anew if it cleared the history as well", () =>
    assert.deepEqual(read("1\r\n2\r\n3\r\n4\r\n5", `${CSI}2J${CSI}3J${CSI}H1\r\n2`), ["1", "2"]));

  it("is as it was before, once a full-screen program has ended", () =>
    assert.deepEqual(read("before\r\n", `${CSI}?1049h${CSI}Heditor\r\n\n\n\n\n`, `${CSI}?1049lafter`), [
      "before",
      "after",
    ]));

  it("scrolls only where it said", () =>
    assert.deepEqual(read(`head${CSI}2;3r${CSI}2;1Ha\r\nb\r\nc`), ["head", "b", "c"]));

  it("has what was inserted and deleted", () =>
    assert.deepEqual(read(`abcd${CSI}1;2H${CSI}2P${CSI}@-\r\nx\r\ny${CSI}2;1H${CSI}Lnew${CSI}3;1H${CSI}M`), [
      "a-d",
      "new",
      "y",
    ]));

  it("says that it is drawn", () => {
    const terminal = openTerminal({ columns: 10, rows: 4 });
    terminal.write(`plain ${CSI}32mgreen${CSI}K\r\n`);
    assert.equal(terminal.isDrawn(), false);
    terminal.write(`${CSI}A`);
    assert.equal(terminal.isDrawn(), true);
  });
});

it("takes any bytes, and keeps its size", () => {
  const terminal = openTerminal({ columns: 10, rows: 4 });
  let seed = 7;
  const random = (most: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % most;
  };
  const pieces = [
    ..."ABCDEFGHJKLMPSTXdfhlrsum@",
    ";",
    "?",
    "9",
    "99999",
    "é",
    "日",
    "\r\n",
    "\t",
    "\b",
    "text",
  ];
  for (let n = 0; n < 20_000; n++) {
    const numbers = Array.from({ length: random(3) }, () => random(12)).join(";");
    terminal.write(
      random(2) === 0 ? `${CSI}${numbers}${pieces[random(25)]}` : (pieces[random(pieces.length)] ?? ""),
    );
    if (n % 500 === 0) assert.ok(terminal.lines().length <= 4);
  }
  assert.ok(terminal.lines().every((it) => [...it.text].length <= 10 * 2));
});
