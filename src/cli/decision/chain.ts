/** `oj decision chain`: what led to a decision and what came of it, as a tree. */
import type { ChainBranch, ChainLink, ChainView } from "../../api/api.ts";
import { standing } from "../../inbox/card/words.ts";
import { truncate } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import type { Look } from "../card/sections.ts";

export const command = defineCommand({
  name: "decision chain",
  summary: "Show what led to a decision and what came of it",
  args: "ID",
  flags: {},
  completes: "decision",
  examples: [
    { run: "oj decision chain 7k3", does: "follows --predecessor, or else --parent" },
    {
      run: "oj decision chain 7k3 -o json | jq '.ancestors[].id'",
      does: "what it came from, oldest first",
    },
  ],
  async run({ client, out, json, now }, [id = ""]) {
    const chain = await client.decisionChain(id);
    if (json) return out.json(chain);
    out.print(chainLines(chain, { style: out.style, width: out.width, now: now() }).join("\n"));
  },
});

export function chainLines(chain: ChainView, look: Look): string[] {
  const { ancestors, decision, descendants, gone, is_cycle, left_out } = chain;
  const tree = [...ancestors, decision].reduceRight<ChainBranch[]>(
    (followed_by, link) => [{ ...link, followed_by }],
    descendants,
  );
  const notes = [
    ...(is_cycle ? ["the chain loops back on itself; repeats are left out"] : []),
    ...(left_out > 0 ? [`${left_out} more followed from these`] : []),
  ];
  return [
    ...(gone === null ? [] : [look.style.dim(`${gone}  no longer kept, or not visible to you`)]),
    ...tree.flatMap((it) => branchLines(it, decision.id, look)),
    ...notes.map((it) => look.style.dim(`(${it})`)),
  ];
}

/** Two lines for each, with its branches below. The indentation stops growing where it would eat the line. */
function branchLines(branch: ChainBranch, asked: string, look: Look, fork = "", below = ""): string[] {
  const { id, followed_by } = branch;
  const title = truncate(safeLine(branch.title), Math.max(20, look.width - fork.length - id.length - 2));
  const head = id === asked ? look.style.bold(`${id}  ${title}`) : `${id}  ${title}`;
  const indent = below.slice(0, MOST_INDENT);
  const stem = followed_by.length > 0 ? "│" : " ";
  return [
    `${fork}${head}`,
    `${indent}${look.style.dim(`${stem}  ${facts(branch, look.now)}`)}`,
    ...followed_by.flatMap((it, index) => {
      const isLast = index === followed_by.length - 1;
      return branchLines(
        it,
        asked,
        look,
        `${indent}${isLast ? "└─ " : "├─ "}`,
        `${indent}${isLast ? "   " : "│  "}`,
      );
    }),
  ];
}

const MOST_INDENT = 40;

function facts(link: ChainLink, now: number): string {
  const how = link.predecessor ? "" : link.parent ? `part of ${link.parent}; ` : "";
  const next = link.successor === null ? "" : `; a "${safeLine(link.successor)}" request must follow`;
  return `${how}${standing(link, now)}${next}`;
}
