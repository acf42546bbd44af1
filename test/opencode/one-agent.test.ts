/** The real opencode in `npm test`: one agent, everything that must be shown. */
import { it } from "vitest";
import type { Step } from "../specs/support/model-server.ts";
import type { Cast } from "../specs/support/one-agent.ts";
import { oneScript, playAll } from "../specs/support/one-agent.ts";
import { describeOpencode } from "./describe.ts";
import { bash, text, tool } from "./model-api.ts";
import { opencodeStage } from "./stage.ts";

const options = ["SQLite", "Postgres"].map((label) => ({ label, description: `As ${label}` }));
const questions = [
  { header: "Database", question: "Which database?", options },
  { header: "Parts", question: "Which parts?", options, multiple: true },
];

const cast: Cast<Step> = {
  command: bash,
  says: text,
  fails: (next) => ({ status: 401, next }),
  asks: {
    step: tool("question", { questions }),
    answer: ["2", "1,2,3", "--text", "And a map"],
    hears: /"Which database\?"="Postgres".*"Which parts\?"="SQLite, Postgres, And a map"/s,
  },
  reason: "result",
  error: /401/,
};

describeOpencode("with one agent", () => {
  it("is allowed, denied, asked, told, answered in its terminal, and resumed", async () => {
    await playAll(await opencodeStage({ all: { script: oneScript(cast), more: "" } }), cast);
  });
});
