import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { call, killDaemon } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

const OJ = path.join(import.meta.dirname, "../../dist/oj.cjs");

interface Settings {
  hooks: Record<string, { matcher?: string; hooks: { command: string }[] }[]>;
}

interface Aside {
  blocking: boolean;
  promoted: { reason: string } | null;
}

interface Outcome {
  stdout: string;
  code: number | null;
  ms: number;
}

/** With this on stdin; null leaves stdin open forever. */
function fed(
  project: Project,
  argv: string[],
  input: string | null,
  env: Record<string, string> = {},
): Promise<Outcome> {
  const began = performance.now();
  const [program = "", ...args] = argv;
  const child = spawn(program, args, { cwd: project.dir, env: { ...project.env, ...env } });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (part) => {
    stdout += part;
  });
  child.stdin.on("error", () => {}); // it did not want to read
  if (input !== null) child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => child.stdin.destroy());
    child.once("close", (code) => resolve({ stdout, code, ms: performance.now() - began })); // all of it was read
  });
}

const turn = (project: Project, name: string, input: object | string | null, env = {}) =>
  fed(
    project,
    [process.execPath, OJ, "decision", ...name.split(" ")],
    typeof input === "string" || input === null ? input : JSON.stringify(input),
    env,
  );

/** Its reply. It has no opinion after a second, so that it never holds a client up: a busy machine gets a second go. */
async function opinion(project: Project, name: string, input: object, left = 5): Promise<string> {
  const { stdout, ms } = await turn(project, name, input);
  return stdout === "{}\n" && ms > 900 && left > 0 ? opinion(project, name, input, left - 1) : stdout;
}

/** A request made in this environment; returns its id. */
async function asks(project: Project, env: Record<string, string>, ...more: string[]): Promise<string> {
  const words = ["decision", "request", "--prompt", "Which?", "--option", "A", ...more];
  return (await fed(project, [process.execPath, OJ, ...words], "", env)).stdout.trim();
}

const file = (project: Project) => path.join(project.dir, ".claude/settings.json");
const textOf = (project: Project) => fs.readFileSync(file(project), "utf8");
const hookOf = (project: Project, event: string) =>
  (JSON.parse(textOf(project)) as Settings).hooks[event]?.at(-1)?.hooks[0]?.command ?? "";

