/** Runbooks for tests in which `«…»` marks where a problem is expected. */

import assert from "node:assert/strict";
import type { Problem } from "../../src/core/model/runbook.ts";
import type { Compiled } from "../../src/runbook/compile.ts";
import { compile, parseFile } from "../../src/runbook/compile.ts";
import type { FileText } from "../../src/runbook/hcl/expand.ts";

/** A message, with its hint if the hint matters. */
export type Expected = string | [message: string, hint: string];

/** Asserts that exactly these problems are found, each at its mark, in order. */
export function assertProblems(marked: string, ...expected: Expected[]): void {
  const { text, places } = unmark(marked);
  const { problems } = compileText(text);
  const shown = problems.map((it, index) => {
    const wanted = expected[index];
    const place = `${it.line}:${it.column}+${it.length}`;
    return [place, it.message, ...(typeof wanted === "string" ? [] : [it.hint])];
  });
  assert.deepEqual(
    shown,
    expected.map((it, index) => [places[index], ...(typeof it === "string" ? [it] : it)]),
  );
}

export function compileText(text: string, files: Record<string, FileText> = {}): Compiled {
  return compile([parseFile("x.hcl", text)], (path) => files[path] ?? { problem: "does not exist" });
}

/** The declarations of a text without problems. */
export function runbookOf(text: string, files: Record<string, FileText> = {}): Compiled["runbook"] {
  const { runbook, problems } = compileText(text, files);
  assert.deepEqual(problems, []);
  return runbook;
}

export function messagesOf(problems: Problem[]): string[] {
  return problems.map((it) => `${it.path}:${it.line} ${it.message}`);
}

function unmark(marked: string): { text: string; places: string[] } {
  let text = "";
  const open: { place: string; at: number; index: number }[] = [];
  const places: string[] = [];
  for (const char of marked) {
    const line = text.slice(text.lastIndexOf("\n") + 1);
    if (char === "«") {
      open.push({
        place: `${text.split("\n").length}:${[...line].length + 1}`,
        at: [...text].length,
        index: places.length,
      });
      places.push("");
    } else if (char === "»") {
      const mark = open.pop();
      assert.ok(mark, "a mark is closed that was not opened");
      places[mark.index] = `${mark.place}+${Math.max(1, [...text].length - mark.at)}`;
    } else text += char;
  }
  assert.equal(open.length, 0, "a mark is not closed");
  return { text, places };
}

/** Runbooks that contain only what is given. */
export const step = (inside: string) => `job "j" {\n  step "a" { ${inside} }\n}`;
export const asks = (inside: string) => step(`decision { prompt = "?"  ${inside} }`);
export const agent = (inside: string) => `agent "a" {\n  run = "claude"\n  ${inside}\n}`;
