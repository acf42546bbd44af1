/** What only real terminals can show: any byte, colours, processes that resist, and a tmux that goes away. */
import assert from "node:assert/strict";
import fs from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, it } from "vitest";
import { isServer } from "../../src/adapters/tmux/server.ts";
import { tmuxTerminals } from "../../src/adapters/tmux/terminals.ts";
import type { Terminals } from "../../src/ports.ts";
import { someOf } from "../everything.ts";
import { tempFolder, until } from "./temp.ts";
import type { TmuxWorld } from "./terminal-world.ts";
import { env, tmuxWorld } from "./terminal-world.ts";
import { witness } from "./terminals.contract.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const everyCharacter = String.fromCharCode(...Array.from({ length: 0x24f }, (_, index) => index + 1));
/** For programs that do not end when they are asked to. */
const RESISTED = { killAfterMs: 300 };
const hostile = [
  "#{pane_id}",
  "#(touch pwned)",
  "%H %Y",
  "~",
  "~root",
  "a;",
  "\\;",
  "{",
  "`id`",
  "-t",
  "--",
  "\r\n",
];

const isGone = async (pid: number) => {
  const stat = await fs.readFile(`/proc/${pid}/stat`, "utf8").catch(() => " Z ");
  return / Z /.test(stat);
};

const exists = (file: string) =>
  fs.stat(file).then(
    () => true,
    () => false,
  );

const bash = (terminals: Terminals, script: string, cwd: string, id: "agt-1" | "agt-2" = "agt-1") =>
  terminals.start({ agent_id: id, argv: ["bash", "-c", script], cwd, env, columns: 80, rows: 24 });

describe("a flood of looks at one screen", () => {
  it("doesn't keep a look at another waiting", async () => {
    const { terminals, dir } = await tmuxWorld();
    await bash(terminals, "echo one; read", dir, "agt-1");
    await bash(terminals, "echo two; read", dir, "agt-2");
    for (const id of ["agt-1", "agt-2"] as const)
      await until(async () => (await terminals.screen(id)) !== "");
    const order: string[] = [];
    const flood = Array.from({ length: 2000 }, () =>
      terminals.screen("agt-1", { history: 50 }).then((it) => order.push(it)),
    );
    const other = terminals.screen("agt-2").then((it) => order.push(it));
    await Promise.all([...flood, other]);
    assert.equal(order.length, 2001);
    assert.ok(order.indexOf("two") < 10, `${order.indexOf("two")} came before it`);
    assert.ok(order.every((it) => it === "one" || it === "two"));
  });
});

