/** Reads what people have answered in a project, each answer with what the disk says about its call now. */
import os from "node:os";
import path from "node:path";
import type { Decision } from "../../core/model/decision-types.ts";
import type { State } from "../../core/model/state/state.ts";
import { readCall, wantedPaths } from "../../core/policy/call.ts";
import type { Look, PolicyFile } from "../../core/policy/files.ts";
import type { Precedent } from "../../core/policy/precedents.ts";
import { precedentOf, saidIn } from "../../core/policy/precedents.ts";
import type { Ports } from "../../ports.ts";
import type { Engine } from "../engine/engine.ts";
import { configOf } from "./project.ts";

/** Older answers say less about what people want now. */
const MOST_ANSWERS = 5000;

export interface PastAnswer {
  precedent: Precedent;
  look: Look;
}

export async function pastAnswers(
  { engine, ports }: { engine: Engine; ports: Pick<Ports, "realPaths"> },
  { project, files }: { project: string; files: readonly PolicyFile[] },
): Promise<PastAnswer[]> {
  const past = await engine.read((state) => answersIn(state, project));
  const home = os.homedir();
  const roots = new Map<string, string>();
  const read = past.map(({ precedent, cwd, root }) => {
    const { action, source } = precedent.decision;
    const call = source === "approval" && action ? readCall(action, { cwd, home }) : null;
    const workspace = root ?? rootOf(cwd, roots);
    return { precedent, cwd, workspace, call, sha256: action?.sha256 ?? "" };
  });
  const wanted = read.flatMap((it) => (it.call ? [it.workspace, ...wantedPaths(it.call)] : []));
  const real = await ports.realPaths([...new Set(wanted)]);
  return read.map(({ precedent, cwd, workspace, call, sha256 }) => ({
    precedent,
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
}

function answersIn(state: State, project: string): Asked[] {
  const ids = [...state.decisions.gists()]
    .filter((it) => it.project === project && it.state === "resolved" && it.via !== "policy")
    .slice(-MOST_ANSWERS);
  return ids.flatMap(({ id }) => {
    const decision = state.decisions.peek(id);
    const precedent = decision ? precedentOf(decision) : null;
    return decision && precedent ? [{ precedent, ...placeOf(state, decision) }] : [];
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

function folderOf(cwd: string): string {
  if (!path.isAbsolute(cwd) || cwd === "/") return "/nowhere";
  try {
    return configOf({}, cwd).root;
  } catch {
    return cwd;
  }
}
