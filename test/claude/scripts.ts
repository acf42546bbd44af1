/** What the model asks for in these tests. */
import type { Step } from "./model-api.ts";
import { plan, text, tool } from "./model-api.ts";

export const store = {
  question: "Which database should we use?",
  header: "Database",
  multiSelect: false,
  options: [
    { label: "SQLite", description: "One file" },
    { label: "Postgres", description: "A server" },
  ],
};
export const parts = {
  question: "Which features do you want?",
  header: "Features",
  multiSelect: true,
  options: [
    { label: "Auth", description: "Log in" },
    { label: "Search", description: "Find" },
    { label: "Export", description: "CSV" },
  ],
};

export function asks(...questions: object[]): Step[] {
  return [tool("AskUserQuestion", { questions }), text("Thanks.")];
}

/** `then` is the script that continues after the context is cleared, when only the plan is left. */
export function planText(then: string): string {
  return `# Plan\n\n1. Tear it down\n2. Build it\n\n#s:${then}\n`;
}

export function plans(then: string): Step[] {
  return [...plan(planText(then)), text("So be it.")];
}
