/**
 * What every client's adapter makes of a recording of the real client, in the version that its file names: the same
 * play for all. A Yes to `touch one`, a No to `touch two` with a reason, an answer to a question, the end of the turn;
 * then an error. `OJ_SAVE_RECORDED=1 npx vitest run --project CLIENT recorded` records it anew.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import type { AgentClient } from "../../src/agents/client.ts";

const FIXTURES = path.join(import.meta.dirname, "../fixtures/recorded");

export const REASON = "Not here.";
export const CHOSEN = "Postgres";
const QUESTION = "Which database?";

export interface Asked {
  kind: "approval" | "question";
  /** The command, or the question. */
  what: string;
}

export interface Heard {
  asked: Asked[];
  /** What we sent in answer, in the client's own form, and what was sent when it was recorded. */
  sent: unknown[];
  recorded: unknown[];
  /** The commands that ran. */
  ran: string[];
  last_message: string;
  error: string | null;
}

export interface Adapter<Line> {
  client: AgentClient;
  version: string;
  /** The recording's name, with the version in it. */
  name: string;
  /** What the client tells besides its permissions. The rest is on its screen. */
  tells: { question: boolean; error: boolean };
  hear(lines: Line[]): Promise<Heard>;
}

export function isYes({ kind, what }: Asked): boolean {
  return kind === "approval" && what === "touch one";
}

export function clientContract<Line>({ client, version, name, tells, hear }: Adapter<Line>): void {
  describe(`${client.kind} ${version}, as it was recorded`, () => {
    const read = () => {
      const text = fs.readFileSync(path.join(FIXTURES, `${name}.jsonl`), "utf8");
      return hear(
        text
          .trimEnd()
          .split("\n")
          .map((it) => JSON.parse(it) as Line),
      );
    };

    it("is the version that we are tested with", () => {
      assert.ok(name.includes(`-${version}`), name);
      assert.equal(tells.question, client.promises.question === "exact");
    });

    it("asks for what a person is shown", async () => {
      const questions: Asked[] = tells.question ? [{ kind: "question", what: QUESTION }] : [];
      const commands = ["touch one", "touch two"].map((what): Asked => ({ kind: "approval", what }));
      assert.deepEqual((await read()).asked, [...commands, ...questions]);
    });

    it("is answered in the very words that it took", async () => {
      const { sent, recorded } = await read();
      assert.equal(sent.length, tells.question ? 3 : 2);
      assert.deepEqual(sent, recorded);
    });

    it("proves that the allowed call ran, and only that", async () => {
      assert.deepEqual((await read()).ran, ["touch one"]);
    });

    it("ends its turn with its last words", async () => {
      assert.equal((await read()).last_message, "All done.");
    });

    it("says what went wrong", async () => {
      assert.equal((await read()).error, tells.error ? "rate_limited" : null);
    });
  });
}
