/** A request whose connection breaks is sent again, and is still one decision. */
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, it, onTestFinished } from "vitest";
import { ROOT } from "./support/doc-page.ts";
import type { Fault } from "./support/faulty-socket.ts";
import { faultySocket } from "./support/faulty-socket.ts";
import { call, killDaemon } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { startOj, tempProject } from "./support/project.ts";

interface Decision {
  id: string;
  title: string;
  state: string;
  supersedes: string | null;
}

interface Oddjobs {
  decide(question: object): Promise<{ kind: string; id: string; option?: { label: string } | null }>;
}

const { connect } = (await import(pathToFileURL(path.join(ROOT, "dist/client.js")).href)) as {
  connect(input: object): Oddjobs;
};

/** `OJ_ASKED=160` for more. */
const ROUNDS = Number(process.env.OJ_ASKED ?? 24);

const FAULTS: Fault[] = ["before", "taken", "after"];

/** Answers whatever is pending, until it is told to stop. */
function answerAll(project: Project): { end(): Promise<void> } {
  let ended = false;
  const done = (async () => {
    while (!ended) {
      const all = await call(project, "GET", "/decisions").then(
        (it) => it.json<Decision[]>(),
        () => [], // the daemon is down just now
      );
      const ids = all.map((it) => it.id);
      if (ids.length > 0)
        await call(project, "POST", "/decisions/resolve", { body: { ids, choices: [[1]] } }).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    end() {
      ended = true;
      return done;
    },
  };
}

async function checkOnce(project: Project, outcomes: { id: string; kind: string }[]): Promise<void> {
  const all = (await call(project, "GET", "/decisions?all=true")).json<Decision[]>();
  assert.equal(all.length, outcomes.length, "one decision for each that was asked");
  assert.deepEqual(
    all.filter((it) => it.state !== "resolved" || it.supersedes !== null),
    [],
  );
  assert.deepEqual(all.map((it) => it.id).sort(), outcomes.map((it) => it.id).sort());
  for (const it of outcomes) assert.equal(it.kind, "answered");
}

describe("decide, when the connection breaks while it sends the question", () => {
  it(`makes one decision per question and gets its answer, ${ROUNDS} times, with up to three breaks each`, async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const tries = new Map<string, number>();
    const socket = await faultySocket(project, (request) => {
      const round = Number(/Round (\d+)\?/.exec(request)?.[1]);
      const before = tries.get(`${round}`) ?? 0;
      tries.set(`${round}`, before + 1);
      return before <= round % 3 ? (FAULTS[(round + before) % 3] ?? null) : null;
    });
    onTestFinished(() => socket.close());
    const answers = answerAll(project);
    const outcomes = await Promise.all(
      Array.from({ length: ROUNDS }, (_, n) => {
        const as = n % 2 === 0 ? { as: `bot-${n}` } : {};
        const oj = connect({ cwd: project.dir, env: socket.env, start: false, ...as });
        return oj.decide({ prompt: `Round ${n}?`, options: ["Yes", "No"], timeout: "60s" });
      }),
    );
    await answers.end();
    assert.equal(
      socket.broken(),
      Array.from({ length: ROUNDS }, (_, n) => 1 + (n % 3)).reduce((a, b) => a + b),
    );
    await checkOnce(project, outcomes);
  });

  it("asks once even if the daemon is killed too: 20 questions, 4 deaths", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const outcomes: { id: string; kind: string }[] = [];
    let sent = 0;
    let death: Promise<void> | null = null;
    const broken = new Set<string>();
    const socket = await faultySocket(
      project,
      (request) => {
        const round = /Round \d+\?/.exec(request)?.[0] ?? "";
        if (broken.has(round)) return null;
        broken.add(round);
        return "taken";
      },
      () => {
        // one that finds no daemon before it is sent is refused at once, as `start: false` wants it
        death ??= project.until(() => broken.size === sent, "all are sent").then(() => killDaemon(project));
        return death;
      },
    );
    onTestFinished(() => socket.close());
    const answers = answerAll(project);
    for (let batch = 0; batch < 4; batch++) {
      sent += 5;
      const asked = Array.from({ length: 5 }, (_, n) =>
        connect({ cwd: project.dir, env: socket.env, start: false }).decide({
          ...{ prompt: `Round ${batch * 5 + n}?`, options: ["Yes", "No"], timeout: "60s" },
        }),
      );
      await project.until(() => death !== null, "one of them is sent");
      await death;
      await project.run("daemon", "start");
      outcomes.push(...(await Promise.all(asked)));
      death = null;
    }
    await answers.end();
    await checkOnce(project, outcomes);
  });
});

it("oj decision request retries too, and prints the only decision there is", async () => {
  const project = await tempProject();
  await project.run("daemon", "start");
  const faults = [...FAULTS];
  const socket = await faultySocket(project, () => faults.shift() ?? null);
  onTestFinished(() => socket.close());
  const args = ["decision", "request", "--as", "bot", "--prompt", "Go?", "--option", "Yes", "-o", "json"];
  const { code, stdout, stderr } = await startOj(args, project.dir, socket.env).ended;
  assert.equal(code, 0, stderr);
  assert.equal(socket.broken(), 3);
  const all = (await call(project, "GET", "/decisions?all=true")).json<Decision[]>();
  assert.deepEqual(
    all.map((it) => [it.id, it.state, it.supersedes]),
    [[(JSON.parse(stdout) as Decision).id, "pending", null]],
  );
});
