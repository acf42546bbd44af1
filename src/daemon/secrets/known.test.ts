import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { tempFolder } from "../../../test/contracts/temp.ts";
import { redacted } from "../../channels/redacted.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import { emptyState } from "../../core/model/state/state.ts";
import { hasHidden } from "../../core/text/secrets/known.ts";
import { knownSecrets } from "./known.ts";

const TOKEN = "q8Yb0fXh2mV7-kZ4tR1sN6wL9cJ3dG5pA_uE8iO2yBx";
const saved: Record<string, Record<string, string>> = {
  "job-top": { PATH: "/usr/bin", API_TOKEN: "tok-0f-the-job", DB: "pg://ana:k1ttenish@db/shop" },
  "crew-a": { SIGNING_KEY: "key-0f-the-crew" },
};

const card = { title: "", matter: [], why: [], changes: [], screen: null };

const known = (
  env: Record<string, string>,
  loadEnv: (id: string) => Promise<Record<string, string> | null> = async () => null,
  read: (look: (it: object) => unknown) => Promise<unknown> = async () => null,
) => {
  const kept = async (id: string) => (id === "agt-c" ? TOKEN : null);
  return knownSecrets(
    { read } as never,
    { files: { loadEnv } },
    { config: { env, home: "/" }, tokens: { kept } },
  );
};

function stage() {
  const state = {
    ...emptyState(),
    jobs: new Map(["job-top", "job-child"].map((id) => [id, { id, origin: "job-top" }])),
    agents: new Map([["agt-c", { owner: { kind: "crew", id: "crew-a", name: "a" } }]]),
  };
  let reads = 0;
  const read = async (look: (it: object) => unknown) => look(state);
  const loadEnv = async (id: string) => {
    reads++;
    return saved[id] ?? null;
  };
  const secrets = known({ HOME: "/home/ana", ADMIN_PASSWORD: "pass-0f-the-daemon" }, loadEnv, read);
  return { ...secrets, reads: () => reads, forget: (id: string) => state.jobs.delete(id) };
}

const ALL = ["tok-0f-the-job", "k1ttenish", "key-0f-the-crew", "pass-0f-the-daemon", TOKEN, "read-fr0m-file"];
const [JOB, URL, CREW, DAEMON, AGENT, FILE] = ALL as [string, string, string, string, string, string];
const by = (owner: object, more: object = {}) => ({ owner, agent_id: null, ...more }) as unknown as Decision;
const job = (id: string) => by({ kind: "job", id });
const stranger = { kind: "requester", id: "req-1", name: "bot" };

const ROWS: [what: string, of: Decision[], hidden: string[]][] = [
  ["nobody's", [], []],
  ["a job", [job("job-top")], [JOB, URL]],
  ["a job that was started for it", [job("job-child")], [JOB, URL]],
  ["a job that was deleted", [job("job-gone")], []],
  ["a step's own question", [by(stranger, { asked_in: { job_id: "job-child", step: "a" } })], [JOB, URL]],
  ["a script outside", [by(stranger)], []],
  ["a crew", [by({ kind: "crew", id: "crew-a" })], [CREW]],
  ["a crew's agent", [by({ kind: "crew", id: "crew-a" }, { agent_id: "agt-c" })], [CREW, AGENT]],
  ["what an agent asks in its own words", [by(stranger, { agent_id: "agt-c" })], [CREW, AGENT]],
  ["several in one message", [job("job-top"), by({ kind: "crew", id: "crew-a" })], [JOB, URL, CREW]],
];

describe("secrets that are known by their value", () => {
  it.each(ROWS)("are taken out of what is said about %s", async (_, decisions, hidden) => {
    const { hider, secret } = stage();
    const file = path.join(await tempFolder(), "bot");
    fs.writeFileSync(file, `${FILE}\n`, { mode: 0o600 });
    assert.equal(await secret(file), FILE);
    const hide = await hider(decisions);
    const left = ALL.filter((it) => hide(`see ${it}, there`).includes(it));
    assert.deepEqual(
      left,
      ALL.filter((it) => ![...hidden, DAEMON, FILE].includes(it)),
    );
  });

  it("are taken out of every text, and of nothing else", async () => {
    const hide = await stage().hider([job("job-top")]);
    const value = { n: 1, is: true, none: null, list: [`a${JOB}b`, { [URL]: "the /usr/bin of /home/ana" }] };
    assert.deepEqual(hide(value), {
      ...value,
      list: ["a[redacted secret]b", { "[redacted secret]": "the /usr/bin of /home/ana" }],
    });
  });

  it("don't take words, numbers and paths out of every text", async () => {
    const plain = {
      A_TOKEN: "postgres",
      B_TOKEN: "12345678",
      C_TOKEN: "short1",
      D_CREDENTIALS: "/etc/key-1.json",
    };
    const { hider } = known(plain);
    const text = Object.values(plain).join(" ");
    assert.equal((await hider([]))(text), text);
  });

  it("are left to the redactor where it takes them out by itself, so that such an action counts as shown", async () => {
    const hide = await stage().hider([job("job-top")]);
    const shown = (command: string) => {
      const action = hide({ tool: "Bash", input: { command } });
      const { decision, showsAll } = redacted({
        decision: { action, source: "approval" } as never,
        card: card as never,
      });
      return [(decision.action as { input: { command: string } } | null)?.input.command, showsAll];
    };
    assert.deepEqual(shown(`API_TOKEN=${JOB} make`), ["API_TOKEN=[redacted value] make", true]);
    assert.deepEqual(shown(`${JOB} make`), ["[redacted secret] make", false]);
    assert.deepEqual(shown(`API_TOKEN=${JOB} ${URL}`), [
      "API_TOKEN=[redacted secret] [redacted secret]",
      false,
    ]);
  });

  it("are remembered once their job is deleted, for the messages that still have to be rewritten", async () => {
    const { hider, forget } = stage();
    const asked = [job("job-child")];
    await hider(asked);
    forget("job-child");
    assert.equal((await hider(asked))(`see ${URL}`), "see [redacted secret]");
  });

  it("are looked for as deep as anybody would read", async () => {
    const hide = await stage().hider([job("job-top")]);
    const deep = JSON.parse(`${"[".repeat(5000)}"${JOB}"${"]".repeat(5000)}`);
    assert.doesNotMatch(JSON.stringify(hide({ deep })), /tok-0f/);
    assert.equal(hasHidden(deep), false);
  });

  it("are taken out whole where one begins as another does", async () => {
    const env = { A_TOKEN: "abcd-1234", B_TOKEN: "abcd-1234-efgh" };
    const { hider } = known(env);
    assert.equal((await hider([]))("abcd-1234-efgh abcd-1234"), "[redacted secret] [redacted secret]");
  });

  it("are read once, and no message goes out while they can't be read", async () => {
    const { hider, reads } = stage();
    for (let n = 0; n < 3; n++) await hider([job("job-top")]);
    assert.equal(reads(), 1);
    const broken = known(
      {},
      () => Promise.reject(new Error("EMFILE")),
      async () => ({ id: "job-top", origin: "job-top" }),
    );
    await assert.rejects(broken.hider([job("job-top")]), /EMFILE/);
  });
});