describe("a program in tmux", () => {
  it("gets every byte of its arguments, its environment and the name of its folder", async () => {
    const world = await tmuxWorld();
    const args = [...hostile, everyCharacter, "x".repeat(100_000), "é".repeat(50_000)];
    const named = Object.fromEntries(hostile.map((it, index) => [`odd.name ${index}%%`, it]));
    const given = { TEXT: everyCharacter, BIG: "z".repeat(100_000), ...named };
    world.cwd = path.join(world.dir, "it's #{pane_id} %Y #(touch pwned) $HOME ü");
    await fs.mkdir(world.cwd);
    const program = await world.start("agt-1", { args, env: given });
    const { args: argsSeen, env: envSeen, cwd } = await program.seen();
    assert.ok(isDeepStrictEqual(argsSeen, args));
    const expected = { ...env, ...given, TERM: "tmux-256color", PWD: world.cwd };
    assert.deepEqual(Object.keys(envSeen).sort(), Object.keys(expected).sort());
    assert.ok(isDeepStrictEqual(envSeen, expected));
    assert.equal(cwd, world.cwd);
    const files = [...(await fs.readdir(world.dir)), ...(await fs.readdir(world.cwd))];
    assert.deepEqual(
      files.filter((it) => it.startsWith("pwned")),
      [],
    );
  });

  it("gets nothing from tmux, the daemon, or the terminal that oj was called from", async () => {
    const world = await tmuxWorld();
    const called = {
      TMUX: "/tmp/other,1,0",
      TMUX_PANE: "%9",
      TERM: "xterm-kitty",
      SHELL: "/bin/zsh",
      HOME: "/h",
    };
    const program = await world.start("agt-1", { env: called });
    const expected = { ...env, SHELL: "/bin/zsh", HOME: "/h", TERM: "tmux-256color", PWD: world.dir };
    assert.deepEqual((await program.seen()).env, expected);
  });

  it("gets a text of 100 KB with every character in it, complete and in order", async () => {
    const world = await tmuxWorld();
    const program = await world.start("agt-1", { bracketed: true });
    const text = `${everyCharacter}\n${"0123456789 ü→😀 ~$;#{x}'\"\\\n".repeat(3500)}end`;
    assert.ok(Buffer.byteLength(text) > 100_000);
    await world.terminals.paste("agt-1", text);
    const expected = `\u001b[200~${text.replaceAll("\n", "\r")}\u001b[201~`;
    await until(async () => (await program.seen()).input.length >= expected.length);
    assert.ok((await program.seen()).input === expected);
    await assert.rejects(world.terminals.paste("agt-1", "x".repeat(2e6)), /1 MB/);
  });

  it("gets no key press when a text contains the end of its own paste", async () => {
    const world = await tmuxWorld();
    const program = await world.start("agt-1", { bracketed: true });
    await world.terminals.paste("agt-1", "a\u001b[201~\u001b\u001b[201~!rm\n");
    await until(async () => (await program.seen()).input === "\u001b[200~a[201~[201~!rm\r\u001b[201~");
  });

  it("needs an existing folder and an executable", async () => {
    const world = await tmuxWorld();
    const { terminals } = world;
    await assert.rejects(
      bash(terminals, "true", "/nowhere/at/all"),
      /the folder \/nowhere\/at\/all does not exist/,
    );
    const { exits } = witness(terminals);
    const start = { cwd: world.dir, env, columns: 80, rows: 24 };
    await terminals.start({ ...start, agent_id: "agt-1", argv: ["no-such-program", "x"] });
    await until(() => exits.length === 1);
    assert.deepEqual(exits, [["agt-1", 127]]);
    const bad = "agt-../x" as const;
    await assert.rejects(terminals.start({ ...start, agent_id: bad, argv: ["true"] }), /not an agent id/);
    await assert.rejects(
      terminals.start({ ...start, agent_id: "agt-2", argv: ["true"], rows: 0 }),
      /can't be 0/,
    );
  });
});

describe("the screen of a program in tmux", () => {
  it("has its colours if asked for, and none otherwise", async () => {
    const world = await tmuxWorld();
    const program = await world.start("agt-1");
    await program.print("\u001b[1;31mred\u001b[0m plain \u001b]2;title\u0007\u001b]52;c;eA==\u0007");
    await until(async () => (await world.terminals.screen("agt-1")) === "red plain");
    assert.ok(
      (await world.terminals.screen("agt-1", { ansi: true })).startsWith("\u001b[1m\u001b[31mred\u001b[0m"),
    );
  });

  it("is shown as is, even if it looks like a reply from tmux", async () => {
    const world = await tmuxWorld();
    const program = await world.start("agt-1");
    const now = Math.floor(Date.now() / 1000);
    const forged = Array.from(
      { length: 4000 },
      (_, index) => `%end ${now + (index % 4)} ${280 + (index >> 2)} 1`,
    );
    await program.print(`${forged.join("\r\n")}\r\n`);
    await until(async () => (await world.terminals.screen("agt-1")).endsWith(forged.at(-1)!));
    for (let round = 0; round < 20; round++) {
      assert.equal(await world.terminals.screen("agt-1", { history: 5000 }), forged.join("\n"));
      assert.equal((await world.terminals.list())[0]?.alive, true);
    }
  });
});

