/** `oj decision request`: a script or an agent asks a person. */
import { randomUUID } from "node:crypto";
import type { RequestBody } from "../../api/api.ts";
import { processesAbove } from "../../client/ancestry.ts";
import { askingSince } from "../../client/patience.ts";
import { URGENCIES } from "../../core/model/decision-types.ts";
import { LONGEST_DEADLINE_MS } from "../../core/model/reach-types.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { deadlineOf } from "../base/deadline.ts";
import { usage } from "../base/fail.ts";
import { patiently } from "../base/patience.ts";
import { textFrom } from "../base/text-from.ts";
import { lasting, oneOf, wholeNumber } from "../base/values.ts";
import { awaitDecision, tell } from "./await.ts";

export const command = defineCommand({
  name: "decision request",
  summary: "Ask a person to decide",
  args: "",
  flags: {
    prompt: { type: "string", value: "P", help: "the question (required)" },
    question: { type: "string", value: "P", help: "the same as --prompt" },
    option: {
      type: "string",
      value: '"LABEL: DESCRIPTION"',
      multiple: true,
      help: "an option, 1 to 4 of them; the description is optional",
    },
    recommend: { type: "string", value: "N", help: "the option you recommend" },
    context: {
      type: "string",
      value: "JSON|@FILE|-",
      help: "what they need to know: JSON or plain text, from a file or stdin",
    },
    urgency: { type: "string", value: "U", help: "high, medium (the default) or low" },
    template: { type: "string", value: "T", help: "the template it follows: oj decision templates" },
    type: { type: "string", value: "T", help: "the same as --template" },
    blocks: {
      type: "string",
      value: "ID",
      multiple: true,
      help: "work that waits for the answer: JOB, JOB/STEP or an id of your own",
    },
    "on-cancel": {
      type: "string",
      value: "keep|unblock",
      help: "what happens to that work without an answer (default: as the template says, else keep)",
    },
    parent: { type: "string", value: "ID", help: "the decision it is part of" },
    predecessor: { type: "string", value: "ID", help: "the decision it follows" },
    deadline: { type: "string", value: "D", help: "take the default after this long: 30m, 4h" },
    default: {
      type: "string",
      value: "KEY",
      help: "the option that is taken then; without it, it stays pending",
    },
    escalation: { type: "string", value: "NAME", help: "who is told while nobody answers: see the runbooks" },
    wait: { type: "boolean", help: "wait for the answer and print it, as `await` does" },
    "no-wait": {
      type: "boolean",
      help: "go on with other work: it blocks nothing until you stop, await it or ask again",
    },
    meanwhile: { type: "string", value: "TEXT", help: "with --no-wait: what goes on meanwhile" },
    timeout: {
      type: "string",
      value: "D",
      help: "with --wait: give up after this long, 30s or 5m; exit code 5",
    },
    "no-file-check": { type: "boolean", help: "don't require an option to file a failure" },
    as: {
      type: "string",
      value: "NAME",
      help: "ask as this agent or script; each has one pending request at a time",
    },
  },
  examples: [
    {
      run: 'oj decision request --prompt "Which?" --option "A: fast" --option B --recommend 1',
      does: "prints the id; get the answer with oj decision await",
    },
    {
      run: 'oj decision request --prompt "Ship?" --option Yes --option No --wait --timeout 30m',
      does: "waits: exit code 0 answered, 4 withdrawn, superseded, expired or dismissed, 5 timeout",
    },
    {
      run: 'oj decision request --prompt "Ship?" --option Yes --option No --deadline 4h --default no',
      does: "after 4 hours without an answer: expired, and No is the default; `await` ends with exit code 4",
    },
    {
      run: 'oj decision request --prompt "Which?" --option A --option B --no-wait --meanwhile "the tests"',
      does: "asks aside: shown apart from what blocks work, until you have nothing else to do",
    },
    {
      run: `oj decision request --template stuck --prompt "…" --context '{"blocker": "…", "tried": ["…"]}'`,
      does: "the template checks the context and brings its own options: oj decision templates",
    },
    {
      run: 'git diff | oj decision request --prompt "Merge this?" --option Yes --option No --context -',
      does: "the context from stdin; --context @notes.md reads a file",
    },
  ],
  async run(context, _, flags) {
    const { client, config, out, json, abort } = context;
    if (flags.timeout !== undefined && !flags.wait)
      throw usage("--timeout needs --wait", "oj decision request … --wait --timeout 5m");
    if (flags["no-wait"] && flags.wait)
      throw usage("--wait and --no-wait contradict each other", "oj decision request … --wait");
    const prompt = promptOf(flags);
    if (prompt === undefined)
      throw usage(
        "a request needs a question",
        'oj decision request --prompt "…" --option "label: description"',
      );
    const deadline = deadlineOf(flags.timeout);
    const body: RequestBody = {
      project: config.project,
      cwd: config.cwd,
      as: flags.as ?? null,
      session: config.session ?? null,
      ...(config.mayBeSession && config.session === undefined
        ? { processes: processesAbove(config.stateDir) }
        : {}),
      prompt,
      options: (flags.option ?? []).map(optionOf),
      recommend: wholeNumber("--recommend", flags.recommend) ?? null,
      ...contextOf(flags.context && textFrom("--context", flags.context, context), context),
      urgency: oneOf("--urgency", flags.urgency, URGENCIES) ?? null,
      template: templateOf(flags),
      blocks: flags.blocks ?? [],
      on_cancel: oneOf("--on-cancel", flags["on-cancel"], ["keep", "unblock"] as const) ?? null,
      parent: flags.parent ?? null,
      predecessor: flags.predecessor ?? null,
      ...(flags["no-file-check"] ? { file_check: false } : {}),
      ...overdueOf(flags),
      ...(flags["no-wait"] ? { wait: false } : {}),
      ...(flags.meanwhile === undefined ? {} : { meanwhile: flags.meanwhile }),
      request_key: randomUUID(),
    };
    const isOver = askingSince(performance.now());
    const decision = await patiently(context, isOver, () => client.requestDecision(body));
    if (!flags.wait) {
      if (json) return out.json(decision);
      out.print(decision.id);
      if (decision.blocking === false)
        return out.say(
          `  it blocks nothing yet; when nothing else is left: oj decision await ${decision.id}`,
        );
      return out.say(`  ${out.style.cyan("→")} oj decision await ${decision.id}`);
    }
    out.say(`${decision.id} asked; waiting for the answer`);
    abort.addEventListener("abort", () =>
      out.say(`${decision.id} is still waiting for an answer: oj decision await ${decision.id}`),
    );
    return tell(context, await awaitDecision(context, decision.id, deadline));
  },
});

