import assert from "node:assert/strict";
import { it } from "vitest";
import { fakePorts } from "../../../../test/fakes/ports.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import { Unreachable } from "../../../ports.ts";
import { screenStream } from "./screen-stream.ts";

const ID: AgentId = "agt-2345678923";

async function setup() {
  const { terminals, clock } = fakePorts();
  const gone = new AbortController();
  let left = 0;
  let looks = 0;
  let hangs = false;
  const { screen } = terminals;
  terminals.screen = async (...input) => {
    looks += 1;
    if (hangs) throw new Unreachable("tmux did not answer for 5 s");
    return screen(...input);
  };
  await terminals.start({ agent_id: ID, argv: ["x"], cwd: "/", env: {}, columns: 80, rows: 24 });
  const program = terminals.program(ID);
  program.setScreen("one");
  const stream = screenStream(
    { terminals, clock },
    ID,
    { ansi: false, history: 0 },
    gone.signal,
    () => left++,
  );
  const reader = stream.getReader();
  const read = async () => Buffer.from((await reader.read()).value ?? []).toString("utf8");
  const screenOf = async () =>
    (JSON.parse((await read()).replace(/^data: /, "")) as { screen: string }).screen;
  /** Draws the screen, and reports that something was printed. */
  const draw = (text: string) => {
    program.print("x");
    program.setScreen(text);
  };
  const hang = (how: boolean) => {
    hangs = how;
  };
  return { clock, gone, program, reader, read, screenOf, draw, hang, left: () => left, looks: () => looks };
}

it("the stream shows the screen at once, and again when it has changed", async () => {
  const { clock, screenOf, draw } = await setup();
  assert.match(await screenOf(), /^one/);
  draw("two");
  const next = screenOf();
  clock.pass(100);
  assert.match(await next, /^two/);
});

it("the stream looks at most ten times a second, and only at the newest screen", async () => {
  const { clock, screenOf, draw, looks } = await setup();
  await screenOf();
  const next = screenOf();
  for (let n = 0; n < 500; n++) {
    draw(`frame ${n}`);
    await settled();
  }
  assert.equal(looks(), 1);
  clock.pass(100);
  assert.match(await next, /^frame 499/);
  assert.equal(looks(), 2);
});

it("the stream looks at nothing while nobody reads", async () => {
  const { clock, screenOf, draw, looks } = await setup();
  await screenOf();
  for (let n = 0; n < 20; n++) {
    draw(`frame ${n}`);
    clock.pass(1000);
    await settled();
  }
  assert.equal(looks(), 1);
});

it("the stream is silent while the screen stays the same, except for a sign of life", async () => {
  const { clock, screenOf, read, draw } = await setup();
  await screenOf();
  const next = read();
  draw("one");
  clock.pass(100);
  await settled();
  clock.pass(30_000);
  assert.equal(await next, ": still here\n\n");
});

it("the stream goes on after the terminal did not respond for a while, and looks once a second meanwhile", async () => {
  const { clock, screenOf, read, draw, hang, looks } = await setup();
  await screenOf();
  hang(true);
  for (let n = 0; n < 3; n++) {
    const next = read();
    if (n === 0) draw("two");
    clock.pass(100);
    await settled();
    assert.equal(looks(), 2 + n);
    clock.pass(1000);
    assert.equal(await next, ": still here\n\n");
  }
  hang(false);
  assert.match(await screenOf(), /^two/);
});

it("the stream ends with the agent", async () => {
  const { screenOf, read, reader, program, left } = await setup();
  await screenOf();
  const next = read();
  program.end(0);
  assert.equal(await next, "event: ended\ndata: {}\n\n");
  assert.equal((await reader.read()).done, true);
  assert.equal(left(), 1);
});

it("the stream stops when its reader has gone, however that shows", async () => {
  const one = await setup();
  await one.screenOf();
  await one.reader.cancel();
  assert.equal(one.left(), 1);
  const other = await setup();
  await other.screenOf();
  const next = other.reader.read();
  other.gone.abort();
  assert.equal((await next).done, true);
  assert.equal(other.left(), 1);
});
