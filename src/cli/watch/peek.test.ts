import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import { desk, VIEW } from "../../../test/fakes/inbox.ts";
import { widthOf } from "../../text/layout.ts";
import { plain } from "../base/output.ts";
import { frame } from "./frame.ts";
import { screenText } from "./peek.ts";

const red = (text: string) => `\u001b[31m${text}\u001b[0m`;

/** What an agent's terminal may contain, with colours, so that a line has several pieces. */
const SCREEN = [
  `${red("日本語")}の${red("テスト")} passed`,
  `${red("한국어")}${"각".normalize("NFD")} 한글`,
  `${red("👩‍👩‍👧")}👍🏽${red("❤️")} 🇩🇪 1️⃣ done`,
  `${red("cafe\u0301")} नमस्ते ${red("e\u0302\u0301")}x`,
  `plain ${red("red")} plain`,
  "ｆｕｌｌ ｗｉｄｔｈ",
].join("\n");

const linesAt = (width: number) => screenText(SCREEN, width, { coloured: false });

describe("an agent's terminal in the inbox", () => {
  for (const width of [1, 2, 3, 4, 5, 7, 10, 16, 40])
    it(`is nowhere wider than ${width} columns`, () => {
      for (const line of linesAt(width)) assert.ok(widthOf(line) <= width, `${widthOf(line)}: ${line}`);
    });

  it("gives a wide letter two columns, whatever piece it is in", () => {
    const [line] = screenText(`${red("日本")}${red("語")}abc`, 8, { coloured: false });
    assert.equal(line, "日本語a…");
  });

  it("cuts no emoji apart, and no letter from its marks", () => {
    assert.deepEqual(screenText(`${red("👩‍👩‍👧")}👍🏽👍🏽`, 5, { coloured: false }), ["👩‍👩‍👧👍🏽…"]);
    assert.deepEqual(screenText(`${red("cafe\u0301")}cafe\u0301`, 5, { coloured: false }), ["cafe\u0301…"]);
  });

  it("shows all of what fits to the column", () =>
    assert.deepEqual(linesAt(16), [
      "日本語のテスト …",
      `한국어${"각".normalize("NFD")} 한글`,
      "👩‍👩‍👧👍🏽❤️ 🇩🇪 1️⃣ do…",
      "cafe\u0301 नमस्ते e\u0302\u0301x",
      "plain red plain",
      "ｆｕｌｌ ｗｉｄ…",
    ]));

  it("keeps its heading within a narrow window", () => {
    const it = desk(decision({ agent_id: "agt-7k3m9x2p4q" }));
    it.press("p");
    assert.equal(it.inbox.mode.type, "peek");
    for (const columns of [20, 30, 44]) {
      const { lines } = frame(it.inbox, {
        columns,
        rows: 8,
        now: NOW,
        style: plain,
        view: VIEW,
        peeked: linesAt(columns),
      });
      for (const line of lines) assert.ok(widthOf(line) <= columns, line);
    }
  });
});
