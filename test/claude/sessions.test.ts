import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { killDaemon } from "../specs/support/http.ts";
import { describeClaude } from "./describe.ts";
import { also } from "./everything.ts";
import { bash, text, tool } from "./model-api.ts";
import type { OwnSession } from "./own-session.ts";
import { ownSession } from "./own-session.ts";

const ASK = "oj decision request --option A --option B --prompt";
const asks = (prompt: string) => bash(`${ASK} "${prompt}"`);
const words = Array.from({ length: 8 }, (_, n) => text(`Done, I say (${n}).`));
const FEEDBACK = /^Stop hook feedback:\nBefore you end this turn, offer/;

const types = (stage: OwnSession) => stage.events.map((it) => it.type);
const count = (stage: OwnSession, type: string) => types(stage).filter((it) => it === type).length;
const lastStep = (stage: OwnSession, script: string) =>
  Math.max(...stage.api.requests.filter((it) => it.script === script).map((it) => it.step));

interface Decision {
  id: string;
  session: string;
  requested_by: string;
  delivery: { state: string };
}

async function pending(stage: OwnSession): Promise<Decision> {
  const [decision] = await stage.until(async () => {
    const all = await stage.json<Decision[]>("decision", "list");
    return all.length > 0 && all;
  }, "a decision");
  assert.ok(decision);
  return decision;
}