function overdueOf(flags: {
  escalation?: string;
  deadline?: string;
  default?: string;
}): Partial<RequestBody> {
  const deadline_ms = lasting("--deadline", flags.deadline, LONGEST_DEADLINE_MS);
  return {
    ...(flags.escalation === undefined ? {} : { escalation: flags.escalation }),
    ...(deadline_ms === undefined ? {} : { deadline_ms }),
    ...(flags.default === undefined ? {} : { default: flags.default }),
  };
}

/** "Postgres: what the team knows" → label and description; only the first ": " separates them. */
export function optionOf(text: string): RequestBody["options"][number] {
  const at = text.indexOf(": ");
  if (at < 0) return { label: text.trim(), description: null };
  return { label: text.slice(0, at).trim(), description: text.slice(at + 2).trim() || null };
}

/** A JSON object is checked by templates; everything else is text to read. */
export function contextOf(
  text: string | undefined,
  { out }: Pick<Context, "out">,
): Pick<RequestBody, "context"> {
  if (text === undefined) return {};
  if (!/^\s*[{[]/.test(text)) return { context: text };
  try {
    return { context: JSON.parse(text) as unknown };
  } catch (error) {
    out.say(
      `the context looks like JSON but is not valid (${(error as Error).message}), so it is taken as plain text`,
    );
    return { context: text };
  }
}

function promptOf({ prompt, question }: { prompt?: string; question?: string }): string | undefined {
  if (prompt !== undefined && question !== undefined && prompt !== question)
    throw usage("--prompt and --question mean the same; give only one", '--prompt "…"');
  return prompt ?? question;
}

function templateOf({ template, type }: { template?: string; type?: string }): string | null {
  if (template !== undefined && type !== undefined && template !== type)
    throw usage("--template and --type mean the same; give only one", "--template T");
  return template ?? type ?? null;
}
