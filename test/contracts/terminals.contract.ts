/** What every implementation of the terminals guarantees, whatever they are. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "vitest";
import type { AgentId } from "../../src/core/model/ids.ts";
import type { Terminals } from "../../src/ports.ts";
import { until } from "./temp.ts";

/** A program in a terminal that does what the test says. */
export interface Program {
  /** Rejects when it is gone. */
  seen(): Promise<Seen>;
  print(text: string): Promise<void>;
  exit(code: number): Promise<void>;
  die(signal: NodeJS.Signals): Promise<void>;
}

export interface Seen {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  columns: number;
  rows: number;
  input: string;
}

export interface ProgramInput {
  args?: string[];
  env?: Record<string, string>;
  bracketed?: boolean;
}

export interface TerminalsUnderTest {
  terminals: Terminals;
  /** Where programs are started; 80 columns, 24 rows. */
  cwd: string;
  start(agent_id: AgentId, input?: ProgramInput): Promise<Program>;
  /** Lets go of the terminals; returns what the next daemon would use, which starts after `meanwhile`. */
  restart(meanwhile?: () => Promise<void>): Promise<Terminals>;
}

const never = new AbortController().signal;

export async function read(terminals: Terminals, id: AgentId, lines: number | null = null): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of terminals.output(id, { lines, follow: false, abort: never })) parts.push(part);
  return Buffer.concat(parts).toString().replaceAll("\r", "");
}

export function witness(terminals: Terminals) {
  const exits: unknown[] = [];
  const printed: AgentId[] = [];
  const stop = terminals.watch({
    exited: (id, { code, signal }) => exits.push([id, code ?? signal]),
    printed: (id) => printed.push(id),
  });
  return { exits, printed, stop };
}

