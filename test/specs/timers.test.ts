/** What happens while nobody answers, through the real daemon: chains, claims, deadlines, auto-close, a daemon that is killed. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import { killDaemon } from "./support/http.ts";
import { live, whyNotLater } from "./support/later.ts";
import type { Project } from "./support/project.ts";
import { reachProject } from "./support/reach.ts";

const PEOPLE = `[person.ana]
exec = "ana"
[person.ben]
exec = "ben"
`;

interface Shown {
  id: string;
  state: string;
  answer: { by: string; via: string; labels: string[] } | null;
  ended: { by: string; reason: string } | null;
  escalation: { level: number | null; round: number; next_at_ms: number | null } | null;
  claimed: { by: string } | null;
  default: string | null;
  deadline_at_ms: number | null;
  stale_since_ms: number | null;
  closes_at_ms: number | null;
}

interface Message {
  type: string;
  timestamp: string;
  reason: string;
  person: string;
}

/** A project in which every message becomes a file; `told` has the first ones, without what was changed later. */
async function chained(hcl: string, settings = "") {
  const project = await reachProject("", {}, { ".oj/runbooks/chain.hcl": hcl });
  const folder = path.join(project.home, "told");
  const program = path.join(project.home, "tell");
  fs.mkdirSync(folder);
  const each = `file=$(mktemp ${folder}/XXXXXX) && cat > $file && mv $file $file.json`;
  fs.writeFileSync(program, `#!/bin/sh\n${each}\n`, { mode: 0o755 });
  project.configure(`${PEOPLE}[channel.exec.pager]\ncommand = ["${program}"]\n${settings}`);
  const told = () =>
    fs
      .readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => JSON.parse(fs.readFileSync(path.join(folder, name), "utf8")) as Message)
      .filter((it) => it.type === "decision.created")
      .sort((a, b) => a.timestamp.localeCompare(b.timestamp))
      .map((it) => `${it.reason} ${it.person}`);
  const show = (id: string) => project.json<Shown>("decision", "show", id);
  const becomes = (id: string, state: string) =>
    project.until(async () => {
      const it = await show(id);
      return it.state === state && it;
    }, `${id} that is ${state}`);
  return Object.assign(project, { told, shown: show, becomes });
}

/** The daemon is killed, and the next one starts on a machine whose clock has moved on meanwhile. */
async function killedFor(project: Project, span: string): Promise<void> {
  await killDaemon(project);
  live(project, span);
  const { code, stderr } = await project.run("daemon", "start");
  assert.equal(code, 0, stderr);
}

const CHAIN = (times: { remind?: string; next: string }, more: string) => `escalation "prod" {
  level {
    notify = ["ana"]
    ${times.remind ? `remind = "${times.remind}"` : ""}
    next = "${times.next}"
  }
  level {
    notify = ["ben"]
    next = "1s"
  }
  ${more}
}
`;

/** What each was told, in order. Messages to two people have no order on a machine that was held up. */
function byPerson(told: readonly string[]): Record<string, string[]> {
  const of = (name: string) =>
    told.filter((it) => it.endsWith(` ${name}`)).map((it) => it.split(" ")[0] ?? "");
  return { ana: of("ana"), ben: of("ben") };
}

const PROD = (deadline: string) => ["--escalation", "prod", "--deadline", deadline, "--default", "no"];