describe("a person who attaches", () => {
  it("is noticed, sees and types, does not change the size, and leaves; scrolling takes no key from us", async () => {
    const world = await tmuxWorld();
    const { terminals } = world;
    const attached: string[] = [];
    terminals.watch({ exited() {}, printed() {}, attached: (id) => attached.push(id) });
    const program = await world.start("agt-1");
    await program.print("hello");
    const argv = terminals.attachCommand("agt-1");
    const own = { ...env, TMUX: "/tmp/other,1,0" };
    await terminals.start({ agent_id: "agt-2", argv, cwd: "/", env: own, columns: 100, rows: 30 });
    await until(async () => (await terminals.screen("agt-2")).includes("hello"));
    await until(async () => attached.length > 0);
    const isAttached = async () =>
      Object.fromEntries((await terminals.list()).map((it) => [it.agent_id, it.attached]));
    assert.deepEqual([attached, await isAttached()], [["agt-1"], { "agt-1": true, "agt-2": false }]);
    await world.tmux("set-option", "-g", "assume-paste-time", "0"); // otherwise keys that arrive at once are not commands
    await terminals.press("agt-2", ["x"]);
    await until(async () => (await program.seen()).input === "x");
    await terminals.press("agt-2", ["C-b", "["]);
    await until(
      async () => (await world.tmux("display-message", "-p", "-t", "agt-1", "#{pane_in_mode}")) === "1",
    );
    await terminals.press("agt-1", ["y"]);
    await until(async () => (await program.seen()).input === "xy");
    await terminals.press("agt-2", ["C-b", "x", "C-b", "d"]);
    await until(async () =>
      (await terminals.list()).some((it) => it.agent_id === "agt-2" && it.exit?.code === 0),
    );
    const { columns, rows, input } = await program.seen();
    assert.deepEqual([columns, rows, input], [80, 24, "xy"]);
    assert.equal((await isAttached())["agt-1"], false);
  });
});

describe("a person at the terminal of a program that wanted to know about the focus, and ended", () => {
  const dies = async ({ terminals }: TmuxWorld) => {
    process.kill((await terminals.list()).find((it) => it.agent_id === "agt-1")?.pid ?? 0, "SIGKILL");
    await until(async () => (await terminals.list()).some((it) => it.agent_id === "agt-1" && !it.alive));
  };
  const attaches = async ({ terminals }: TmuxWorld, shown: RegExp) => {
    const argv = terminals.attachCommand("agt-1");
    const visitor = { agent_id: "agt-2", argv, cwd: "/", env, columns: 100, rows: 30 } as const;
    await terminals.start(visitor);
    await until(async () => shown.test(await terminals.screen("agt-2")));
  };
  const hasLeft = ({ terminals }: TmuxWorld) =>
    until(async () => (await terminals.list()).every((it) => it.agent_id !== "agt-2" || !it.alive));
  const comes = {
    "came before": async (world: TmuxWorld) => {
      await attaches(world, /hello/);
      await dies(world);
    },
    "comes afterwards": async (world: TmuxWorld) => {
      await dies(world);
      await attaches(world, /has ended/);
    },
  };
  const goes = {
    detaches: async (world: TmuxWorld) => {
      await world.terminals.press("agt-2", ["C-b", "d"]);
      await hasLeft(world);
    },
    "is killed": (world: TmuxWorld) => world.terminals.kill("agt-2"),
    "sees it closed": async (world: TmuxWorld) => {
      await world.terminals.kill("agt-1");
      await hasLeft(world);
    },
  };
  const ways = Object.entries(comes).flatMap(([came, come]) =>
    Object.entries(goes).map(([left, go]) => ({ came, come, left, go })),
  );

  it.each(someOf(ways, 3))(
    "$came and $left: everybody else's terminal stays, and so does its last screen",
    async (it) => {
      const world = await tmuxWorld();
      const { terminals } = world;
      await bash(terminals, String.raw`printf '\033[?1004hhello'; exec sleep 1000`, world.dir);
      const other = await world.start("agt-3");
      await until(async () => (await terminals.screen("agt-1")).includes("hello"));
      await world.tmux("set-option", "-g", "assume-paste-time", "0"); // otherwise keys that arrive at once are not commands
      await it.come(world);
      assert.match(await terminals.screen("agt-1"), /^hello/);
      await until(async () => (await terminals.screen("agt-2")).includes("has ended"));
      await it.go(world);
      await other.print("alive");
      assert.match(await terminals.screen("agt-3"), /alive/);
    },
  );
});