export function terminalsContract(name: string, make: () => Promise<TerminalsUnderTest>): void {
  describe(`${name}, which provides terminals,`, () => {
    let terminals: Terminals;
    let world: TerminalsUnderTest;
    beforeEach(async () => {
      world = await make();
      terminals = world.terminals;
    });
    const infoOf = async (id: AgentId) => (await terminals.list()).find((it) => it.agent_id === id);

    it("has none at first", async () => {
      assert.deepEqual(await terminals.list(), []);
    });

    it("starts a program with its arguments, its environment and its folder", async () => {
      const args = ["a b", "$HOME", "'\"", "", "ü→😀"];
      const program = await world.start("agt-1", { args, env: { COLOUR: "red  $x" } });
      const seen = await program.seen();
      assert.deepEqual(seen.args, args);
      assert.equal(seen.cwd, world.cwd);
      assert.equal(seen.env.COLOUR, "red  $x");
      assert.deepEqual([seen.columns, seen.rows], [80, 24]);
      const info = await infoOf("agt-1");
      const expected = { agent_id: "agt-1", alive: true, pid: null, exit: null, attached: false };
      assert.deepEqual({ ...info, pid: null }, expected);
      assert.ok(Number(info?.pid) > 0);
    });

    it("has one terminal per agent, even if its program has ended", async () => {
      const program = await world.start("agt-1");
      await assert.rejects(world.start("agt-1"), /agt-1 already has a terminal/);
      await program.exit(0);
      await until(async () => (await infoOf("agt-1"))?.alive === false);
      await assert.rejects(world.start("agt-1"), /agt-1 already has a terminal/);
      await terminals.kill("agt-1");
      await world.start("agt-1");
    });

    it("tells how each program ended, once", async () => {
      const { exits } = witness(terminals);
      await (await world.start("agt-1")).exit(7);
      await (await world.start("agt-2")).die("SIGKILL");
      await until(() => exits.length === 2);
      assert.deepEqual(exits.sort(), [
        ["agt-1", 7],
        ["agt-2", "SIGKILL"],
      ]);
      assert.deepEqual(await infoOf("agt-1"), {
        agent_id: "agt-1",
        alive: false,
        attached: false,
        pid: null,
        exit: { code: 7, signal: null },
      });
      assert.deepEqual((await infoOf("agt-2"))?.exit, { code: null, signal: "SIGKILL" });
      await terminals.kill("agt-1");
      await terminals.list();
      assert.equal(exits.length, 2);
    });

    it("pastes text as a terminal does", async () => {
      const program = await world.start("agt-1");
      await terminals.paste("agt-1", "Enter; -l $x\n'two' ü→😀");
      await until(async () => (await program.seen()).input === "Enter; -l $x\r'two' ü→😀");
      await terminals.paste("agt-1", "");
      await assert.rejects(terminals.paste("agt-1", "a\0b"), /NUL/);
    });

    it("brackets a paste if the program asks for it", async () => {
      const program = await world.start("agt-1", { bracketed: true });
      await terminals.paste("agt-1", "one\ntwo");
      await until(async () => (await program.seen()).input === "\u001b[200~one\rtwo\u001b[201~");
    });

    it("presses keys by their names, and refuses unknown ones", async () => {
      const program = await world.start("agt-1");
      await terminals.press("agt-1", ["1", "Down", "C-u", "Tab", "é", "-", "Enter"]);
      await until(async () => (await program.seen()).input === "1\u001b[B\u0015\té-\r");
      await assert.rejects(terminals.press("agt-1", ["1", "Entr"]), /"Entr" is not a key/);
      await terminals.press("agt-1", ["x"]);
      await until(async () => (await program.seen()).input.endsWith("\rx"));
    });

    it("types onto what somebody saw, and nothing once the screen has changed", async () => {
      const program = await world.start("agt-1");
      const asked = "Run rm -rf $HOME/{a,b}, #(touch x) [c] 100%: \\d+ *?";
      await program.print(
        `long gone\r\n${"\r\n".repeat(30)}${asked}\r\n ❯ 1. Ja, für 名前\r\nEsc to cancel\r\n`,
      );
      await until(async () => (await terminals.screen("agt-1")).endsWith("Esc to cancel"));
      const none: string[] = [];
      const rows: [what: string, shows: string[], lacks: string[], isTyped: boolean][] = [
        ["whatever is there", none, none, true],
        ["a line", [asked], none, true],
        ["lines with other characters", ["❯ 1. Ja, für 名前", asked], none, true],
        ["what no letter tells", ["名前 ❯"], ["名前"], true],
        ["words that are not there", none, ["Enter to select"], true],
        ["another line", ["Run rm -rf $HOME/{c}"], none, false],
        ["the beginning of a line", ["Run rm -rf $HOME/{a,b}"], none, false],
        ["one of two lines", [asked, "Yes, always"], none, false],
        ["words that are there", [asked], ["Enter to select", "Esc to cancel"], false],
        ["what has scrolled off", ["long gone"], none, false],
      ];
      let input = "";
      for (const [what, shows, lacks, isTyped] of rows) {
        const typing = [
          terminals.press("agt-1", ["y"], { shows, lacks }),
          terminals.paste("agt-1", "z", { shows, lacks }),
        ];
        for (const it of await Promise.allSettled(typing))
          assert.equal(it.status === "fulfilled" ? null : it.reason.name, isTyped ? null : "Changed", what);
        if (isTyped) input += "yz";
      }
      await terminals.press("agt-1", ["x"]);
      await until(async () => (await program.seen()).input.endsWith("x"));
      assert.equal((await program.seen()).input, `${input}x`);
    });

    it("shows the screen, and what has scrolled off it", async () => {
      const program = await world.start("agt-1");
      const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
      await program.print(`${lines.join("   \r\n")}\r\n\r\n`);
      await until(async () => (await terminals.screen("agt-1")).endsWith("line 39"));
      assert.equal(await terminals.screen("agt-1"), lines.slice(18).join("\n"));
      assert.equal(await terminals.screen("agt-1", { history: 5 }), lines.slice(13).join("\n"));
      assert.equal(await terminals.screen("agt-1", { history: 5000 }), lines.join("\n"));
    });

    it("still shows the screen of a program that has ended", async () => {
      const program = await world.start("agt-1");
      await program.print("famous last words");
      await program.exit(1);
      await until(async () => (await infoOf("agt-1"))?.alive === false);
      assert.equal(await terminals.screen("agt-1"), "famous last words");
    });

    it("resizes a terminal", async () => {
      const program = await world.start("agt-1");
      await terminals.resize("agt-1", 101, 33);
      await until(async () => (await program.seen()).columns === 101);
      assert.equal((await program.seen()).rows, 33);
    });

    it("keeps what was printed, and returns all of it or its last lines", async () => {
      const program = await world.start("agt-1");
      assert.equal(await read(terminals, "agt-1"), "");
      await program.print("one\r\ntwo\r\nthree\r\n");
      await until(async () => (await read(terminals, "agt-1")) === "one\ntwo\nthree\n");
      assert.equal(await read(terminals, "agt-1", 2), "two\nthree\n");
      assert.equal(await read(terminals, "agt-1", 0), "");
      assert.equal(await read(terminals, "agt-1", 99), "one\ntwo\nthree\n");
    });

    it("streams what is printed until told to stop", async () => {
      const program = await world.start("agt-1");
      await program.print("before ");
      await until(async () => (await read(terminals, "agt-1")) === "before ");
      const stop = new AbortController();
      let seen = "";
      const following = (async () => {
        const parts = terminals.output("agt-1", { lines: null, follow: true, abort: stop.signal });
        for await (const part of parts) seen += part;
      })();
      await until(() => seen === "before ");
      await program.print("after ");
      await until(() => seen === "before after ");
      await program.print("later");
      await until(() => seen === "before after later");
      stop.abort();
      await following;
    });

    it("reports output as long as somebody watches", async () => {
      const program = await world.start("agt-1");
      const { printed, stop } = witness(terminals);
      await program.print("x");
      await until(() => printed.includes("agt-1"));
      stop();
      const before = printed.length;
      await program.print("y");
      await until(async () => (await read(terminals, "agt-1")) === "xy");
      assert.equal(printed.length, before);
    });

    it("tells when a terminal last printed, to the next daemon too", async () => {
      assert.equal(await terminals.printedAt("agt-1"), null);
      const before = Date.now();
      const program = await world.start("agt-1");
      await program.print("x");
      await until(async () => (await read(terminals, "agt-1")) === "x");
      const at = (await (await world.restart()).printedAt("agt-1")) ?? 0;
      assert.ok(at >= before - 1000 && at <= Date.now() + 1000, `${at}`);
    });

    it("kills a terminal with its program, reports that once, and keeps its output", async () => {
      const { exits } = witness(terminals);
      const program = await world.start("agt-1");
      await program.print("kept");
      await until(async () => (await read(terminals, "agt-1")) === "kept");
      await terminals.kill("agt-1");
      assert.deepEqual(await terminals.list(), []);
      assert.deepEqual(exits, [["agt-1", "SIGTERM"]]);
      assert.equal(await read(terminals, "agt-1"), "kept");
      await terminals.kill("agt-1");
      await terminals.purge("agt-1");
      assert.equal(await read(terminals, "agt-1"), "");
      assert.equal(exits.length, 1);
    });

    it("does not mind killing or purging a terminal that does not exist", async () => {
      await terminals.kill("agt-9");
      await terminals.purge("agt-9");
      assert.equal(await read(terminals, "agt-9"), "");
    });

    it("refuses to talk to a terminal or a program that is gone", async () => {
      const deaf = (id: AgentId, why: RegExp) =>
        Promise.all([
          assert.rejects(terminals.paste(id, "x"), why),
          assert.rejects(terminals.press(id, ["x"]), why),
          assert.rejects(terminals.resize(id, 80, 24), why),
        ]);
      await deaf("agt-1", /agt-1 has no terminal/);
      await assert.rejects(terminals.screen("agt-1"), /agt-1 has no terminal/);
      await (await world.start("agt-1")).exit(0);
      await until(async () => (await infoOf("agt-1"))?.alive === false);
      await deaf("agt-1", /the program of agt-1 has ended/);
      await terminals.kill("agt-1");
      await deaf("agt-1", /agt-1 has no terminal/);
    });

    it("hands its terminals on to the next daemon, which hears when they end", async () => {
      const living = await world.start("agt-1");
      const dying = await world.start("agt-2");
      await living.print("hello");
      await until(async () => (await read(terminals, "agt-1")) === "hello");
      terminals = await world.restart();
      await dying.exit(3);
      const { exits, printed } = witness(terminals);
      await until(async () => (await infoOf("agt-2"))?.exit?.code === 3);
      assert.equal((await infoOf("agt-1"))?.alive, true);
      assert.equal(await terminals.screen("agt-1"), "hello");
      await terminals.press("agt-1", ["x"]);
      await until(async () => (await living.seen()).input === "x");
      await living.print(" again");
      await until(() => printed.includes("agt-1"));
      await until(async () => (await read(terminals, "agt-1")) === "hello again");
      await living.exit(4);
      await until(() => exits.some((it) => String(it) === "agt-1,4"));
      await terminals.kill("agt-1");
      assert.equal(exits.filter((it) => String(it).startsWith("agt-1")).length, 1);
    });

    it("lists what ended while no daemon ran, without reporting it", async () => {
      const program = await world.start("agt-1");
      const gone = () =>
        program.seen().then(
          () => false,
          () => true,
        );
      terminals = await world.restart(async () => {
        await program.exit(5);
        await until(gone);
      });
      await until(async () => (await infoOf("agt-1"))?.alive === false); // tmux may see the end only now
      const { exits } = witness(terminals);
      assert.deepEqual((await infoOf("agt-1"))?.exit, { code: 5, signal: null });
      await terminals.kill("agt-1");
      assert.deepEqual(exits, []);
    });

    it("runs twenty terminals at once, and none hears what another is told", async () => {
      const ids = Array.from({ length: 20 }, (_, index): AgentId => `agt-${index}`);
      const { exits } = witness(terminals);
      const programs = await Promise.all(ids.map((id) => world.start(id)));
      assert.equal((await terminals.list()).filter((it) => it.alive).length, 20);
      await Promise.all(ids.map((id) => terminals.paste(id, `for ${id}`)));
      await Promise.all(programs.map((it, index) => it.print(`I am ${ids[index]}`)));
      for (const [index, id] of ids.entries()) {
        await until(async () => (await programs[index]!.seen()).input === `for ${id}`);
        await until(async () => (await terminals.screen(id)) === `I am ${id}`);
      }
      await Promise.all(programs.map((it, index) => it.exit(index)));
      await until(() => exits.length === 20);
      await Promise.all(ids.map((id) => terminals.kill(id)));
      assert.deepEqual(await terminals.list(), []);
      assert.deepEqual(exits.map(String).sort(), ids.map((id, index) => `${id},${index}`).sort());
    });
  });
}
