/** The tools: each makes one call to the daemon and words the result for the model. No tool answers a decision. */
import { randomUUID } from "node:crypto";
import { setInterval } from "node:timers";
import { z } from "zod";
import { isDisconnect } from "../client/disconnect.ts";
import { askingSince } from "../client/patience.ts";
import { Refusal } from "../core/model/errors.ts";
import type { Asker } from "./asker.ts";
import { listText, standing } from "./words.ts";

/** What a tool knows about the call it answers. */
export interface ToolCall {
  /** What the client's program calls itself. */
  program: string;
  abort: AbortSignal;
  /** Tells the client that the call is still in progress. */
  progress(seconds: number, total: number, message: string): void;
}

const DEFAULT_WAIT_S = 50; // clients give up after a minute, unless they are told otherwise
const MAX_WAIT_S = 3600;
const PROGRESS_EVERY_S = 5;
const MOST_LISTED = 20;

const id = z.string().min(1).max(100).describe("the decision's id, such as dec-7k3m9x2p4q");

export const requestInput = z.strictObject({
  prompt: z.string().describe("the question, one that a person can decide"),
  options: z
    .array(
      z.strictObject({
        label: z.string().describe("what you would do, in a few words"),
        description: z.string().optional().describe("what choosing it leads to"),
      }),
    )
    .optional()
    .describe("1 to 4 different answers; optional if the template has its own"),
  recommend: z.number().int().optional().describe("the number of the option you recommend, from 1"),
  context: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .describe("the facts needed to decide: an object (checked by the template) or text"),
  urgency: z
    .enum(["high", "medium", "low"])
    .optional()
    .describe("high: you can't do anything without it; low: any time will do"),
  template: z.string().optional().describe("a template's name; see this tool's description"),
  blocks: z.array(z.string()).optional().describe("ids of work that must wait for the answer"),
  on_cancel: z
    .enum(["keep", "unblock"])
    .optional()
    .describe("whether that work may continue if the question ends without an answer (default: keep)"),
  parent: z.string().optional().describe("the decision that this is part of"),
  predecessor: z.string().optional().describe("the answered decision that this follows from"),
  file_check: z
    .boolean()
    .optional()
    .describe("false: this is about a failure, but there really is nothing to file or track"),
  wait: z
    .boolean()
    .optional()
    .describe("false: you go on with other work, so it blocks nothing until you await it or stop"),
  meanwhile: z
    .string()
    .optional()
    .describe("only with wait: false: what you go on with, in at most 500 characters"),
});

export const awaitInput = z.strictObject({
  id,
  wait_seconds: z
    .number()
    .min(0)
    .max(MAX_WAIT_S)
    .optional()
    .describe(
      `how long to wait (default ${DEFAULT_WAIT_S}); use more only if your client allows longer calls`,
    ),
});

export const checkInput = z.strictObject({ id });

export const listInput = z.strictObject({
  all: z.boolean().optional().describe("include settled ones, latest first"),
});

export const signalInput = z.strictObject({
  signal: z.enum(["done", "escalate", "fail"]),
  message: z.string().optional().describe("a message to send along"),
});

export async function request(
  asker: Asker,
  input: z.output<typeof requestInput>,
  toolCall: ToolCall,
): Promise<string> {
  const { project, cwd } = asker;
  const name = asker.named(toolCall.program);
  const request_key = randomUUID();
  const decision = await asker.patiently(askingSince(performance.now()), toolCall.abort, () =>
    asker.client(toolCall.abort).requestDecision({
      ...{ project, cwd, as: name, ...asker.origin(), prompt: input.prompt, options: optionsOf(input) },
      ...{ recommend: input.recommend ?? null, context: input.context, urgency: input.urgency ?? null },
      ...{ template: input.template ?? null, blocks: input.blocks ?? [], on_cancel: input.on_cancel ?? null },
      ...{
        parent: input.parent ?? null,
        predecessor: input.predecessor ?? null,
        file_check: input.file_check ?? true,
        request_key,
      },
      ...{ wait: input.wait ?? true, meanwhile: input.meanwhile ?? null },
    }),
  );
  const replaced = decision.supersedes ? ` It replaces ${decision.supersedes}.` : "";
  if (decision.blocking === false)
    return `${decision.id} was asked; it blocks nothing, so go on with your other work.${replaced} Use check_decision now and then, and await_decision once nothing else is left to do.`;
  return `${decision.id} was asked and is waiting for a person.${replaced} Get the answer with await_decision.`;
}

function optionsOf({ options = [] }: z.output<typeof requestInput>) {
  return options.map(({ label, description }) => ({ label, description: description ?? null }));
}

export async function awaitAnswer(
  asker: Asker,
  input: z.output<typeof awaitInput>,
  toolCall: ToolCall,
): Promise<string> {
  const total = input.wait_seconds ?? DEFAULT_WAIT_S;
  const began = performance.now();
  const tell = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1000);
    toolCall.progress(seconds, total, `waiting for a person to answer ${input.id}`);
  }, PROGRESS_EVERY_S * 1000);
  try {
    return await settled(asker, input.id, began + total * 1000, toolCall);
  } finally {
    clearInterval(tell);
  }
}

/** An await that ends at once, so that an answer that is already there counts as delivered. */
export async function check(
  asker: Asker,
  input: z.output<typeof checkInput>,
  toolCall: ToolCall,
): Promise<string> {
  return settled(asker, input.id, performance.now(), toolCall);
}

async function settled(asker: Asker, text: string, untilMs: number, { abort }: ToolCall): Promise<string> {
  const client = asker.client(abort);
  const left = () => Math.max(0, Math.ceil(untilMs - performance.now()));
  const isOver = () => performance.now() >= untilMs;
  try {
    const { id } = await asker.patiently(isOver, abort, () => readable(asker, text, abort));
    return standing(
      await asker.patiently(isOver, abort, () => client.awaitDecision(id, { timeout_ms: left() })),
    );
  } catch (error) {
    if (error instanceof Refusal && error.code === "timeout")
      return standing(await readable(asker, text, abort));
    if (!isDisconnect(error)) throw error;
    return `The daemon can't be reached right now; ${text} and its answer are kept. Call await_decision again.`;
  }
}

/** The decision, if it is the asker's business. About others the asker learns nothing, not even that they exist. */
async function readable(asker: Asker, text: string, abort: AbortSignal) {
  const decision = await asker.client(abort).decision(text);
  if (asker.mayRead(decision)) return decision;
  throw new Refusal("decision.not-yours", `${text} is not one of your decisions`, null);
}

export async function list(
  asker: Asker,
  input: z.output<typeof listInput>,
  toolCall: ToolCall,
): Promise<string> {
  const { project, agent } = asker;
  const name = asker.named(toolCall.program);
  const found = await asker.client(toolCall.abort).decisions({
    ...{ source: "request", project, all: input.all ?? false },
    ...(name === null ? {} : { requested_by: name }),
  });
  const own = found.filter((it) => agent === null || it.agent_id === agent);
  return listText(own.toSorted((a, b) => b.created_at_ms - a.created_at_ms).slice(0, MOST_LISTED));
}

export async function signal(
  asker: Asker,
  input: z.output<typeof signalInput>,
  toolCall: ToolCall,
): Promise<string> {
  if (asker.agent === null)
    throw new Refusal(
      "usage",
      "only an agent that oj runs can signal; nobody is waiting for yours",
      "To reach a person, use request_decision.",
    );
  await asker
    .client(toolCall.abort)
    .signal(asker.agent, { signal: input.signal, message: input.message ?? null });
  return `Noted: ${input.signal}.`;
}