describe.skipIf(whyNotLater !== null)(`a decision that nobody answers${skipped(whyNotLater)}`, () => {
  it("reminds, tells the next, starts again, and takes its default though the daemon was killed", async () => {
    const project = await chained(CHAIN({ remind: "1s", next: "2s" }, `repeat = 1`));
    const id = await project.ask("Ship it?", "--as", "bot", ...PROD("1h"));
    const all = { ana: ["level", "reminder", "level", "reminder"], ben: ["level", "level"] };
    await project.until(() => project.told().length >= 6, "all messages");
    assert.deepEqual(byPerson(project.told()), all);
    assert.equal((await project.shown(id)).state, "pending");

    await killedFor(project, "2h");
    const { answer, ended, default: key } = await project.becomes(id, "expired");
    assert.deepEqual(
      [answer?.by, answer?.via, answer?.labels, key, ended?.reason],
      ["escalation:prod", "escalation", ["No"], "no", "nobody answered within 1h"],
    );
    assert.deepEqual(byPerson(project.told()), all, "nobody is told of what has run out");

    const awaited = await project.run("decision", "await", id, "-o", "json");
    assert.deepEqual([awaited.code, (JSON.parse(awaited.stdout) as Shown).default], [4, "no"]);
    const late = await project.run("decision", "resolve", id, "1");
    assert.equal(late.code, 1);
    assert.match(late.stderr, /expired .*, by escalation:prod: nobody answered within 1h; by default: No/);
    assert.equal((await project.run("decision", "undo", id)).code, 1);
    assert.deepEqual((await project.shown(id)).answer?.labels, ["No"]);
  });

  also(
    "pauses while somebody is on it, for the next daemon too, and continues once it is released",
    async () => {
      const project = await chained(CHAIN({ next: "10s" }, `claim_for = "5h"`));
      const id = await project.ask("Ship it?", ...PROD("9h"));
      await project.until(() => project.told().length > 0, "the first message");
      assert.equal((await project.run("decision", "claim", id)).code, 0);
      assert.equal((await project.shown(id)).escalation?.next_at_ms, null);

      await killedFor(project, "2h");
      const still = await project.shown(id);
      assert.deepEqual(
        [still.claimed?.by, still.escalation?.level, project.told()],
        ["ana", 1, ["level ana"]],
      );
      assert.equal((await project.run("decision", "release", id)).code, 0);
      await project.until(() => project.told().length > 1, "the next level");
      assert.deepEqual(project.told(), ["level ana", "level ben"]);
      assert.equal((await project.run("decision", "resolve", id, "1")).code, 0);
      await killedFor(project, "12h");
      assert.equal((await project.shown(id)).state, "resolved");
      assert.equal(project.told().length, 2);
    },
  );

  it("is stale after a while, and a request then expires if the settings say so", async () => {
    const project = await chained("", `[decisions]\nstale_after = "1h"\nauto_close = "5h"\n`);
    const id = await project.ask("Still needed?", "--as", "bot");
    const other = await project.ask("And this?", "--as", "other", "--deadline", "9h", "--default", "no");
    const first = await project.shown(id);
    assert.equal(first.stale_since_ms, null);
    assert.ok(first.closes_at_ms);
    assert.equal(
      (await project.run("decision", "list", "--stale")).stdout,
      "no decisions waiting for an answer that are stale\n",
    );

    await killedFor(project, "2h");
    const { stale_since_ms } = await project.until(async () => {
      const it = await project.shown(id);
      return it.stale_since_ms !== null && it;
    }, "a stale decision");
    assert.ok(stale_since_ms);
    await project.until(
      async () => (await project.json<Shown[]>("decision", "list", "--stale")).length === 2,
    );
    const card = (await project.run("decision", "show", id)).stdout;
    assert.match(card, /^ {2}closes +in [23] hours, without an answer$/m);
    assert.match(card, /^ {2}stale +for (60 minutes|1 hour|an hour) now$/m);

    await killedFor(project, "6h");
    const { ended, answer } = await project.becomes(id, "expired");
    assert.deepEqual([ended?.by, ended?.reason, answer], ["auto-close", "no answer within 5h", null]);
    assert.equal((await project.shown(other)).state, "pending");
    const heard = (await project.run("inject", "drain", "--as", "bot")).stdout;
    assert.match(heard, /\(Still needed\?\) expired: no answer within 5h\. There is no answer\./);
    const late = await project.run("decision", "resolve", id, "1");
    assert.equal(late.code, 1);
    assert.match(late.stderr, /expired .*, by auto-close: no answer within 5h/);
  });
});

function skipped(why: string | null): string {
  return why === null ? "" : ` (skipped: ${why})`;
}