describeClaude("in a session with our hooks", () => {
  also("continues until it has offered a decision, and may then end, however often it stops", async () => {
    const once =
      '[ -e stopped ] && exit 0; touch stopped; echo \'{"decision":"block","reason":"Once more."}\'';
    const stage = await ownSession(
      {
        late: [text("Done."), asks("What next?"), text("Asked."), text("Bye.")],
        early: [asks("And now?"), text("Bye.")],
      },
      {
        init: ["--hold-turns"],
        files: {
          ".claude/settings.json": JSON.stringify({
            hooks: { Stop: [{ hooks: [{ type: "command", command: once }] }] },
          }),
        },
      },
    );
    await stage.run("daemon", "start");
    fs.writeFileSync(path.join(stage.dir, "stopped"), "");
    assert.deepEqual(await stage.claude("late"), { code: 0, output: "Asked.\n" });
    assert.match(await stage.heard("late", 1), FEEDBACK);
    assert.equal(lastStep(stage, "late"), 2);
    assert.equal(count(stage, "session:blocked"), 1);
    const { session, requested_by } = await pending(stage);
    assert.equal(requested_by, `session-${session.slice(0, 8)}`);

    // another hook keeps it from ending once, so the check runs twice in one turn
    fs.rmSync(path.join(stage.dir, "stopped"));
    assert.equal((await stage.claude("early")).code, 0);
    assert.match(await stage.heard("early", 2), /Once more\./);
    assert.equal(count(stage, "session:blocked"), 1);
  });

  also("waits for the answer at the end of its turn with --wait, and continues with it", async () => {
    const stage = await ownSession(
      { waits: [asks("Which way?"), text("Asked."), text("B it is.")] },
      { init: ["--wait", "2m"] },
    );
    await stage.run("daemon", "start");
    const ended = stage.claude("waits");
    const { id } = await pending(stage);
    await stage.heard("waits", 1); // it was told that the request was made, and ends its turn
    assert.equal((await stage.run("decision", "resolve", id, "2", "-m", "the scenic one")).code, 0);
    assert.match(await stage.heard("waits", 2), /Which way\?.*B.*the scenic one/s);
    assert.deepEqual(await ended, { code: 0, output: "B it is.\n" });
    await stage.until(
      async () => (await stage.json<Decision>("decision", "show", id)).delivery.state === "acknowledged",
      "the receipt",
    );
  });

  also("is kept from ending at most three times, and that is recorded", async () => {
    const stage = await ownSession({ never: words }, { init: ["--hold-turns"] });
    await stage.run("daemon", "start");
    assert.deepEqual(await stage.claude("never"), { code: 0, output: "Done, I say (3).\n" });
    for (const step of [1, 2, 3]) assert.match(await stage.heard("never", step), FEEDBACK);
    assert.equal(lastStep(stage, "never"), 3);
    await stage.until(() => count(stage, "session:overridden") === 1, "the record");
    assert.equal(count(stage, "session:blocked"), 3);
  });

  also("may end without offering a decision with --soft, and only gets a remark", async () => {
    const stage = await ownSession({ never: words }, { init: ["--soft"] });
    await stage.run("daemon", "start");
    const { output } = await stage.claude("never", "--output-format", "stream-json", "--verbose");
    assert.equal(lastStep(stage, "never"), 0);
    assert.match(output, /this turn ended without a decision being offered/);
  });

  also("gets the answer with its next command, and other messages with its next prompt", async () => {
    const wait = bash("until [ -e answered ]; do sleep 0.1; done");
    const stage = await ownSession({
      asks: [asks("Which?"), wait, text("Thanks.")],
      again: [asks("What else?"), text("Bye.")],
    });
    await stage.run("daemon", "start");
    const running = stage.claude("asks");
    const { id, session } = await pending(stage);
    await stage.heard("asks", 1); // the command that asked has ended, so the answer comes with the next one
    await stage.run("decision", "resolve", id, "2", "-m", "but soon");
    fs.writeFileSync(path.join(stage.dir, "answered"), "");
    assert.match(
      await stage.heard("asks", 2),
      new RegExp(
        `hook additional context: .*\\n\\n\\[answer\\] ${id} \\(Which\\?\\) was answered by ana: B\\. They say: but soon`,
      ),
    );
    assert.equal((await running).code, 0);
    const state = async () => (await stage.json<Decision>("decision", "show", id)).delivery.state;
    await stage.until(async () => (await state()) === "acknowledged", "the receipt");

    await stage.run("inject", "add", "--session", session, "the build is red");
    assert.equal((await stage.claude("again", "--resume", session)).code, 0);
    assert.match(await stage.heard("again", 0), /\[message from ana\] the build is red/);
    assert.deepEqual(await stage.json("inject", "status"), []);
  });

  it("does not get the answer to somebody else's question, whatever its commands print", async () => {
    const prints = bash(
      "until [ -e notes.txt ]; do sleep 0.1; done; oj decision list --project solo; cat notes.txt",
    );
    const reads = [
      prints,
      text("Done."),
      asks("Mine?"),
      bash("until [ -e told ]; do sleep 0.1; done"),
      text("Bye."),
    ];
    const stage = await ownSession({ reads }, { init: ["--hold-turns"] });
    await stage.run("daemon", "start");
    const running = stage.claude("reads");
    await stage.heard("reads", 0);
    const billing = ["--as", "billing", "--project", "solo"];
    const { stdout } = await stage.run(
      ...["decision", "request", "--prompt", "Theirs?", "--option", "A", ...billing],
    );
    const id = stdout.trim();
    fs.writeFileSync(path.join(stage.dir, "notes.txt"), `asked: ${id}\n`);
    assert.match(await stage.heard("reads", 1), new RegExp(`${id}[\\s\\S]*asked: ${id}`), "it has seen it");
    assert.match(await stage.heard("reads", 2), FEEDBACK, "that was no offer of its own");
    await stage.heard("reads", 3);
    await stage.run("decision", "resolve", id, "1", "-m", "for billing");
    fs.writeFileSync(path.join(stage.dir, "told"), "");
    assert.doesNotMatch(await stage.heard("reads", 4), /for billing/);
    assert.equal((await running).code, 0);
    const { text: heard } = await stage.json<{ text: string }>("inject", "drain", ...billing);
    assert.match(heard, new RegExp(`\\[answer\\] ${id} .* They say: for billing`));
    const { session } = await stage.json<Decision>("decision", "show", id);
    assert.equal(session, null);
  });

  also(
    "is the asker of what its background scripts and subagents request; a nested client asks for itself",
    async () => {
      const subagent = {
        ...{ description: "asks", prompt: "Please play #s:sub", subagent_type: "general-purpose" },
        run_in_background: false,
      };
      const nested = `claude -p --permission-mode bypassPermissions "Please play #s:inner"`;
      const stage = await ownSession(
        {
          script: [bash(`(sleep 1; ${ASK} late > late) >/dev/null 2>&1 & ${ASK} now`), text("Bye.")],
          agent: [tool("Agent", subagent), text("Bye.")],
          sub: [asks("sub"), text("Asked.")],
          outer: [bash(nested), asks("outer"), text("Bye.")],
          inner: [asks("inner"), text("Asked.")],
        },
        { init: ["--soft"] },
      );
      await stage.run("daemon", "start");
      const asked = (title: string) =>
        stage.until(
          () => stage.events.find((it) => it.type === "decision:created" && it.title === title),
          `the request "${title}"`,
        ) as Promise<unknown> as Promise<Decision>;
      const terminals = () => stage.events.flatMap((it) => (it.type === "session:found" ? [it.id] : []));
      await stage.claude("script");
      for (const title of ["now", "late"]) assert.equal((await asked(title)).session, terminals()[0], title);
      await stage.claude("agent");
      assert.equal((await asked("sub")).session, terminals()[1]);
      await stage.claude("outer");
      assert.equal((await asked("outer")).session, terminals()[2]);
      assert.equal((await asked("inner")).session, terminals()[3]);
    },
  );

  also("asks through MCP as its current session, even after /clear", async () => {
    const ask = (prompt: string) =>
      tool("mcp__oj__request_decision", { prompt, options: [{ label: "A" }, { label: "B" }] });
    const stage = await ownSession(
      {
        first: [ask("Before?"), text("One.")],
        second: [ask("After?"), text("Two.")],
        third: [text("Three.")],
      },
      { init: ["--soft"] },
    );
    const file = path.join(stage.home, "mcp.json");
    fs.writeFileSync(file, JSON.stringify({ mcpServers: { oj: { command: "oj", args: ["mcp"] } } }));
    await stage.run("daemon", "start");
    const allowed = ["--mcp-config", file, "--strict-mcp-config", "--allowedTools", "mcp__oj"];
    const terminal = stage.terminal("first", ...allowed, "--");
    await terminal.shows(/One\./);
    const first = await pending(stage);
    await terminal.type("/clear");
    await stage.until(() => count(stage, "session:found") === 2, "the new session");
    await terminal.type("Please play #s:second");
    await terminal.shows(/Two\./);
    const all = await stage.json<(Decision & { title: string })[]>("decision", "list");
    const second = all.find((it) => it.title === "After?");
    const terminals = stage.events.flatMap((it) => (it.type === "session:found" ? [it.id] : []));
    assert.deepEqual([first.session, second?.session], terminals);
    await stage.run("decision", "resolve", second?.id ?? "", "2", "-m", "at last");
    await terminal.type("Please play #s:third");
    assert.match(await stage.heard("third", 0), /\[answer\] .*After\?.*B\. They say: at last/);
  });

  also("works while the daemon is down, which is then started, and even without oj", async () => {
    const stage = await ownSession({ asks: [asks("Which?"), text("Bye.")], plain: [text("Bye.")] });
    await stage.run("daemon", "start");
    await killDaemon(stage);
    assert.equal((await stage.claude("asks")).code, 0);
    await pending(stage);

    await stage.run("daemon", "stop");
    fs.rmSync(path.join(stage.home, "bin/oj"));
    assert.deepEqual(await stage.claude("plain"), { code: 0, output: "Bye.\n" });
    assert.equal(await stage.daemonPid(), null);
  });

  also("asks for permission in the inbox too", async () => {
    const script = [bash("touch made"), text("Bye.")];
    const stage = await ownSession({ yes: script, no: script }, { init: ["--soft"] });
    await stage.run("daemon", "start");
    for (const [name, answer, heard] of [
      ["yes", ["1", "-m", "Then test it."], /no output[\s\S]*\[message from ana\] Then test it\./],
      ["no", ["2", "-m", "Not here."], /^\[error\] Not here\./],
    ] as const) {
      const running = stage.claude(name, "--permission-mode", "default");
      const { id, requested_by } = await pending(stage);
      assert.match(requested_by, /^session-/);
      await stage.run("decision", "resolve", id, ...answer);
      assert.match(await stage.heard(name, 1), heard);
      assert.equal((await running).code, 0);
      const state = async () => (await stage.json<Decision>("decision", "show", id)).delivery.state;
      await stage.until(async () => (await state()) === "acknowledged", "the receipt");
    }
  });

  also(
    "is in the inbox when it stops, and reads the reply: with its next prompt, or at once with --wait",
    async () => {
      for (const [init, prompts] of [
        [[], true],
        [["--wait", "2m"], false],
      ] as const) {
        const stage = await ownSession(
          { stops: [text("Ready.\n\nShall I push?"), text("Pushed.")], more: [text("Pushed then.")] },
          { init: [...init] },
        );
        await stage.run("daemon", "start");
        const terminal = stage.terminal("stops");
        const { id } = await pending(stage);
        const { title, source } = await stage.json<{ title: string; source: string }>("decision", "show", id);
        assert.deepEqual([title, source], ["Stopped: Shall I push?", "idle"]);
        assert.match(
          (await stage.run("status")).stdout,
          new RegExp(`${id} .*session in shop`),
          "status knows it",
        );
        assert.equal((await stage.run("decision", "resolve", id, "1", "-m", "Yes, to main.")).code, 0);
        if (prompts) await terminal.type("Please play #s:more");
        const heard = await (prompts ? stage.heard("more", 0) : stage.heard("stops", 1));
        assert.match(heard, /ana replies to dec-\w+ \(Stopped: Shall I push\?\): Yes, to main\./);
        const state = async () => (await stage.json<Decision>("decision", "show", id)).delivery.state;
        await stage.until(async () => (await state()) === "acknowledged", "the receipt");
      }
    },
  );

  also("does not read settings with comments, which oj init says", async () => {
    const stage = await ownSession(
      { plain: [text("Bye?")] },
      { files: { ".claude/settings.json": `{\n  // mine\n  "model": "opus"\n}\n` } },
    );
    await stage.run("daemon", "start");
    await stage.claude("plain");
    assert.equal(count(stage, "session:found"), 0);
  });
});
