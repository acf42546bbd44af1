/** `oj channel test`: a real message, and the answer to it if it has a button. */
import { Refusal } from "../../core/model/errors.ts";
import { parseDuration } from "../../core/text/duration.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";

const WAIT_MS = 5 * 60_000;

export const command = defineCommand({
  name: "channel test",
  summary: "Send a real test message, and wait for its button",
  args: "NAME",
  flags: {
    person: { type: "string", value: "NAME", help: "whom to send it to (default: the first it reaches)" },
    timeout: { type: "string", value: "D", help: "how long to wait for an answer (default 5m)" },
    "no-wait": { type: "boolean", help: "don't wait for an answer" },
  },
  examples: [
    { run: "oj channel test slack", does: "asks there whether the message arrives, and says who answered" },
    { run: "oj channel test mail --person ana --no-wait", does: "only sends it" },
  ],

  async run({ client, config, json, out, abort }, [name, ...more], { person, timeout, "no-wait": noWait }) {
    if (name === undefined || more.length > 0)
      throw usage("oj channel test takes one name", "oj channel list");
    const timeout_ms = timeout === undefined ? WAIT_MS : parseDuration(timeout);
    if (timeout_ms === null) throw usage(`"${timeout}" is not a duration`, "--timeout 5m");
    const about = { project: config.project, ...(person === undefined ? {} : { person }) };
    const test = await client.testChannel(name, about);
    const failed =
      test.notices.find((it) => it.state === "failed") ?? test.notices.find((it) => it.error !== null);
    if (failed)
      throw new Refusal("request.invalid", `${name}: ${failed.error ?? "not sent"}`, "oj channel list");
    const to = test.notices.map((it) => safeLine(it.to)).join(", ");
    if (!test.answers || noWait) {
      if (test.answers) await client.cancelDecision(test.decision_id, { reason: "the test is over" });
      return json ? out.json({ ...test, answer: null }) : out.print(`sent to ${to}`);
    }
    if (!json) out.say(`sent to ${to}: press a button there`);
    const stop = () => void client.cancelDecision(test.decision_id, { reason: "the test was ended" });
    abort.addEventListener("abort", stop, { once: true });
    try {
      const { answer } = await client.awaitDecision(test.decision_id, { timeout_ms });
      if (json) return out.json({ ...test, answer });
      out.print(
        answer
          ? `${safeLine(answer.by)} answered by ${answer.via}: ${safeLine(answer.labels.join(", "))}`
          : "it was settled without an answer",
      );
      return answer ? 0 : 4;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "timeout") throw error;
      await client.cancelDecision(test.decision_id, { reason: "nobody answered the test" });
      throw new Refusal(
        "timeout",
        `${name}: the message was sent, but nobody answered it`,
        `oj channel list`,
      );
    } finally {
      abort.removeEventListener("abort", stop);
    }
  },
});