describe("the turn commands", () => {
  it("keep a turn from ending until a request succeeded in it", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const check = async () =>
      (JSON.parse(await opinion(project, "turn-check", s1)) as { decision?: string }).decision;
    const s1 = { session_id: "s1", cwd: project.dir };
    assert.equal((await turn(project, "turn-clear", s1)).stdout, "{}\n");
    assert.equal(await check(), "block");
    const command = `oj decision request --prompt "Which?" --option A`;
    const mark = (stdout: string) =>
      turn(project, "turn-mark", { ...s1, tool_input: { command }, tool_response: { stdout } });
    await mark("✗ the request was refused");
    assert.equal(await check(), "block");
    const id = await asks(project, { OJ_SESSION: "s1" });
    assert.equal((await mark(id)).stdout, "{}\n");
    assert.equal(await check(), undefined);
    assert.equal(await check(), undefined);
    await project.run("decision", "resolve", id, "1");
    const { text } = await project.json<{ text: string }>("inject", "drain", "--session", "s1");
    assert.match(text, /\[answer\] dec-\w+ \(Which\?\) was answered by ana: A\./);

    await turn(project, "turn-clear", s1);
    const soft = JSON.parse(await opinion(project, "turn-check --soft", s1)) as object;
    assert.deepEqual(Object.keys(soft), ["systemMessage"]);
    assert.deepEqual([await check(), await check(), await check()], ["block", "block", "block"]);
    assert.match(await opinion(project, "turn-check", s1), /"systemMessage":.*after three reminders/);
  });

  also("finish within a second with exit code 0, whatever is on stdin", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const inputs = {
      nothing: "",
      "no end": null,
      garbage: "\u0000\u0001}{ not JSON",
      "half of it": '{"session_id": "s1"',
      "a list": "[1, 2]",
      "no session": "{}",
      "a wrong session": '{"session_id": 7}',
      "a long session": JSON.stringify({ session_id: "x".repeat(100_000) }),
      "much of it": "x".repeat(5_000_000),
    };
    for (const name of ["turn-clear", "turn-mark", "turn-check", "turn-check --soft"])
      for (const [what, input] of Object.entries(inputs)) {
        const tries: string[] = [];
        for (let isLate = true; isLate; ) {
          const { stdout, code, ms } = await turn(project, name, input);
          assert.deepEqual([stdout, code], ["{}\n", 0], `${name}: ${what}`);
          if (ms <= 1000) break;
          // the machine is busy: what does it take for doing nothing?
          const bare = await fed(project, [process.execPath, "-e", "0"], "");
          isLate = ms - 1000 >= 5 * bare.ms;
          tries.push(`${ms} ms, bare Node ${bare.ms} ms`);
          assert.ok(tries.length < 10, `${name}: ${what}: ${tries.join("; ")}`);
        }
      }
  });

  also(
    "have no opinion without a daemon, and start none; the same inside an agent that oj runs",
    async () => {
      const project = await tempProject();
      const stop = { session_id: "s1" };
      assert.equal((await turn(project, "turn-check", stop)).stdout, "{}\n");
      assert.equal(await project.daemonPid(), null);
      await project.run("daemon", "start");
      assert.equal((await turn(project, "turn-check", stop, { OJ_AGENT: "agt-a" })).stdout, "{}\n");
      await killDaemon(project);
      assert.equal((await turn(project, "turn-check", stop)).stdout, "{}\n");
    },
  );
});

