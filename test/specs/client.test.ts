/** `oddjobs/client` as somebody else's program uses it. */
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, it, onTestFinished } from "vitest";
import { also } from "../everything.ts";
import { consumerOf } from "./support/consumer.ts";
import { blocksOf, ROOT, readPage } from "./support/doc-page.ts";
import { killDaemon } from "./support/http.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

interface Outcome {
  kind: string;
  id: string;
  option?: { label: string } | null;
  text?: string | null;
  message?: string | null;
  by?: string;
  reason?: string | null;
  superseded_by?: string | null;
}

interface Event {
  seq: number;
  type: string;
  id: string;
}

interface Oddjobs {
  decide(question: object): Promise<Outcome>;
  request(question: object): Promise<{ id: string; options: { description: string | null }[] }>;
  await(id: string, wait?: object): Promise<Outcome>;
  check(id: string): Promise<Outcome>;
  list(query?: object): Promise<{ id: string; count?: number }[]>;
  resolve(id: string, answer: object): Promise<unknown>;
  cancel(id: string, input?: object): Promise<{ ended: { by: string } | null }>;
  templates(): Promise<{ name: string }[]>;
  signal(signal: string): Promise<void>;
  events(watch?: object): AsyncIterable<Event>;
}

const entry = pathToFileURL(path.join(ROOT, "dist/client.js")).href;
const { connect } = (await import(entry)) as { connect(input: object): Oddjobs };

const clientOf = (project: Project, more: object = {}) =>
  connect({ cwd: project.dir, env: project.env, ...more });

/** The id of the only pending question. */
const asked = (project: Project, prompt: string) =>
  project.until(async () => {
    const all = await project.json<{ id: string; title: string }[]>("decision", "list");
    return all.find((it) => it.title === prompt)?.id;
  }, `the question "${prompt}"`);

/** The daemon dies, and a waiting client starts it again. */
async function untilStartedAgain(project: Project): Promise<void> {
  await killDaemon(project);
  await project.until(async () => (await project.daemonPid()) !== null, "a daemon, started by the client");
}

const yesOrNo = (prompt: string) => ({ prompt, options: ["Yes", "No"] });

