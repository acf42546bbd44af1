import assert from "node:assert/strict";
import { it, onTestFinished } from "vitest";
import type { Fact } from "../../src/core/model/events.ts";
import { createdFact, logIn, writeFacts } from "../bench/data.ts";
import { openInbox } from "../bench/screen.ts";
import { hostileTexts, RAW } from "../fakes/hostile-texts.ts";
import { tempProject } from "../specs/support/project.ts";

const ESC = "\u001b";

/** What the inbox itself writes to control the screen, the window's title included; nothing else may. */
const OWN = new RegExp(
  `${ESC}\\[(?:H|K|J|2[23];2t|\\?(?:25|1049|2004)[hl])|${ESC}\\]2;[\\w ()]*\u0007|\\r+\\n`,
  "g",
);

it("hostile text in any field of a decision never controls the terminal", async () => {
  const project = await tempProject();
  const facts = hostileTexts.flatMap((text, at) => [
    hostile(at * 2, text, true),
    hostile(at * 2 + 1, text, false),
  ]);
  const log = logIn(project.stateDir);
  await log.open();
  await writeFacts(log, facts);
  await log.close();
  const { code, stderr } = await project.run("daemon", "start");
  assert.equal(code, 0, stderr);
  const idOf = (n: number) => (createdFact(n) as { id: string }).id;
  const screen = openInbox({ ...project, env: { ...project.env, NO_COLOR: "1" } }, [120, 60]);
  onTestFinished(() => screen.close());
  await screen.shows(`${facts.length} waiting for you`);
  for (let n = 1; n < facts.length; n++) {
    const drawn = screen.shows("▶");
    screen.press("j");
    await drawn;
  }
  const last = screen.shows(idOf(facts.length - 1));
  screen.press("G");
  await last;
  const rest = screen.written().replaceAll(OWN, "");
  assert.ok(rest.length > facts.length * 1000);
  const at = rest.search(RAW);
  assert.equal(at, -1, JSON.stringify(rest.slice(at - 100, at + 20)));
});

/** A prompt or a request made of it. */
function hostile(n: number, text: string, isApproval: boolean): Fact {
  const option = {
    key: text,
    label: text,
    description: text,
    recommended: false,
    action: { type: "answer" },
  };
  const question = {
    question: text,
    header: text,
    multi_select: true,
    options: [{ label: text, description: text }],
  };
  return {
    ...createdFact(n),
    project: text,
    owner: { kind: "requester", id: text, name: text },
    source: isApproval ? "approval" : "question",
    title: text,
    context: text,
    fields: { [text]: text },
    urgency: "medium",
    requested_by: text,
    template: text,
    blocks: [text],
    options: [option, option],
    questions: isApproval ? [] : [question, question],
    action: isApproval ? { tool: text, input: { [text]: text }, sha256: text } : null,
  } as Fact;
}
