/** `oj decision review`: one pending decision after the other, each answered with a key. */
import { isatty } from "node:tty";
import { suggestionLine } from "../../inbox/suggestion.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { EXIT } from "../base/fail.ts";
import { openKeyboard } from "../base/keys.ts";
import { write } from "../base/output.ts";
import { chosenProject, projectFlag } from "../base/values.ts";
import type { Dialog } from "../review/dialog.ts";
import { keyDialog, lineDialog } from "../review/dialog.ts";
import { watchSettled } from "../review/settled.ts";
import type { Suggested, Summary } from "../review/walk.ts";
import { summaryLine, walk } from "../review/walk.ts";

export const command = defineCommand({
  name: "decision review",
  summary: "Go through everything pending, one key per answer",
  args: "",
  flags: projectFlag,
  examples: [
    {
      run: "oj decision review",
      does: "keys: 1-N choose (add a message, Enter answers), t your own words, s skip, q quit, ? help",
    },
    {
      run: "printf '1\\nlooks good\\ns\\nq\\n' | oj decision review",
      does: "line by line: a choice and a message, one skipped, the rest left pending",
    },
  ],
  async run(context, _, { project }) {
    const { client, out, json, abort } = context;
    const query = chosenProject(context, project);
    const { seq } = await client.health();
    const found: Suggested = { all: await client.suggestions(query).catch(() => []) };
    if (!json && (await client.decisions(query)).length === 0) {
      out.print(
        `no decisions waiting for an answer${query.project ? ` in project ${safeLine(query.project)}` : ""}`,
      );
      const line = suggestionLine(found.all);
      if (line !== null) {
        out.say(out.style.cyan(safeLine(line)));
        out.say(`  ${out.style.cyan("→")} oj decision watch, then P`);
      }
      return EXIT.done;
    }
    const show = json ? out.say : out.print;
    const settled = watchSettled(context, seq);
    const dialog = openDialog(context, () => found.all.length > 0);
    try {
      return report(
        context,
        await walk(context, dialog, settled, () => client.decisions(query), show, found),
      );
    } finally {
      dialog.close();
      settled.close();
      if (abort.aborted) out.say("");
    }
  },
});

function report({ out, json }: Context, summary: Summary): number {
  const { interrupted, ...counts } = summary;
  if (json) out.json(counts);
  else out.print(`\n${summaryLine(summary)}`);
  if (counts.left.length + counts.skipped.length > 0 && !json)
    out.say(`  ${out.style.cyan("→")} oj decision review`);
  return interrupted ? EXIT.interrupted : EXIT.done;
}

function openDialog({ out }: Context, hasSuggestion: () => boolean): Dialog & { close(): void } {
  const look = { style: out.style, width: out.width, write: (text: string) => write(2, text), hasSuggestion };
  if (!isatty(0)) return { ...lineDialog(stdinLines(), look), close: () => {} };
  const keyboard = openKeyboard(process.stdin, look.write);
  return { ...keyDialog(keyboard, look), close: () => keyboard.close() };
}

async function* stdinLines(): AsyncGenerator<string> {
  let rest = "";
  for await (const part of process.stdin.setEncoding("utf8")) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.replace(/\r$/, "");
  }
  if (rest !== "") yield rest;
}
