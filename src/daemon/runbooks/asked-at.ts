/** A decision with what the disk says now about where it was asked: what policies are judged with. */
import path from "node:path";
import type { Decision } from "../../core/model/decision-types.ts";
import { findDecision } from "../../core/model/state/find.ts";
import type { Look, PolicyFile } from "../../core/policy/files.ts";
import type { Engine } from "../engine/engine.ts";
import { placeOf } from "./history.ts";
import type { Policies } from "./policies.ts";
import { configIn } from "./project.ts";

export interface AskedAt {
  decision: Decision;
  /** The folder of the project; null if it is not known. */
  root: string | null;
  files: readonly PolicyFile[];
  look: Look | null;
}

/** `from` stands in for a folder that was not recorded, if it is one of the same project. */
export async function askedAt(
  { engine, policies }: { engine: Engine; policies: Pick<Policies, "look" | "files"> },
  id: string,
  from?: string,
): Promise<AskedAt> {
  const { decision, place, agentRoot } = await engine.read((state) => {
    const found = findDecision(state, id);
    const agent = found.agent_id === null ? undefined : state.agents.get(found.agent_id);
    return { decision: found, place: placeOf(state, found), agentRoot: agent?.root ?? null };
  });
  const cwd = folderOf(place.cwd, decision.project, from);
  const isKnown = path.isAbsolute(cwd) && cwd !== "/";
  const root = agentRoot ?? (isKnown ? configIn(cwd).root : null);
  const look = await policies.look({ root, cwd, workspace: place.root ?? root ?? cwd }, decision.action);
  return { decision, root, look, files: look?.files ?? (await policies.files(root)) };
}

function folderOf(cwd: string, project: string, from: string | undefined): string {
  const isKnown = path.isAbsolute(cwd) && cwd !== "/";
  return !isKnown && from !== undefined && configIn(from).project === project ? from : cwd;
}