describe("a request", () => {
  interface Shown {
    session: string | null;
    requested_by: string;
    recipient: string | null;
    delivery: { state: string };
  }
  const shown = (project: Project, id: string) => project.json<Shown>("decision", "show", id);

  it("is not the session's just because a command printed its id; the answer goes to the asker", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const s1 = { session_id: "s1", cwd: project.dir };
    const hook = (more: object) => call(project, "POST", "/hooks/session", { body: { ...s1, ...more } });
    const stop = async () => (await hook({ hook_event_name: "Stop" })).json<{ decision?: string }>().decision;
    await hook({ hook_event_name: "UserPromptSubmit", prompt: "go" });
    for (const more of [["--as", "billing"], ["--as", "billing", "--project", "solo"], []]) {
      const id = await asks(project, {}, ...more);
      const [project_name, name] = [more.includes("solo") ? "solo" : "shop", more[1]];
      for (const tool_response of [{ stdout: `${id}\n`, stderr: id }, id, { stdout: `asked: ${id}` }])
        for (const tool_input of [
          { command: "cat notes.txt" },
          { command: "oj decision request --prompt x" },
        ])
          await hook({
            hook_event_name: "PostToolUse",
            tool_name: "Bash",
            duration_ms: 60_000,
            ...{ tool_input, tool_response },
          });
      await turn(project, "turn-mark", { ...s1, tool_response: { stdout: id } });
      assert.equal(await stop(), "block", "it has offered nothing");
      await project.run("decision", "resolve", id, "1");
      assert.equal((await hook({ hook_event_name: "PostToolUse", tool_name: "Bash" })).text, "{}");
      const { session, recipient } = await shown(project, id);
      assert.deepEqual([session, recipient], [null, name ? `name:${project_name}/${name}` : null]);
      if (!name) continue;
      const drain = ["inject", "drain", "--as", name, "--project", project_name];
      assert.match((await project.run(...drain)).stdout, new RegExp(`\\[answer\\] ${id} `));
      assert.equal((await shown(project, id)).delivery.state, "acknowledged");
      await hook({ hook_event_name: "UserPromptSubmit", prompt: "go on" });
    }
  });

  it("is the session's if its environment says so, even if it came before the first hook, and across a restart", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const id = await asks(project, { CLAUDE_CODE_SESSION_ID: "s1" });
    const named = await asks(project, { CLAUDE_CODE_SESSION_ID: "s2", OJ_SESSION: "" }, "--as", "billing");
    assert.equal((await shown(project, id)).session, null);
    await killDaemon(project);
    await project.run("daemon", "start");
    for (const session_id of ["s1", "s2"])
      await call(project, "POST", "/hooks/session", {
        body: { session_id, cwd: project.dir, hook_event_name: "PostToolUse" },
      });
    assert.equal((await shown(project, id)).session, "s1");
    assert.equal((await shown(project, named)).session, null, "an empty OJ_SESSION: none of the session's");
    assert.deepEqual((await turn(project, "turn-check", { session_id: "s1" })).stdout, "{}\n");
    assert.match(await opinion(project, "turn-check", { session_id: "s2" }), /"block"/);
  });

  it.skipIf(!fs.existsSync("/proc/self/stat"))(
    "is matched to a session by its parent processes if the client passes no session id",
    async () => {
      const project = await tempProject();
      await project.run("init", "claude");
      await project.run("daemon", "start");
      // this shell is the client: it runs its hook, as a client does, and then its command
      const client = (session_id: string, rest: string) => {
        const hook = JSON.stringify({ session_id, cwd: project.dir, hook_event_name: "UserPromptSubmit" });
        const shell = `sh -c "$HOOK" <<<"$JSON" >/dev/null; ${rest}`;
        return fed(project, ["bash", "-c", shell], "", {
          HOOK: hookOf(project, "UserPromptSubmit"),
          JSON: hook,
        });
      };
      const request = `${process.execPath} ${OJ} decision request --prompt W? --option A --as billing`;
      const direct = await client("s1", `${request}; true`); // a shell becomes its last command
      const below = await client("s2", `(sleep 0.01; bash -c '${request}'; true); true`);
      const outside = await asks(project, {}, "--as", "billing");
      const owners = [direct.stdout, below.stdout, outside].map(
        async (it) => (await shown(project, it.trim())).session,
      );
      assert.deepEqual(await Promise.all(owners), ["s1", "s2", null]);
    },
  );
});