describe("killing a terminal", () => {
  it("ends programs that resist, that opened a session of their own, or that are stopped", async () => {
    const world = await tmuxWorld(RESISTED);
    const script = `
      trap '' TERM HUP INT
      bash -c 'trap "" TERM HUP; echo $$ >child; while :; do sleep 0.1; done' &
      setsid bash -c 'trap "" TERM HUP; echo $$ >detached; while :; do sleep 0.1; done' &
      bash -c 'echo $$ >stopped; kill -STOP $$; sleep 100' &
      echo $$ >leader
      while :; do sleep 0.1; done`;
    await bash(world.terminals, script, world.dir);
    const files = ["leader", "child", "detached", "stopped"].map((it) => path.join(world.dir, it));
    const pids = async () =>
      (await Promise.all(files.map((it) => fs.readFile(it, "utf8").catch(() => "")))).map(Number);
    await until(async () => (await pids()).every((it) => it > 0));
    const before = await pids();
    assert.deepEqual(await Promise.all(before.map(isGone)), [false, false, false, false]);
    await world.terminals.kill("agt-1");
    assert.deepEqual(await Promise.all(before.map(isGone)), [true, true, true, true]);
    assert.deepEqual(await world.terminals.list(), []);
  });

  it("ends what a program left behind in its terminal when it ended", async () => {
    const world = await tmuxWorld(RESISTED);
    await bash(
      world.terminals,
      `(trap "" HUP TERM; echo $BASHPID >left; while :; do sleep 0.1; done) & until [ -s left ]; do sleep 0.01; done`,
      world.dir,
    );
    await until(async () => (await world.terminals.list())[0]?.alive === false);
    const pid = Number(await fs.readFile(path.join(world.dir, "left"), "utf8"));
    assert.equal(await isGone(pid), false);
    await world.terminals.kill("agt-1");
    assert.equal(await isGone(pid), true);
  });

  it("asks politely first", async () => {
    const world = await tmuxWorld();
    const { exits } = witness(world.terminals);
    await bash(
      world.terminals,
      `trap 'echo bye; exit 9' TERM; echo ready; while :; do sleep 0.01; done`,
      world.dir,
    );
    await until(async () => (await world.terminals.screen("agt-1")) === "ready");
    await world.terminals.kill("agt-1");
    assert.deepEqual(exits, [["agt-1", 9]]);
  });
});

describe("a program that is killed while nothing else happens", () => {
  it("is noticed every time, even though tmux before 3.5 misses one in twenty", async () => {
    const world = await tmuxWorld();
    const { exits } = witness(world.terminals);
    const start = { argv: ["sleep", "1000"], cwd: "/", env, columns: 80, rows: 24 };
    for (let n = 0; n < 40; n++) await world.terminals.start({ ...start, agent_id: `agt-${n}` });
    for (const { agent_id, pid } of await world.terminals.list()) {
      process.kill(pid ?? 0, "SIGKILL");
      await until(() => String(exits.at(-1)) === `${agent_id},SIGKILL`);
    }
    assert.equal(exits.length, 40);
  });
});

/** Whether the key got through: without a connection it does not, and is pressed again. */
const isPressed = (terminals: Terminals, id: Parameters<Terminals["press"]>[0]) =>
  terminals.press(id, ["x"]).then(
    () => true,
    () => false,
  );

