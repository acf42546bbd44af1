/** The end of an agent's screen for a context, without what the context shows anyway. */
import type { Prompt } from "../model/agent-types.ts";
import type { Occasion } from "./occasion.ts";

const TAIL_LINES = 50;
/** Fewer equal lines than this may be a coincidence. */
const FEWEST = 3;

export function screenLines({ tail, prompt, said, failure }: Occasion): string {
  const shown = prompt ? withoutPlan(tail, prompt) : tail;
  const rest = said?.quote === "gate" ? withoutEcho(shown, failure ?? "") : shown;
  return rest.trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
}

/** The screen shows the plan as well; what is above it tells more. */
function withoutPlan(tail: string, { kind, input }: Prompt): string {
  const plan = kind === "plan" ? (input as { plan?: unknown } | null)?.plan : undefined;
  if (typeof plan !== "string") return tail;
  const bare = (line: string) => line.replace(/[#*_`>│\s]+/g, " ").trim();
  const planned = new Set(plan.split("\n").map(bare));
  const lines = tail.split("\n");
  const begin = lines.findIndex((it) => bare(it).length > 2 && planned.has(bare(it)));
  return lines.slice(0, begin === -1 ? lines.length : begin).join("\n");
}

/** An agent that was sent back shows on its screen what the gate printed. */
function withoutEcho(tail: string, printed: string): string {
  const known = new Set(printed.split("\n").map((it) => it.trim()));
  const lines: string[] = [];
  let echo: string[] = [];
  const flush = () => {
    const isEcho = echo.filter((it) => it.trim() !== "").length >= FEWEST;
    lines.push(...(isEcho ? [`  … ${echo.length} lines that the gate printed`] : echo));
    echo = [];
  };
  for (const line of tail.split("\n")) {
    if (known.has(line.trim())) echo.push(line);
    else {
      flush();
      lines.push(line);
    }
  }
  flush();
  return lines.join("\n");
}