describe("oj init claude", () => {
  const theirs = `{\n\t"model" : "opus", "hooks": { "Stop": [ {"hooks": [{"type":"command","command":"true"}]} ] },\n\t"x": [ ]\n}`;

  it("adds its hooks to the existing ones, once, and removes nothing else when it takes them out", async () => {
    const project = await tempProject({ ".claude/settings.json": theirs });
    fs.chmodSync(file(project), 0o640);
    assert.match(
      (await project.run("init", "claude")).stdout,
      /^✓ added our hooks to .*\/\.claude\/settings\.json\n\nIn sessions of Claude Code that start in this project from now on:\n {2}• its questions, plans and permission requests are in your inbox/,
    );
    const after = textOf(project);
    assert.ok(after.startsWith(theirs.slice(0, 90)));
    assert.deepEqual(Object.keys((JSON.parse(after) as Settings).hooks).toSorted(), [
      "PermissionRequest",
      "PostToolUse",
      "SessionEnd",
      "SessionStart",
      "Stop",
      "UserPromptSubmit",
    ]);
    assert.match((await project.run("init", "claude")).stdout, /^– .* already has them; nothing changed\n/);
    assert.equal(textOf(project), after);
    assert.equal((await project.run("init", "claude", "--remove", "--print")).stdout, `${theirs}\n`);
    assert.equal((await project.run("init", "claude", "--remove")).code, 0);
    assert.equal(textOf(project), theirs);
    assert.equal(fs.statSync(file(project)).mode & 0o777, 0o640);
    assert.match((await project.run("init", "claude", "--remove")).stdout, /has no hooks of ours/);
    assert.deepEqual(fs.readdirSync(path.dirname(file(project))), ["settings.json"]);
  });

  it("reports the end of a session in the background: the client does not wait for a daemon that has no time", async () => {
    const project = await tempProject();
    await project.run("init", "claude");
    await project.run("daemon", "start");
    const report = (hook_event_name: string) =>
      fed(
        project,
        ["sh", "-c", hookOf(project, hook_event_name)],
        JSON.stringify({ session_id: "s1", cwd: project.dir, hook_event_name, prompt: "go" }),
      );
    await report("UserPromptSubmit");
    const id = await asks(project, { OJ_SESSION: "s1" }, "--no-wait", "--meanwhile", "the footer");
    const { pid } = await project.json<{ pid: number }>("daemon", "status");
    process.kill(pid, "SIGSTOP");
    const { stdout, code } = await report("SessionEnd").finally(() => process.kill(pid, "SIGCONT"));
    assert.deepEqual([stdout, code], ["", 0]);
    const { promoted } = await project.until(async () => {
      const decision = await project.json<Aside>("decision", "show", id);
      return decision.blocking && decision;
    }, "the end of the session, which the hook told after it had returned");
    assert.match(promoted?.reason ?? "", /the session has ended/);
  });

  also(
    "creates the settings file and removes it again if there was none; --global uses the user's file",
    async () => {
      const project = await tempProject();
      for (const [flags, folder] of [
        [[], path.join(project.dir, ".claude")],
        [["--global"], path.join(project.home, ".claude")],
      ] as const) {
        const { changed, hooks } = await project.json<{ changed: boolean; hooks: string[] }>(
          "init",
          "claude",
          ...flags,
        );
        assert.ok(changed && hooks.includes("PermissionRequest"));
        assert.ok(fs.existsSync(path.join(folder, "settings.json")));
        await project.run("init", "claude", "--remove", ...flags);
        assert.equal(fs.existsSync(folder), false);
      }
    },
  );

  also("leaves a file it can't read alone, and says why; a symlink stays a symlink", async () => {
    const project = await tempProject({ ".claude/settings.json": `{ mine\n}`, "shared.json": theirs });
    const { stderr, code } = await project.run("init", "claude");
    assert.match(stderr, /^✗ .*settings\.json can't be changed: it is not valid JSON/);
    assert.equal(code, 1);
    assert.equal(textOf(project), `{ mine\n}`);
    fs.rmSync(file(project));
    fs.symlinkSync("../shared.json", file(project));
    await project.run("init", "claude");
    assert.ok(fs.lstatSync(file(project)).isSymbolicLink());
    await project.run("init", "claude", "--remove");
    assert.equal(fs.readFileSync(path.join(project.dir, "shared.json"), "utf8"), theirs);
  });

  it("writes through a symlink that leads to nothing yet, and leaves what is not UTF-8 alone", async () => {
    const project = await tempProject({ ".claude/settings.json": "", "dotfiles/keep": "" });
    const target = path.join(project.dir, "dotfiles/claude.json");
    fs.rmSync(file(project));
    fs.symlinkSync("../dotfiles/claude.json", file(project));
    await project.run("init", "claude");
    assert.match(fs.readFileSync(target, "utf8"), /# oj init claude/);
    await project.run("init", "claude", "--remove");
    assert.ok(fs.lstatSync(file(project)).isSymbolicLink());
    assert.equal(fs.existsSync(target), false, "our hooks are gone from where they were");
    const latin = Buffer.from('{ "env": { "NAME": "Andr\xe9" } }', "latin1");
    fs.writeFileSync(target, latin);
    const { stderr, code } = await project.run("init", "claude");
    assert.match(stderr, /^✗ .*settings\.json can't be written: it is not UTF-8 text/);
    assert.equal(code, 1);
    assert.deepEqual(fs.readFileSync(target), latin);
  });

  also("keeps comments, and says that the client ignores a file that has any", async () => {
    const noted = `{\n  // mine\n  "model": "opus" // for now\n}\n`;
    const project = await tempProject({ ".claude/settings.json": noted });
    const { stdout, code } = await project.run("init", "claude");
    assert.equal(code, 0);
    assert.match(stdout, /^! Claude Code ignores a settings file with comments/m);
    assert.match(textOf(project), /\/\/ mine\n {2}"model": "opus", \/\/ for now\n {2}"hooks": \{/);
    await project.run("init", "claude", "--remove");
    assert.equal(textOf(project), noted);
  });

  also("replaces older hooks of ours, and takes back only what was asked for", async () => {
    const project = await tempProject({ ".claude/settings.json": theirs });
    await project.run("init", "claude");
    const usual = textOf(project);
    const { stdout } = await project.run("init", "claude", "--hold-turns", "--wait", "10m");
    assert.match(stdout, /^✓ replaced our hooks in /);
    assert.match(
      stdout.replaceAll(/\s+/g, " "),
      /waits 10m for your reply .* only after it has offered you a decision/,
    );
    assert.match(hookOf(project, "Stop"), /&stops=true&hold=true&wait_s=600"/);
    await project.run("init", "claude");
    assert.equal(textOf(project), usual);
  });

  also("puts a stop into the inbox and lets the turn end, with curl and without", async () => {
    const project = await tempProject();
    await project.run("init", "claude");
    await project.run("daemon", "start");
    const bin = path.join(project.home, "bin"); // no curl here
    fs.mkdirSync(bin);
    fs.writeFileSync(path.join(bin, "oj"), `#!/bin/sh\nexec ${process.execPath} ${OJ} "$@"\n`, {
      mode: 0o755,
    });
    for (const [session_id, env] of [
      ["s1", {}],
      ["s2", { PATH: bin }],
    ] as const) {
      const last = { last_assistant_message: "Shall I push?" };
      const said = JSON.stringify({ session_id, cwd: project.dir, hook_event_name: "Stop", ...last });
      const { stdout, code } = await fed(project, ["/bin/sh", "-c", hookOf(project, "Stop")], said, env);
      assert.match(stdout, /^(\{\}\n?)?$/);
      assert.equal(code, 0);
    }
    const stops = await project.json<{ title: string; source: string; session: string }[]>(
      "decision",
      "list",
    );
    assert.deepEqual(stops.map((it) => `${it.session} ${it.source} ${it.title}`).toSorted(), [
      "s1 idle Stopped: Shall I push?",
      "s2 idle Stopped: Shall I push?",
    ]);
  });

  it("writes hooks that work with curl and without, and do nothing without a daemon", async () => {
    const project = await tempProject();
    await project.run("init", "claude", "--hold-turns");
    const stop = JSON.stringify({ session_id: "s1", cwd: project.dir, hook_event_name: "Stop" });
    const hook = (env: Record<string, string> = {}) =>
      fed(project, ["/bin/sh", "-c", hookOf(project, "Stop")], stop, env);
    const silent = async (env: Record<string, string> = {}) => {
      const { stdout, code } = await hook(env);
      assert.equal(code, 0);
      assert.match(stdout, /^(\{\}\n)?$/);
    };
    await silent();
    await project.run("daemon", "start");
    assert.match((await hook()).stdout, /^\{"decision":"block"/);
    await silent({ OJ_AGENT: "agt-a" });

    const bin = path.join(project.home, "bin"); // no curl here
    fs.mkdirSync(bin);
    fs.writeFileSync(path.join(bin, "oj"), `#!/bin/sh\nexec ${process.execPath} ${OJ} "$@"\n`, {
      mode: 0o755,
    });
    assert.match((await hook({ PATH: bin })).stdout, /^\{"decision":"block"/);
    const holds = hookOf(project, "PermissionRequest");
    assert.match(
      holds,
      /curl .* -m 604800 .*; else oj __hook --within 604800 --client "\$\{c-\}"; fi/,
      "a person may take days",
    );
    await silent({ PATH: "/nowhere" });
    await killDaemon(project);
    await silent();
    await silent({ PATH: bin });
  });
});

/** What a hook of session s1 is told. */
async function reported(project: Awaited<ReturnType<typeof tempProject>>, hook_event_name: string) {
  const body = { session_id: "s1", cwd: project.dir, hook_event_name };
  return (await call(project, "POST", "/hooks/session", { body })).text;
}

describe("an answer passed on by a hook", () => {
  it("is acknowledged once the response is out, and the session can't answer its own question", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const report = (event: string) => reported(project, event);
    assert.equal(await report("UserPromptSubmit"), "{}");
    project.env.OJ_SESSION = "s1";
    const { stdout } = await project.run("decision", "request", "--prompt", "Which?", "--option", "A");
    const id = stdout.trim();
    const { stderr, code } = await project.run("decision", "resolve", id, "1");
    assert.match(stderr, /^✗ dec-\w+ was asked by this session, so a person has to answer it\n/);
    assert.equal(code, 1);
    delete project.env.OJ_SESSION;
    await project.run("decision", "resolve", id, "1");
    assert.match(await report("PostToolUse"), new RegExp(`"additionalContext":".*\\[answer\\] ${id} `));
    await project.until(async () => {
      const { delivery } = await project.json<{ delivery: { state: string } }>("decision", "show", id);
      return delivery.state === "acknowledged";
    });
    assert.equal(await report("PostToolUse"), "{}");
  });
});

describe("a request that its session takes back", () => {
  it("is withdrawn by the session and not by the person, and the session is not told of it", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const report = (event: string) => reported(project, event);
    await report("UserPromptSubmit");
    for (const [args, by] of [
      [[], "session-s1"],
      [["--as", "painter"], "painter"],
    ] as const) {
      const id = await asks(project, { OJ_SESSION: "s1" }, ...args);
      project.env.OJ_SESSION = "s1";
      const { stdout } = await project.run("decision", "cancel", id, "--reason", "found it");
      assert.match(stdout, new RegExp(`^✓ ${id} withdrawn: found it, by ${by} just now\n`));
      assert.equal(await report("PostToolUse"), "{}");
    }
    const id = await asks(project, { OJ_SESSION: "s1" });
    delete project.env.OJ_SESSION;
    await project.run("decision", "cancel", id);
    assert.match(await report("PostToolUse"), new RegExp(`${id} .*was withdrawn by ana`));
  });
});

describe("a dialog in a session", () => {
  const question = {
    question: "Which?",
    header: "Q",
    multiSelect: false,
    options: [{ label: "A" }, { label: "B" }],
  };
  const report = (project: Project, hook: object) =>
    call(project, "POST", "/hooks/session", { body: { session_id: "s1", cwd: project.dir, ...hook } });
  const dialog = (project: Project, tool_name: string, tool_input: object) =>
    report(project, { hook_event_name: "PermissionRequest", tool_name, tool_input });
  const asked = (project: Project) =>
    project.until(async () => (await project.json<Dialog[]>("decision", "list"))[0], "a decision");
  const shown = (project: Project, id: string) => project.json<Dialog>("decision", "show", id);

  interface Dialog {
    id: string;
    source: string;
    state: string;
    title: string;
    options: { label: string }[];
    ended: { reason: string; by: string } | null;
    delivery: { state: string };
  }

  it("is answered through its waiting hook: permissions, questions and plans", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const through = async (tool: string, input: object, ...answer: string[]) => {
      const reply = dialog(project, tool, input);
      const decision = await asked(project);
      await project.run("decision", "resolve", decision.id, ...answer);
      const { hookSpecificOutput } = (await reply).json<{ hookSpecificOutput: { decision: object } }>();
      await project.until(
        async () => (await shown(project, decision.id)).delivery.state === "acknowledged",
        "the receipt",
      );
      return { decision, reply: hookSpecificOutput.decision };
    };
    const bash = await through("Bash", { command: "rm -rf build" }, "1");
    assert.deepEqual(bash.reply, { behavior: "allow", updatedInput: { command: "rm -rf build" } });
    assert.deepEqual([bash.decision.source, bash.decision.title], ["approval", "Bash: rm -rf build"]);
    const labels = bash.decision.options.map((it) => it.label);
    assert.deepEqual(labels, ["Approve", "Deny", "Dismiss"]);
    const dist = { command: "rm -rf dist" };
    const edited = await through("Bash", { command: "rm -rf build" }, "1", "--input", JSON.stringify(dist));
    assert.deepEqual(edited.reply, { behavior: "allow", updatedInput: dist });
    const next = await report(project, { hook_event_name: "UserPromptSubmit", prompt: "go on" });
    assert.match(next.text, /A person changed the command before it ran: rm -rf dist/);
    const questions = [question];
    const which = await through("AskUserQuestion", { questions }, "2");
    assert.deepEqual(which.reply, {
      behavior: "allow",
      updatedInput: { questions, answers: { "Which?": "B" } },
    });
    const plan = await through("ExitPlanMode", { plan: "# Plan" }, "3", "-m", "Add tests.");
    assert.deepEqual(plan.reply, { behavior: "deny", message: "Add tests." });
    assert.deepEqual(
      plan.decision.options.map((it) => it.label),
      ["Accept (auto edits)", "Accept (manual edits)", "Revise", "Dismiss"],
    );
  });

  it("closes when it is answered in the terminal, and stays there if that was chosen", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const input = { command: "ls" };
    const bash = { tool_name: "Bash", tool_input: input, tool_response: { stdout: "" } };
    for (const hook of [
      { hook_event_name: "PostToolUse", tool_use_id: "t1", ...bash },
      { hook_event_name: "Stop", background_tasks: ["one"] },
      { hook_event_name: "UserPromptSubmit", prompt: "go on" },
    ]) {
      const reply = dialog(project, "Bash", input);
      const { id } = await asked(project);
      await report(project, { ...hook, hook_event_name: "PostToolUse", tool_name: "Read" }); // another tool's end
      assert.equal((await shown(project, id)).state, "pending");
      await report(project, hook);
      assert.equal((await reply).text, "{}");
      const { state, ended } = await shown(project, id);
      assert.deepEqual(
        [state, ended?.reason, ended?.by],
        ["withdrawn", "answered in the terminal", "terminal"],
      );
    }
    const left = dialog(project, "Bash", input);
    await project.run("decision", "resolve", (await asked(project)).id, "dismiss");
    assert.equal((await left).text, "{}");
  });

  also("closes with the hook's connection, and with the daemon", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const hook = JSON.stringify({
      session_id: "s1",
      hook_event_name: "PermissionRequest",
      tool_name: "Bash",
      tool_input: {},
    });
    const socket = path.join(project.stateDir, "oj.sock");
    const curl = ["curl", "-s", "--unix-socket", socket, "-H", "content-type:application/json", "-d", hook];
    const held = spawn(curl[0] ?? "", [...curl.slice(1), "http://oj/hooks/session"], { stdio: "ignore" });
    const first = await asked(project);
    held.kill();
    await project.until(async () => (await shown(project, first.id)).state === "withdrawn", "its end");
    assert.equal((await shown(project, first.id)).ended?.reason, "answered in the terminal");

    const lost = dialog(project, "Bash", { command: "ls" }).then(
      () => "answered",
      () => "lost",
    );
    const second = await asked(project);
    await killDaemon(project);
    assert.equal(await lost, "lost");
    await project.run("daemon", "start");
    const { state, ended } = await shown(project, second.id);
    assert.deepEqual([state, ended?.by], ["withdrawn", "oj"]);
    assert.match(ended?.reason ?? "", /only be answered in the session's terminal/);
  });
});
