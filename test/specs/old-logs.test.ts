/** Logs that earlier versions wrote (`npm run fixture`): this one reads them, says the same about them, and goes on with them. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, it } from "vitest";
import { few } from "../everything.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

interface Decision {
  id: string;
  state: string;
  source: string;
  title: string;
  options: string[];
  answer: { labels: string[]; message: string | null; by: string } | null;
}

interface Job {
  id: string;
  name: string;
  status: string;
}

interface Kept {
  /** Of the state folder, as base64. */
  files: Record<string, string>;
  says: { decisions: Decision[]; jobs: Job[] };
}

const LOGS = path.join(import.meta.dirname, "../fixtures/logs");
const names = fs.readdirSync(LOGS);

describe("a log of an earlier version", () => {
  it("is there for several of them", () => assert.ok(names.length >= 5, names.join(", ")));

  it.each(few(names, 2))(
    "%s says the same, can be answered, and is the same after a restart",
    async (name) => {
      const { files, says } = JSON.parse(
        gunzipSync(fs.readFileSync(path.join(LOGS, name))).toString(),
      ) as Kept;
      const project = await tempProject();
      for (const [file, bytes] of Object.entries(files)) {
        const place = path.join(project.stateDir, file);
        fs.mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 });
        fs.writeFileSync(place, Buffer.from(bytes, "base64"), { mode: 0o600 });
      }
      assert.deepEqual(await said(project, says), says);

      const open = says.decisions.filter((it) => it.state === "pending");
      assert.ok(open.some((it) => it.source === "step") && open.some((it) => it.source === "request"));
      for (const { id } of open) {
        const { code, stderr } = await project.run("decision", "resolve", id, "2", "-m", "no");
        assert.equal(code, 0, stderr);
      }
      const job = says.jobs.find((it) => it.status === "waiting");
      const ended = await project.until(async () => {
        const now = await said(project, says);
        return now.jobs.some((it) => it.id === job?.id && it.status === "cancelled") && now;
      }, "the end of the job that waited");
      for (const { id, options } of open)
        assert.deepEqual(ended.decisions.find((it) => it.id === id)?.answer, {
          labels: [options[1]],
          message: "no",
          by: "ana",
        });
      for (const args of [
        ["daemon", "stop"],
        ["store", "verify"],
        ["daemon", "start"],
      ]) {
        const { code, stdout, stderr } = await project.run(...args);
        assert.equal(code, 0, `${args.join(" ")}: ${stdout}${stderr}`);
      }
      assert.deepEqual(await said(project, says), ended);
    },
  );
});

/** In the order of the fixture: lists have learnt to sort. */
async function said(project: Project, { decisions, jobs }: Kept["says"]): Promise<Kept["says"]> {
  const now = await project.json<(Omit<Decision, "options"> & { options: { label: string }[] })[]>(
    ...["decision", "list", "--all", "--project", "shop"],
  );
  const listed = await project.json<Job[]>("job", "list", "--project", "shop");
  return {
    decisions: decisions.map((it) => {
      const found = now.find(({ id }) => id === it.id) ?? assert.fail(`${it.id} is gone`);
      const all = { ...found, options: found.options.map(({ label }) => label) };
      const { answer } = found;
      const kept = answer && { labels: answer.labels, message: answer.message, by: answer.by };
      return { ...pick(all, Object.keys(it)), answer: kept } as Decision;
    }),
    jobs: jobs.map((it) => {
      const found = listed.find(({ id }) => id === it.id) ?? assert.fail(`${it.id} is gone`);
      return pick(found, Object.keys(it)) as unknown as Job;
    }),
  };
}

function pick(from: object, keys: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));
}
