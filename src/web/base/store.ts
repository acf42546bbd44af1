/** Holds the inbox, changes it through `update` alone, and performs the resulting effects. */
import { useEffect, useState } from "preact/hooks";
import type { BatchResult, MeView } from "../../api/api.ts";
import { never } from "../../core/model/errors.ts";
import { answerFailure, isFailure } from "../../inbox/failed.ts";
import type { Effect, Inbox } from "../../inbox/model.ts";
import { emptyInbox } from "../../inbox/model.ts";
import { neighbour, rows } from "../../inbox/order.ts";
import { answerSuggestion } from "../../inbox/suggestion.ts";
import type { Input } from "../../inbox/update.ts";
import { update } from "../../inbox/update.ts";
import { client, errorOf } from "./api.ts";
import { answer } from "./passkey.ts";
import { go, jobPath } from "./route.ts";

/** State that only this page has. */
/** Not logged in: why, whether a token is taken here, and what the provider is called, if there is one. */
export interface Out {
  state: "out";
  why: string;
  takesToken: boolean;
  provider: string | null;
}

export interface Ui {
  login: { state: "unknown" } | { state: "in" } | Out;
  /** Who is logged in, with their roles and scopes if they came through `oj serve`; null: not known yet. */
  me: MeView | null;
  /** Why the daemon refused to send the list, in its own words. */
  failure: string | null;
  retry_at_ms: number | null;
  /** The result for each decision of the last batch. */
  together: readonly BatchResult[] | null;
}

let inbox: Inbox = emptyInbox();
let own: Ui = { login: { state: "unknown" }, me: null, failure: null, retry_at_ms: null, together: null };
const watchers = new Set<() => void>();

export function current(): Inbox {
  return inbox;
}

export function ui(): Ui {
  return own;
}

export function dispatch(input: Input): void {
  const before = inbox;
  const step = update(inbox, input, Date.now());
  inbox = step.inbox;
  for (const effect of step.effects) void perform(effect);
  if (inbox.selected !== before.selected) lookAhead();
  if (input.type === "listed") refresh();
  changed();
}

export function setUi(change: Partial<Ui>): void {
  own = { ...own, ...change };
  changed();
}

/** Renders again whenever anything changes. */
export function useStore(): { inbox: Inbox; ui: Ui } {
  const [, render] = useState(0);
  useEffect(() => {
    const watcher = () => render((it) => it + 1);
    watchers.add(watcher);
    watcher();
    return () => void watchers.delete(watcher);
  }, []);
  return { inbox, ui: own };
}

function changed(): void {
  for (const watcher of watchers) watcher();
}

/** The decisions that are being loaded, and whether something happened meanwhile, so that they must be loaded again. */
const loading = new Map<string, boolean>();

async function perform(effect: Effect): Promise<void> {
  switch (effect.type) {
    case "load":
      return load(effect.id, effect.isNews);
    case "resolve":
      return attempt(effect.id, async () => {
        if (isFailure(effect.id)) {
          const said = await answerFailure(client, effect.id, effect.body);
          if (effect.body.choices?.[0]?.[0] === 2) return go(jobPath(effect.id));
          return dispatch({ type: "noted", text: said }); // what is left is listed when the daemon reports it
        }
        dispatch({
          type: "answered",
          decision: (await answer(effect.id, effect.body)).decision,
        });
      });
    case "resolve-all":
      return answerAll(effect.ids, () => client.resolveDecisions([...effect.ids], effect.body));
    case "propose":
      return attempt(effect.id, async () =>
        dispatch({ type: "proposed", found: await client.ruleFor(effect.id) }),
      );
    case "remember":
      return attempt(effect.id, async () => {
        const { decision } = await client.rememberDecision(effect.id, effect.body);
        dispatch({ type: "answered", decision });
      });
    case "accept-suggestion":
    case "decline-suggestion":
      return dispatch({ type: "suggestion-done", done: await answerSuggestion(client, effect) });
    case "undo":
      return takeBack(effect.ids);
    case "claim":
      return attempt(effect.id, async () => {
        const { id, isOver } = effect;
        const decision = await (isOver
          ? client.releaseDecision(id)
          : client.claimDecision(id, { for_ms: null }));
        dispatch({ type: "loaded", decision });
      });
    case "look":
      return client.seeDecision(effect.id).catch(() => {}); // it is only for figures
    case "open": {
      const owner = inbox.details.get(effect.id)?.owner ?? inbox.items.get(effect.id)?.owner;
      if (owner && owner.kind !== "requester") go(jobPath(owner.id));
      return;
    }
    case "edit":
      return dispatch({ type: "edited", id: effect.id, text: effect.text });
    case "quit":
      return; // a page is closed with its window
    default:
      return never(effect);
  }
}

async function answerAll(ids: readonly string[], call: () => Promise<BatchResult[]>): Promise<void> {
  const results = await call().catch((error: unknown) =>
    ids.map((id): BatchResult => ({ id, error: errorOf(error) })),
  );
  dispatch({ type: "answered-all", results });
  setUi({ together: results });
}

async function takeBack(ids: readonly string[]): Promise<void> {
  const undone = async (id: string): Promise<BatchResult> =>
    client.undoAnswer(id).then(
      (decision) => ({ id, decision }),
      (error: unknown) => ({ id, error: errorOf(error) }),
    );
  dispatch({ type: "taken-back", results: await Promise.all(ids.map(undone)) });
}

async function load(id: string, isNews = false): Promise<void> {
  if (isFailure(id)) return; // it is listed whole
  if (loading.has(id)) return void (isNews && loading.set(id, true));
  loading.set(id, false);
  await attempt(id, async () => dispatch({ type: "loaded", decision: await client.decision(id) }));
  const isDueAgain = loading.get(id);
  loading.delete(id);
  if (isDueAgain) return load(id);
}

/** Loads again what may have changed while the connection was down. */
function refresh(): void {
  for (const id of new Set([inbox.selected, ...inbox.answered])) if (id !== null) void load(id);
}

/** Loads the decisions next to the one in focus, so that they are here when the next key is pressed. */
function lookAhead(): void {
  const { selected, details } = inbox;
  const order = rows(inbox);
  for (const by of [1, -1] as const) {
    const id = neighbour(order, selected, by);
    if (id !== null && !details.has(id)) void load(id);
  }
}

async function attempt(id: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    dispatch({ type: "refused", id, error: errorOf(error) });
  }
}
