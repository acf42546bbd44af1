import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { followedLog, renderedLog } from "./rendered-log.ts";

const CSI = "\u001b[";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function log(make: typeof renderedLog, last: number | null = null) {
  const shown: string[] = [];
  const { text, end } = make((it) => shown.push(...it.split("\n")), last);
  const taken = () => shown.splice(0);
  return { text, end, taken };
}

describe("a log that is shown", () => {
  it("has the last lines of the screen, not of the bytes", () => {
    const { text, end, taken } = log(renderedLog, 2);
    text("one\r\ntwo\r\nthree\r\n");
    for (let n = 0; n < 50; n++) text(`\r${CSI}2K${n}`);
    end();
    assert.deepEqual(taken(), ["three", "49"]);
  });

  it("shows what a terminal would obey", () => {
    const { text, end, taken } = log(renderedLog);
    text("a\u202eb\u009b31m");
    end();
    assert.doesNotMatch(taken().join(), /[\u202e\u0080-\u009f]/);
  });
});

describe("a log that is followed", () => {
  it("shows a line as soon as it is complete, if the program only prints", () => {
    const { text, end, taken } = log(followedLog);
    text("old\r\n");
    vi.advanceTimersByTime(300);
    assert.deepEqual(taken(), ["old"]);
    text("one\r\ntw");
    assert.deepEqual(taken(), ["one"]);
    text("o\r\n\r\none\r\n");
    assert.deepEqual(taken(), ["two", "", "one"]);
    for (let n = 0; n < 100; n++) text(`line ${n}\r\n`);
    assert.equal(taken().length, 100);
    text("half");
    end();
    assert.deepEqual(taken(), ["half"]);
  });

  it("begins with the last lines, if so many were asked for", () => {
    const { text, taken } = log(followedLog, 1);
    text("1\r\n2\r\n3\r\n");
    vi.advanceTimersByTime(300);
    assert.deepEqual(taken(), ["3"]);
  });

  it("shows what a program drew when it rests, and nothing of that twice", () => {
    const { text, end, taken } = log(followedLog);
    vi.advanceTimersByTime(300);
    text(`${CSI}Hsaid\r\n* working`);
    for (let n = 0; n < 20; n++) {
      vi.advanceTimersByTime(200);
      text(`\r${CSI}2K* working ${n}`);
    }
    vi.advanceTimersByTime(1000);
    assert.deepEqual(taken(), ["said", "* working 19"]);
    text(`\r${CSI}2Kanswered\r\n> `);
    vi.advanceTimersByTime(1000);
    assert.deepEqual(taken(), ["answered", ">"]);
    text(`\r${CSI}2K${Array.from({ length: 60 }, (_, n) => `more ${n}`).join("\r\n")}`);
    end();
    assert.deepEqual(
      taken(),
      Array.from({ length: 60 }, (_, n) => `more ${n}`),
    );
  });
});
