/**
 * Which rules people's answers in a project suggest, with what they rest on and what they would have answered. Looked up
 * in small pieces: others wait for the daemon.
 */
import type { SuggestionView } from "../../api/api.ts";
import type { MachineName } from "../../core/model/ids.ts";
import type { Policy } from "../../core/model/policy-types.ts";
import { homeOf } from "../../core/model/state/home.ts";
import { irreversibleHere } from "../../core/policy/listed.ts";
import { namesIn } from "../../core/policy/remember.ts";
import type { Suggestion } from "../../core/policy/suggest.ts";
import { suggesting } from "../../core/policy/suggest.ts";
import { sha256 } from "../../core/text/hash.ts";
import { readPolicies } from "../../runbook/policies.ts";
import type { PastAnswer } from "./history.ts";
import { pastAnswers } from "./history.ts";
import type { World } from "./remembered.ts";
import { rememberedFile, withRule } from "./remembered.ts";
import { inTurns } from "./slices.ts";
import { tryOn } from "./tried.ts";

export interface Found {
  view: SuggestionView;
  /** The project's folder. */
  root: string;
}

export const MOST_SHOWN = 10;
const MOST_EVIDENCE = 50;
const KEY_LENGTH = 16;

export async function suggestedIn(world: World, self: MachineName | null, project: string): Promise<Found[]> {
  const { engine } = world;
  const all = await pastAnswers(world, { project, files: [] });
  const home = await engine.read((state) => all.map((it) => homeOf(state, it.precedent.decision.id)));
  const past = all.filter((_, at) => self === null || home[at] === self);
  const found: Found[] = [];
  for (const root of new Set(past.flatMap((it) => it.root ?? [])))
    found.push(...(await foundAt(world, project, root, past)));
  return found.sort((a, b) => b.view.answers - a.view.answers);
}

/** What was approved in this folder. What was denied in the project counts against it wherever that was. */
async function foundAt(
  { engine, policies }: World,
  project: string,
  root: string,
  all: readonly PastAnswer[],
): Promise<Found[]> {
  const files = await policies.files(root);
  const past = all.map((it) => ({ ...it, look: { ...it.look, files } }));
  const calls = past.flatMap(({ precedent, look: { call, place }, root: at }) =>
    call && (at === root || precedent.chose !== "approve") ? [{ precedent, call: call.call, place }] : [],
  );
  const book = await engine.read((state) => state.policies.get(project));
  const written = files.flatMap((it) => it.policies);
  const suggested = await inTurns(
    suggesting(calls, {
      added: irreversibleHere(files, book),
      policies: written,
      taken: namesIn(book, written),
      dayOf: (at_ms) => new Date(at_ms).toDateString(),
    }),
  );
  const found: Found[] = [];
  for (const it of suggested) {
    const key = sha256(JSON.stringify([root, it.shape])).slice(0, KEY_LENGTH);
    const { policies: read, problems } = readPolicies("suggested", it.text);
    const [policy] = read;
    if (!policy || problems.length > 0 || book?.unwanted?.includes(key)) continue;
    const tried = await tryOn(engine, past, [policy]);
    if (tried.disagreed.length > 0) continue;
    const next = await withRule(files, root, it.text, book);
    const problem = "problem" in next ? next.problem : null;
    const { name, text, answers, days, jobs } = it;
    const view = { key, project, name, text, hash: policy.hash, answers, days, jobs, tried, problem };
    const more = { file: rememberedFile(root), what: whatOf(policy), decisions: evidenceOf(it, past) };
    found.push({ root, view: { ...view, ...more } });
    if (found.length === MOST_SHOWN) break;
  }
  return found;
}

/** The calls it is about, in short. */
function whatOf({ match }: Policy): string {
  if (!("tool" in match)) return "";
  const { tool, command, path } = match;
  return command.length > 0 ? command.join(", ") : `${tool.join(", ")} ${path.join(", ")}`;
}

function evidenceOf({ decisions }: Suggestion, past: readonly PastAnswer[]): SuggestionView["decisions"] {
  const wanted = new Set(decisions.slice(-MOST_EVIDENCE));
  return past.flatMap(({ precedent: { decision, at_ms } }) =>
    wanted.has(decision.id)
      ? [{ id: decision.id, title: decision.title, by: decision.answer?.by ?? "", at_ms }]
      : [],
  );
}