describe("when part of tmux goes away", () => {
  it("a live server is connected to again, and nothing is missed", async () => {
    const world = await tmuxWorld();
    const { terminals } = world;
    const { exits } = witness(terminals);
    const first = await world.start("agt-1");
    const second = await world.start("agt-2");
    const [client] = await world.clientPids();
    process.kill(client!, "SIGKILL");
    await first.exit(6);
    await until(() => exits.length === 1);
    await until(() => isPressed(terminals, "agt-2")); // the lost connection may be noticed only now
    await until(async () => (await second.seen()).input === "x");
    assert.equal((await world.clientPids()).length, 1);
    await second.exit(7);
    await until(() => exits.length === 2);
    assert.deepEqual(exits, [
      ["agt-1", 6],
      ["agt-2", 7],
    ]);
  });

  it("a server whose socket was removed is found again, and nothing is ended", async () => {
    const world = await tmuxWorld();
    const { exits } = witness(world.terminals);
    const program = await world.start("agt-1");
    const [client] = await world.clientPids();
    await fs.rm(world.socket);
    process.kill(client!, "SIGKILL");
    await until(() => exists(world.socket));
    await until(() => isPressed(world.terminals, "agt-1"));
    await until(async () => (await program.seen()).input === "x");
    assert.deepEqual(exits, []);
  });

  it("the programs of a dead server are reported and ended, and a new server starts on demand", async () => {
    const world = await tmuxWorld(RESISTED);
    const { terminals } = world;
    const { exits } = witness(terminals);
    await bash(terminals, `trap "" HUP TERM; echo $$ >pid; while :; do sleep 0.1; done`, world.dir);
    const file = path.join(world.dir, "pid");
    await until(() =>
      fs.readFile(file, "utf8").then(
        (it) => it.endsWith("\n"),
        () => false,
      ),
    );
    const pid = Number(await fs.readFile(file, "utf8"));
    process.kill(await world.serverPid(), "SIGKILL");
    await until(() => exits.length === 1);
    assert.deepEqual(exits, [["agt-1", null]]);
    assert.equal(await isGone(pid), true);
    assert.deepEqual(await terminals.list(), []);
    await assert.rejects(terminals.paste("agt-1", "x"), /agt-1 has no terminal/);
    await terminals.kill("agt-1");
    const program = await world.start("agt-1");
    await program.exit(2);
    await until(() => exits.length === 2);
    assert.deepEqual(exits[1], ["agt-1", 2]);
  });

  it("a new server starts at once, even if the loss was not noticed yet", async () => {
    const world = await tmuxWorld();
    const { exits } = witness(world.terminals);
    await world.start("agt-1");
    process.kill(await world.serverPid(), "SIGKILL");
    await until(() =>
      world.start("agt-1").then(
        () => true,
        () => false,
      ),
    );
    assert.deepEqual(exits, [["agt-1", null]]);
    assert.equal((await world.terminals.list())[0]?.alive, true);
  });

  it("a tmux session that somebody else ended is reported", async () => {
    const world = await tmuxWorld();
    const { exits } = witness(world.terminals);
    await world.start("agt-1");
    await world.tmux("kill-session", "-t", "agt-1");
    await until(() => exits.length === 1);
    assert.deepEqual(exits, [["agt-1", null]]);
  });
});

