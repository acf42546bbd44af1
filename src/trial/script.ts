/** How agents and scripts behave in a trial: as a test says, as drawn from a seed, or as everyone hopes. */
import type { Deed, ShellScript, Trial } from "../runbook/trials.ts";
import type { Chance } from "./chance.ts";

export interface Behaviour {
  /** What this agent does in its next turn. */
  deed(agent: string): Deed;
  /** How this script ends, the next time it runs. */
  shell(script: Script): { exit_code: number; output: string };
}

interface Script {
  /** As bash gets it, and as it stands in the runbook before it is filled in. */
  text: string;
  written: string;
  /** What it prints if all goes well. */
  prints: string;
}

const DONE: Deed = { type: "done", text: "Done." };

/** What the script doesn't say is left to `otherwise`. */
export function scripted(
  { agents, shells }: Pick<Trial, "agents" | "shells">,
  otherwise: Behaviour,
): Behaviour {
  const turns = new Map(Object.entries(agents).map(([name, deeds]) => [name, [...deeds]]));
  const left = shells.map((it): ShellScript => ({ ...it, exits: [...it.exits] }));
  return {
    deed(agent) {
      const deeds = turns.get(agent);
      return deeds ? (deeds.shift() ?? DONE) : otherwise.deed(agent);
    },
    shell(script) {
      const found = left.find((it) => script.text.includes(it.part) || script.written.includes(it.part));
      if (!found) return otherwise.shell(script);
      return { exit_code: found.exits.shift() ?? 0, output: found.prints };
    },
  };
}

/** Agents end their turns, and scripts succeed. */
export const hopeful: Behaviour = {
  deed: () => DONE,
  shell: ({ prints }) => ({ exit_code: 0, output: prints }),
};

/** Most turns end well; whatever can go wrong does now and then. */
export function drawn(chance: Chance): Behaviour {
  const rare: readonly Deed[] = [
    { type: "done", text: "Shall I go on with the rest?" },
    { type: "asks", question: "Which one?", options: ["the first", "the second"] },
    { type: "runs", command: "npm install left-pad" },
    { type: "writes", path: "notes.txt" },
    { type: "plans", plan: "1. Look\n2. Change\n3. Test" },
    { type: "fails", message: "the model is overloaded" },
    { type: "dies", code: 1 },
    { type: "signals", signal: "done", message: null },
    { type: "signals", signal: "escalate", message: "I don't know how to go on" },
    { type: "works", ms: 5 * 60_000 },
    { type: "hangs" },
  ];
  return {
    deed: () => (chance.pick(2) === 0 ? DONE : (rare[chance.pick(rare.length)] ?? DONE)),
    shell({ prints }) {
      const exit_code = chance.pick(4) === 0 ? 1 + chance.pick(3) : 0;
      return { exit_code, output: exit_code === 0 ? prints : `error: exit ${exit_code}\n` };
    },
  };
}
