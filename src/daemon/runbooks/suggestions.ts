/**
 * What people's answers suggest, for the inboxes. It is derived from the history, and kept until somebody answers or says
 * something about policies; a project is looked at only when an inbox asks, by itself, and in small pieces.
 */
import type { SuggestionView } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Event } from "../../core/model/events.ts";
import type { State } from "../../core/model/state/state.ts";
import { acceptFiles, declineSuggestion } from "../../core/policy/accept.ts";
import type { Ports } from "../../ports.ts";
import type { Machines } from "../engine/machines.ts";
import type { World } from "./remembered.ts";
import { writeRule } from "./remembered.ts";
import type { Remembering } from "./remembering.ts";
import type { Found } from "./suggested.ts";
import { MOST_SHOWN, suggestedIn } from "./suggested.ts";

export interface Suggestions {
  /** Those that nobody has declined, the best-founded first; of one project, or of all. */
  list(project: string | null): Promise<SuggestionView[]>;
  /** Writes the rule with this hash into its project, where it counts from now on. */
  accept(key: string, hash: string, by: string): Promise<SuggestionView>;
  /** It does not come back. Declined twice is declined once. */
  decline(key: string, by: string): Promise<void>;
  stop(): void;
}

/** Beyond these, what was answered longest ago is left out. */
const MOST_PROJECTS = 20;
/** A look that takes longer than this is followed by a rest of so many times as long, within reason. */
const SHORT_MS = 100;
const REST = 20;
const LONGEST_REST_MS = 5000;

export function startSuggestions(
  world: World & { ports: Pick<Ports, "clock"> },
  { self, remembering }: Pick<Machines, "self"> & { remembering: Pick<Remembering, "inTurn"> },
): Suggestions {
  const { engine, ports } = world;
  const { clock } = ports;
  let known = new Map<string, readonly Found[]>();
  /** Projects in which something has changed since they were looked at; null: nothing was looked at yet. */
  let changed: Set<string> | null = null;
  let looking: Promise<void> | null = null;
  let resting_until_ms = 0;
  let endRest = () => {};
  const unwatch = engine.watch((events) => {
    for (const it of events) if (concerns(it)) changed?.add(it.project);
  });

  async function look(): Promise<void> {
    await rest();
    const before = changed;
    changed = new Set(); // what changes from now on is looked at again
    const began = clock.now();
    try {
      const found = new Map<string, readonly Found[]>();
      for (const project of await engine.read(answeredLately)) {
        const same = before?.has(project) ? undefined : known.get(project);
        found.set(project, same ?? (await suggestedIn(world, self, project)));
      }
      known = found;
    } catch (error) {
      changed = null;
      throw error;
    }
    const took_ms = clock.now() - began;
    if (took_ms > SHORT_MS) resting_until_ms = clock.now() + Math.min(LONGEST_REST_MS, took_ms * REST);
  }

  /** A long history is not gone through again and again. */
  function rest(): Promise<void> {
    const wait_ms = resting_until_ms - clock.now();
    if (wait_ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const disarm = clock.after(Math.min(wait_ms, LONGEST_REST_MS), resolve);
      endRest = () => {
        disarm();
        resolve();
      };
    });
  }

  /** As of now or later: a look that is under way may have missed the latest, so another one follows it. */
  async function fresh(): Promise<readonly Found[]> {
    await looking;
    if (changed === null || changed.size > 0) {
      looking ??= look().finally(() => {
        looking = null;
      });
      await looking;
    }
    return [...known.values()].flat();
  }

  async function find(key: string): Promise<Found> {
    const found = (await fresh()).find((it) => it.view.key === key);
    if (found) return found;
    throw new Refusal("request.not-found", "this is no longer suggested", "oj policy suggest");
  }

  return {
    async list(project) {
      const found = (await fresh()).map((it) => it.view);
      const here = found.filter((it) => project === null || it.project === project);
      return here.sort((a, b) => b.answers - a.answers).slice(0, MOST_SHOWN);
    },
    accept: (key, hash, by) =>
      remembering.inTurn(async () => {
        const { view, root } = await find(key);
        const { project, text } = view;
        if (view.hash !== hash)
          throw new Refusal(
            "request.invalid",
            "this is not the rule that is suggested now: look at it again",
            "oj policy suggest",
          );
        await writeRule(world, { project, root, text }, (file) =>
          engine.run((state) => acceptFiles(state, { project, files: [file], by })),
        );
        return view;
      }),
    async decline(key, by) {
      const { project, text } = (await find(key)).view;
      await engine.run((state) => declineSuggestion(state, { project, key, text, by }));
    },
    stop() {
      unwatch();
      endRest();
    },
  };
}

/** Whether other rules may be suggested after this: a person has answered, or said something about policies. */
function concerns(event: Event): boolean {
  if (event.type === "decision:resolved") return event.via !== "policy" && event.via !== "escalation";
  return event.type.startsWith("policy:");
}

/** The projects in which people have answered approvals, the latest first. */
function answeredLately(state: State): string[] {
  const last = new Map<string, number>();
  for (const it of state.decisions.gists())
    if (it.source === "approval" && it.state === "resolved" && it.via !== "policy")
      last.set(it.project, Math.max(last.get(it.project) ?? 0, it.settled_at_ms ?? 0));
  const latest = [...last].sort(([, a], [, b]) => b - a);
  return latest.slice(0, MOST_PROJECTS).map(([name]) => name);
}
