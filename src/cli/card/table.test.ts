import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import { widthOf } from "../../text/layout.ts";
import { plain } from "../base/output.ts";
import { countsLine, decisionTable } from "./table.ts";

const look = { style: plain, now: NOW, all: false };
const ship = decision({ urgency: "high" });
const bot = { kind: "requester", id: "bot", name: "bot" } as const;
const ask = decision({
  id: "dec-p4qp4qp4qp",
  source: "request",
  owner: bot,
  title: "Which\ndatabase?",
  created_at_ms: NOW,
});

describe("a list of decisions", () => {
  it("has one line for each", () =>
    assert.equal(
      decisionTable([ship, ask], look),
      `ID              URGENCY  SOURCE   AGE  WHO                 TITLE
dec-7k3m9x2p4q  high     step     3m   release/1.0 · ship  Ship 1.0?
dec-p4qp4qp4qp  medium   request  now  bot                 Which⏎database?`,
    ));

  it("names projects if there are several", () => {
    const text = decisionTable([ship, { ...ask, project: "blog" }], look);
    assert.match(text, /^ID {14}PROJECT {2}/);
    assert.match(text, /^dec-p4qp4qp4qp {2}blog /m);
  });

  it("shows the state and the answer of each if settled ones are included", () => {
    const answer = {
      chosen: 1,
      choices: [[1]],
      labels: ["Ship it"],
      text: null,
      message: null,
      by: "ana",
      via: "cli" as const,
      resolved_at_ms: NOW,
    };
    assert.match(
      decisionTable([decision({ state: "resolved", answer })], { ...look, all: true }),
      /resolved {2}medium .* Ship 1\.0\? → Ship it$/,
    );
  });

  it("leaves out urgencies that say nothing when room is scarce", () => {
    const one = { ...ask, title: "A question that is so long that it takes most of a line" };
    assert.equal(
      decisionTable([one], { ...look, width: 80 }),
      `ID              SOURCE   AGE  WHO  TITLE
dec-p4qp4qp4qp  request  now  bot  A question that is so long that it takes mos…`,
    );
  });

  it("tells askers with the same name apart", () => {
    const owner = { kind: "job", id: "job-x9y8z7w6v5", name: "release/1.0", step: "ship" } as const;
    const other = { ...ship, owner };
    assert.match(
      decisionTable([ship, other, ask], look),
      / release\/1\.0 a2b3 · ship {2}.*\n.* release\/1\.0 x9y8 · ship {2}.*\n.* bot /,
    );
  });

  it("puts titles below when there is no room beside", () => {
    const long = { ...ship, title: "A question that is so long that it takes most of a line" };
    assert.equal(
      decisionTable([long], { ...look, width: 79 }),
      `ID              URGENCY  SOURCE  AGE  WHO
dec-7k3m9x2p4q  high     step    3m   release/1.0 · ship
    A question that is so long that it takes most of a line`,
    );
    for (const width of [48, 64, 80, 100]) {
      const lines = decisionTable([long, { ...ask, project: "another-project" }], { ...look, width }).split(
        "\n",
      );
      for (const line of lines) assert.ok(widthOf(line) <= Math.max(width, 60), `${width}: ${line}`);
    }
  });

  it("counts what is pending", () => {
    assert.equal(countsLine([ship, ask]), "2 decisions waiting for an answer: 1 high, 1 medium");
    assert.equal(
      countsLine([ship, decision({ state: "withdrawn" })]),
      "1 decision waiting for an answer: 1 high; 1 settled",
    );
    assert.equal(
      countsLine([decision({ state: "withdrawn" })]),
      "0 decisions waiting for an answer; 1 settled",
    );
  });
});
