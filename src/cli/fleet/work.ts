/** What the fleet's screen needs done: following what happens while it is open, and what its keys ask for. */
import type { ProjectFleet } from "../../api/api.ts";
import { refusalOf } from "../../client/disconnect.ts";
import { never } from "../../core/model/errors.ts";
import { whenHeard } from "../../inbox/fleet/when-heard.ts";
import type { Input } from "../../inbox/update.ts";
import { attach } from "../base/attach.ts";
import { batches } from "../base/batches.ts";
import type { Context } from "../base/command.ts";
import { directClient, patiently, stopped } from "../base/patience.ts";
import type { FleetRequest } from "./screen.ts";

export type FleetEffect =
  | { type: "follow-fleet" }
  | { type: "leave-fleet" }
  | { type: "fleet"; request: Extract<FleetRequest, { type: "attach" | "send" | "cancel" }> };

type Request = Extract<FleetEffect, { type: "fleet" }>["request"];

export interface Outside {
  context: Context;
  query: { project?: string };
  abort: AbortSignal;
  show(fleet: readonly ProjectFleet[]): void;
  put(input: Input): void;
  /** Lends the terminal to something else, until that ends. */
  lend(work: () => Promise<void>): void;
}

/** Events that come within this time are shown together. */
const QUIET_MS = 100;

export function makeFleetWork(outside: Outside): (effect: FleetEffect) => Promise<void> {
  let following = new AbortController();
  return async (effect) => {
    if (effect.type === "fleet") return perform(outside, effect.request);
    following.abort();
    if (effect.type === "leave-fleet") return;
    following = new AbortController();
    await follow(outside, AbortSignal.any([following.signal, outside.abort]));
  };
}

/** Shows the fleet, and again after events; only then is the daemon asked. Survives restarts of the daemon. */
async function follow({ context, query, show, put }: Outside, abort: AbortSignal): Promise<void> {
  const client = directClient(context, abort, "tui");
  const look = async () => {
    const fleet = await client.fleet(query);
    if (!abort.aborted) show(fleet);
  };
  const quiet = { ...context, abort, out: { ...context.out, say: () => {} } }; // the inbox says that the daemon is away
  await patiently(quiet, null, async () => {
    const { seq } = await context.client.health();
    await look();
    for await (const _ of batches(client.events({ ...query, after: seq }), QUIET_MS)) await look();
    throw stopped();
  }).catch((error: unknown) => {
    if (!abort.aborted) put(refused("fleet", error));
  });
}

async function perform({ context, abort, put, lend }: Outside, request: Request): Promise<void> {
  const client = directClient(context, abort, "tui");
  const id = "run_id" in request ? request.run_id : request.agent_id;
  try {
    switch (request.type) {
      case "cancel": {
        const { status } = await client.cancelJob(id, { reason: null });
        return put({
          type: "noted",
          text: `${id} is ${status === "cancelled" ? "cancelled" : "being cancelled"}`,
        });
      }
      case "send": {
        const agent = await client.sendToAgent(id, { text: request.text });
        return put({ type: "noted", text: `${id} ${whenHeard(agent)}` });
      }
      case "attach":
        return lend(() => attached({ ...context, client }, id, put));
      default:
        return never(request);
    }
  } catch (error) {
    put(refused(id, error));
  }
}

async function attached(context: Context, id: string, put: (input: Input) => void): Promise<void> {
  try {
    const code = await attach(context, id);
    put({
      type: "noted",
      text: code === 0 ? `you were attached to ${id}` : `attaching to ${id} ended with ${code}`,
    });
  } catch (error) {
    put(refused(id, error));
  }
}

function refused(id: string, error: unknown): Input {
  const { code, message, hint } = refusalOf(error);
  return { type: "refused", id, error: { code, message, hint } };
}
