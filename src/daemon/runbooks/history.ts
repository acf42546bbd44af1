/** Reads what people have answered in a project, each answer with what the disk says about its call now. */
import path from "node:path";
import { homeOf } from "../../config.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import type { State } from "../../core/model/state/state.ts";
import { readCall, wantedPaths } from "../../core/policy/call.ts";
import type { Look, PolicyFile } from "../../core/policy/files.ts";
import type { Precedent } from "../../core/policy/precedents.ts";
import { precedentOf, saidIn } from "../../core/policy/precedents.ts";
import type { Ports } from "../../ports.ts";
import type { Engine } from "../engine/engine.ts";
import { configIn } from "./project.ts";
import { inSlices } from "./slices.ts";

/** Older answers say less about what people want now. */
const MOST_ANSWERS = 5000;
/** So many are read from the disk, or as commands, before others get a turn. */
const AT_ONCE = 50;

export interface PastAnswer {
  precedent: Precedent;
  look: Look;
  /** The project's folder where it was asked; null if that is not known any more. */
  root: string | null;
}

export async function pastAnswers(
  { engine, ports }: { engine: Engine; ports: Pick<Ports, "realPaths"> },
  { project, files }: { project: string; files: readonly PolicyFile[] },
): Promise<PastAnswer[]> {
  const ids = await engine.read((state) => answeredIn(state, project));
  const past = await inSlices(ids, AT_ONCE, (slice) => engine.read((state) => answersOf(state, slice)));
  const home = homeOf({});
  const roots = new Map<string, string>();
  const read = await inSlices(past, AT_ONCE, (slice) =>
    slice.map(({ precedent, cwd, root: own, project_root }) => {
      const { action, source } = precedent.decision;
      const call = source === "approval" && action ? readCall(action, { cwd, home }) : null;
      const found = rootOf(cwd, roots);
      const workspace = own ?? found;
      const root = project_root ?? (found === NOWHERE ? null : found);
      return { precedent, cwd, workspace, root, call, sha256: action?.sha256 ?? "" };
    }),
  );
  const wanted = read.flatMap((it) => (it.call ? [it.workspace, ...wantedPaths(it.call)] : []));
  const real = await ports.realPaths([...new Set(wanted)]);
  return read.map(({ precedent, cwd, workspace, root, call, sha256 }) => ({
    precedent,
    root,
    look: {
      files,
      call: call && { call, sha256 },
      place: { cwd, workspace: real.get(workspace) ?? null, home, real },
      said: saidIn(precedent.decision),
    },
  }));
}

/** `root` is where the asker works, if that is not the project's folder. */
interface Asked {
  precedent: Precedent;
  cwd: string;
  root: string | null;
  /** The project's folder, where an agent says which. */
  project_root: string | null;
}

function answeredIn(state: State, project: string): DecisionId[] {
  return [...state.decisions.gists()]
    .filter((it) => it.project === project && it.state === "resolved" && it.via !== "policy")
    .slice(-MOST_ANSWERS)
    .map((it) => it.id);
}

function answersOf(state: State, ids: readonly DecisionId[]): Asked[] {
  return ids.flatMap((id) => {
    const decision = state.decisions.peek(id);
    const precedent = decision ? precedentOf(decision) : null;
    if (!decision || !precedent) return [];
    const agent = decision.agent_id === null ? undefined : state.agents.get(decision.agent_id);
    return [{ precedent, ...placeOf(state, decision), project_root: agent?.root ?? null }];
  });
}

/** Where whoever asked works. What is not known any more is read from the root of the disk: nothing is inside then. */
export function placeOf(
  state: State,
  { agent_id, session }: Pick<Decision, "agent_id" | "session">,
): { cwd: string; root: string | null } {
  const agent = agent_id === null ? undefined : state.agents.get(agent_id);
  if (agent) return { cwd: agent.cwd, root: agent.cwd };
  const known = session === null ? undefined : state.sessions.get(session);
  return { cwd: known?.cwd ?? "/", root: null };
}

function rootOf(cwd: string, known: Map<string, string>): string {
  const before = known.get(cwd);
  if (before !== undefined) return before;
  const root = folderOf(cwd);
  known.set(cwd, root);
  return root;
}

const NOWHERE = "/nowhere";

function folderOf(cwd: string): string {
  if (!path.isAbsolute(cwd) || cwd === "/") return NOWHERE;
  try {
    return configIn(cwd).root;
  } catch {
    return cwd;
  }
}