describe("the packed package", () => {
  const example = blocksOf(readPage("docs/client.md")).find((it) => it.file === "release.mjs")?.text ?? "";

  it("runs the documented example with nothing but the packed files", async () => {
    const project = await tempProject();
    const consumer = await consumerOf(project);
    project.write({ "release.mjs": example });
    const said = consumer.node("release.mjs");
    const id = await asked(project, "Ship 1.4.0?");
    await project.run("decision", "resolve", id, "2", "-m", "not today");
    assert.equal(await said, "ana says: Hold (not today)\n");
  });

  also("works from CommonJS, and exposes nothing else", async () => {
    const project = await tempProject();
    const consumer = await consumerOf(project);
    project.write({
      "ask.cjs": `import("oddjobs/client").then(async ({ connect }) => {
        console.log((await connect().list()).length);
        await import("oddjobs/dist/client.js").catch((error) => console.log(error.code));
      });`,
    });
    assert.equal(await consumer.node("ask.cjs"), "0\nERR_PACKAGE_PATH_NOT_EXPORTED\n");
  });

  also("has types that compile in a strict program and catch its mistakes", async () => {
    const consumer = await consumerOf(await tempProject());
    const uses = `
      import type { Decision, Event, Outcome } from "oddjobs/client";
      import { connect, Refusal } from "oddjobs/client";
      const oj = connect({ as: "bot", start: false });
      export async function ask(signal: AbortSignal): Promise<string> {
        const outcome: Outcome = await oj.decide({ prompt: "?", options: ["a", { label: "b" }], signal, timeout: 1000 });
        switch (outcome.kind) {
          case "answered": return outcome.option?.label ?? outcome.text ?? "";
          case "timeout": return outcome.id;
          case "superseded": return outcome.superseded_by ?? "";
          case "dismissed": case "withdrawn": case "expired": return outcome.reason ?? "";
          default: { const none: never = outcome; return none; }
        }
      }
      export async function watch(): Promise<Decision[]> {
        for await (const event of oj.events({ types: ["decision:*"] })) {
          const it: Event = event;
          if (it.type === "decision:created") return oj.list({ project: it.project, urgency: "high" });
        }
        return [];
      }
      export const codeOf = (error: unknown): string => (error instanceof Refusal ? error.code : "");
    `;
    assert.equal(await consumer.problems({ "uses.mts": uses, "release.mjs": example }), "");
    const wrong = `
      import { connect } from "oddjobs/client";
      const outcome = await connect().decide({ prompt: "?", options: ["a"] });
      outcome.option;
      await connect().decide({ options: ["a"] });
      await connect().decide({ prompt: "?", urgency: "soon" });
    `;
    const found = await consumer.problems({ "wrong.mts": wrong });
    const lines = [...found.matchAll(/wrong\.mts\((\d+)/g)].map((it) => Number(it[1]));
    assert.deepEqual([...new Set(lines)], [4, 5, 6], found);
  });
});

describe("decide", () => {
  it("starts the daemon and returns what a person chose, with everything they said", async () => {
    const project = await tempProject();
    const outcome = clientOf(project).decide(yesOrNo("Go?"));
    await project.run("decision", "resolve", await asked(project, "Go?"), "1", "-m", "carefully");
    const { kind, option, message, by } = await outcome;
    assert.deepEqual(
      { kind, label: option?.label, message, by },
      { kind: "answered", label: "Yes", message: "carefully", by: "ana" },
    );
  });

  also("keeps a label as is, whatever it looks like", async () => {
    const project = await tempProject();
    const oj = clientOf(project);
    const { options } = await oj.request({ prompt: "When?", options: ["12:30", "see https://a.b: c"] });
    assert.deepEqual(
      options.map((it) => it.description),
      [null, null],
    );
  });

  it("tells each kind of ending apart from an answer, and a timeout from a no", async () => {
    const project = await tempProject();
    const oj = clientOf(project, { as: "bot" });
    const first = oj.decide(yesOrNo("One?"));
    const one = await asked(project, "One?");
    const second = oj.decide({ ...yesOrNo("Two?"), timeout: 300_000 });
    const two = await asked(project, "Two?");
    const superseded = await first;
    assert.equal(superseded.kind, "superseded");
    assert.deepEqual([superseded.id, superseded.superseded_by], [one, two]);
    await project.run("decision", "cancel", two, "--reason", "not now");
    assert.deepEqual([(await second).kind, (await second).reason], ["withdrawn", "not now"]);

    const late = await oj.decide({ ...yesOrNo("Three?"), timeout: "50ms" });
    assert.deepEqual(late, { kind: "timeout", id: await asked(project, "Three?") });
    assert.equal((await oj.check(late.id)).kind, "pending");
    await oj.resolve(late.id, { choice: 2 });
    assert.equal((await oj.await(late.id)).option?.label, "No");
  });

  it("keeps waiting when the daemon is killed, stopped and started", async () => {
    const project = await tempProject();
    const outcome = clientOf(project).decide(yesOrNo("Still there?"));
    const id = await asked(project, "Still there?");
    await untilStartedAgain(project);
    await project.run("daemon", "stop");
    await project.run("daemon", "start");
    await project.run("decision", "resolve", id, "1");
    assert.equal((await outcome).option?.label, "Yes");
  });

  it("withdraws the question on abort, or leaves it if asked to", async () => {
    const project = await tempProject();
    const oj = clientOf(project);
    for (const [onAbort, state] of [
      [undefined, "withdrawn"],
      ["cancel", "withdrawn"],
      ["leave", "pending"],
    ] as const) {
      const abort = new AbortController();
      const prompt = `With ${onAbort}?`;
      const outcome = oj.decide({
        ...yesOrNo(prompt),
        signal: abort.signal,
        ...(onAbort ? { onAbort } : {}),
      });
      const id = await asked(project, prompt);
      abort.abort(new Error("enough"));
      await assert.rejects(outcome, /^Error: enough$/);
      assert.equal((await oj.check(id)).kind, state);
    }
    const before = (await oj.list({ all: true })).length;
    await assert.rejects(oj.decide({ ...yesOrNo("Never"), signal: AbortSignal.abort() }), {
      name: "AbortError",
    });
    assert.equal((await oj.list({ all: true })).length, before, "an abort before it began asks nothing");
  });

  it("leaves the question to another that asked the same under the name, and is not told of it", async () => {
    const project = await tempProject();
    const oj = clientOf(project, { as: "bot" });
    const first = oj.decide(yesOrNo("Go?"));
    const id = await asked(project, "Go?");
    const abort = new AbortController();
    const second = oj.decide({ ...yesOrNo("Go?"), signal: abort.signal });
    const count = async () => (await oj.list()).map((it) => it.count ?? 1)[0];
    await project.until(async () => (await count()) === 2);
    abort.abort(new Error("enough"));
    await assert.rejects(second, /^Error: enough$/);
    assert.equal(await count(), 1);
    await oj.resolve(id, { choice: 1 });
    assert.equal((await first).option?.label, "Yes");
    const next = await oj.request(yesOrNo("On?"));
    const { ended } = await oj.cancel(next.id);
    assert.equal(ended?.by, "bot");
    assert.equal((await project.run("inject", "drain", "--as", "bot")).stdout, "");
  });
});

describe("a failure of the client", () => {
  it("is a Refusal that says what to do", async () => {
    const project = await tempProject();
    const oj = clientOf(project);
    const refused = (code: string) => (error: Error & { code?: string; hint?: string }) =>
      error.code === code && Boolean(error.hint);
    await assert.rejects(oj.request({ prompt: " ", options: [] }), refused("decision.invalid"));
    await assert.rejects(oj.await("dec-none"), refused("decision.not-found"));
    await assert.rejects(oj.await("dec-none", { timeout: "soon" }), refused("usage"));
    await assert.rejects(oj.signal("done"), refused("usage"));
    project.write({ ".oj/config.toml": "nonsense" });
    assert.throws(() => clientOf(project), refused("config.invalid"));
  });

  also("is a Refusal if the daemon is absent and may not be started", async () => {
    const project = await tempProject();
    const oj = clientOf(project, { start: false });
    await assert.rejects(oj.list(), { code: "daemon.unreachable" });
    assert.equal(await project.daemonPid(), null);
    assert.deepEqual(await oj.await("dec-any", { timeout: 300 }), { kind: "timeout", id: "dec-any" });
  });
});

describe("events", () => {
  it("arrive once each and in order, even if the daemon dies twice", async () => {
    const project = await tempProject();
    const oj = clientOf(project);
    const abort = new AbortController();
    onTestFinished(() => abort.abort()); // otherwise it would restart the daemon that a failed test leaves behind
    const seen: Event[] = [];
    const following = (async () => {
      for await (const event of oj.events({ after: 0, types: ["decision:created"], signal: abort.signal }))
        seen.push(event);
    })();
    const ids: string[] = [];
    for (let round = 0; round < 3; round++) {
      if (round > 0) await untilStartedAgain(project);
      for (let n = 0; n < 20; n++) ids.push((await oj.request(yesOrNo(`${round} ${n}`))).id);
    }
    await project.until(() => seen.length >= ids.length, "all events");
    abort.abort();
    await assert.rejects(following, { name: "AbortError" });
    assert.deepEqual(
      seen.map((it) => it.id),
      ids,
    );
  });

  also("continue after a sequence number, and end with a break", async () => {
    const project = await tempProject();
    const oj = clientOf(project);
    for (const prompt of ["a", "b", "c"]) await oj.request(yesOrNo(prompt));
    const all: Event[] = [];
    for await (const event of oj.events({ after: 0, types: ["decision:created"] }))
      if (all.push(event) === 3) break;
    for await (const event of oj.events({ after: all[1]?.seq })) {
      assert.equal(event.seq, all[2]?.seq);
      break;
    }
    await assert.rejects(
      async () => {
        for await (const _ of oj.events({ decision: "dec-none" })) assert.fail();
      },
      { code: "decision.not-found" },
    );
  });
});