describe("a missing or unusable tmux", () => {
  const using = (over: { PATH?: string; socket?: string }, dir: string) =>
    tmuxTerminals({
      socket: over.socket ?? path.join(dir, "t.sock"),
      dir,
      maxBytes: 1000,
      killAfterMs: 100,
      journal: silent,
      env: { PATH: over.PATH ?? env.PATH },
    });

  async function refuses(terminals: Terminals, why: RegExp): Promise<void> {
    const stop = terminals.watch({ exited() {}, printed() {} });
    await assert.rejects(terminals.list(), why);
    await assert.rejects(bash(terminals, "true", "/"), why);
    await assert.rejects(terminals.paste("agt-1", "x"), why);
    await assert.rejects(terminals.press("agt-1", ["x"]), why);
    await assert.rejects(terminals.screen("agt-1"), why);
    await assert.rejects(terminals.resize("agt-1", 1, 1), why);
    await assert.rejects(terminals.kill("agt-1"), why);
    stop();
    await terminals.close();
  }

  it("is reported with what to install", async () => {
    const dir = await tempFolder();
    await refuses(using({ PATH: dir }, dir), /tmux is not installed: apt install tmux/);
  });

  it("is reported with the version that is needed", async () => {
    const dir = await tempFolder();
    await fs.writeFile(path.join(dir, "tmux"), "#!/bin/sh\necho tmux 3.1c\n", { mode: 0o700 });
    await refuses(using({ PATH: dir }, dir), /tmux 3\.2 or newer is needed, but tmux 3\.1c is installed/);
  });

  it("is reported if its socket can't be created", async () => {
    const dir = await tempFolder();
    await refuses(using({ socket: `/tmp/${"x".repeat(120)}.sock` }, dir), /longer than 107 bytes/);
  });
});

describe("a connection to tmux", () => {
  it("keeps working after a hook of tmux failed, as happens for a window that is already gone", async () => {
    const world = await tmuxWorld();
    await world.start("agt-1");
    const other = await world.start("agt-2");
    await world.tmux("set-hook", "-g", "pane-died", 'run-shell -b -C "rename-window -t @99 over"');
    await other.exit(0);
    await until(async () => (await world.tmux("list-panes", "-a", "-F", "#{pane_dead}")).includes("1"));
    await other.seen().catch(() => undefined);
    const screens = Promise.all(Array.from({ length: 20 }, () => world.terminals.screen("agt-1")));
    const late = new Promise<string>((resolve) => setTimeout(() => resolve("it is deaf"), 60_000).unref());
    assert.notEqual(await Promise.race([screens, late]), "it is deaf");
  });

  it("fails when tmux is stopped, and none of the requests run when tmux continues", async () => {
    const world = await tmuxWorld();
    const program = await world.start("agt-1");
    await world.terminals.press("agt-1", ["a"]);
    await until(async () => (await program.seen()).input === "a");
    const server = await world.serverPid();
    process.kill(server, "SIGSTOP");
    try {
      const asked = [world.terminals.press("agt-1", ["b"]), world.terminals.paste("agt-1", "words")];
      for (const it of await Promise.allSettled(asked)) {
        assert.equal(it.status, "rejected");
        assert.equal(it.reason.name, "Unreachable");
      }
    } finally {
      process.kill(server, "SIGCONT");
    }
    await world.terminals.press("agt-1", ["c"]);
    await until(async () => (await program.seen()).input.includes("c"));
    assert.equal((await program.seen()).input, "ac");
  });

  it("reads what was printed while tmux was stopped before it types onto what somebody saw", async () => {
    const world = await tmuxWorld();
    const program = await world.start("agt-1");
    const server = await world.serverPid();
    for (let round = 1; round <= 8; round++) {
      await program.print(`\u001b[2J\u001b[Hwords in round ${round}`);
      await until(async () => (await world.terminals.screen("agt-1")) === `words in round ${round}`);
      process.kill(server, "SIGSTOP");
      try {
        const onto = { shows: [`words in round ${round}`], lacks: ["Esc to cancel"] };
        const typing = assert.rejects(world.terminals.press("agt-1", ["Enter"], onto), { name: "Changed" });
        await program.print(`\r\nEsc to cancel ${round}`);
        process.kill(server, "SIGCONT");
        await typing;
      } finally {
        process.kill(server, "SIGCONT");
      }
    }
    assert.equal((await program.seen()).input, "");
  });

  it("does not prove that tmux has ended if the processes can't be inspected", async () => {
    const { PATH } = process.env;
    try {
      process.env.PATH = "/nowhere";
      await assert.rejects(isServer("1"), { name: "Unreachable" });
    } finally {
      process.env.PATH = PATH;
    }
    assert.equal(await isServer(String(process.pid)), false);
    assert.equal(await isServer("99999999"), false);
  });
});
