/** Performs the inbox's effects: one short case for each, and the result goes back as an input. */
import type { ApiClient, BatchResult, ErrorBody } from "../../api/api.ts";
import { refusalOf } from "../../client/disconnect.ts";
import { never } from "../../core/model/errors.ts";
import { answerFailure, isFailure } from "../../inbox/failed.ts";
import type { Effect } from "../../inbox/model.ts";
import { answerSuggestion } from "../../inbox/suggestion.ts";
import type { Input } from "../../inbox/update.ts";

export async function perform(
  client: ApiClient,
  open: (url: string) => Promise<boolean>,
  effect: Exclude<Effect, { type: "quit" } | { type: "edit" }>,
  put: (input: Input) => void,
): Promise<void> {
  try {
    switch (effect.type) {
      case "load":
        return put({ type: "loaded", decision: await client.decision(effect.id) });
      case "resolve":
        if (isFailure(effect.id))
          // what is left is listed when the daemon reports it
          return put({ type: "noted", text: await answerFailure(client, effect.id, effect.body) });
        return put({
          type: "answered",
          decision: (await client.resolveDecision(effect.id, effect.body)).decision,
        });
      case "resolve-all":
        return put({
          type: "answered-all",
          results: await client.resolveDecisions([...effect.ids], effect.body),
        });
      case "propose":
        return put({ type: "proposed", found: await client.ruleFor(effect.id) });
      case "remember":
        return put({
          type: "answered",
          decision: (await client.rememberDecision(effect.id, effect.body)).decision,
        });
      case "accept-suggestion":
      case "decline-suggestion":
        return put({ type: "suggestion-done", done: await answerSuggestion(client, effect) });
      case "undo":
        return put({
          type: "taken-back",
          results: await Promise.all(effect.ids.map((id) => undone(client, id))),
        });
      case "claim":
        return put({ type: "loaded", decision: await claimed(client, effect) });
      case "look":
        return await client.seeDecision(effect.id).catch(() => {}); // it is only for figures
      case "open": {
        const { url } = await client.makeWebLink({ decision: effect.id });
        return put({ type: "noted", text: (await open(url)) ? "opened in your browser" : url });
      }
      default:
        never(effect);
    }
  } catch (error) {
    const ids = "ids" in effect ? effect.ids : "id" in effect ? [effect.id] : [];
    for (const id of ids) put({ type: "refused", id, error: errorOf(error) });
  }
}

function claimed(client: ApiClient, { id, isOver }: Extract<Effect, { type: "claim" }>) {
  return isOver ? client.releaseDecision(id) : client.claimDecision(id, { for_ms: null });
}

async function undone(client: ApiClient, id: string): Promise<BatchResult> {
  try {
    return { id, decision: await client.undoAnswer(id) };
  } catch (error) {
    return { id, error: errorOf(error) };
  }
}

function errorOf(error: unknown): ErrorBody["error"] {
  const { code, message, hint } = refusalOf(error);
  return { code, message, hint };
}
