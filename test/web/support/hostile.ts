/** Texts that try to become something else in a browser, and decisions that are made of them in every field. */
import type { DecisionBrief, DecisionView } from "../../../src/api.ts";

const CALL = "window.__xss=1";
const OUT = "//evil.example";

const VECTORS = [
  `<script>${CALL}</script>`,
  `<img src=x onerror="${CALL}">`,
  `<img src="https:${OUT}/pixel.png">`,
  `<svg onload="${CALL}">`,
  `<svg><script>${CALL}</script></svg>`,
  `<iframe src="javascript:${CALL}"></iframe>`,
  `<iframe srcdoc="<script>parent.__xss=1</script>"></iframe>`,
  `<object data="javascript:${CALL}"></object>`,
  `<embed src="https:${OUT}/e.swf">`,
  `<link rel=stylesheet href="https:${OUT}/s.css">`,
  `<style>@import "https:${OUT}/s.css"; *{background:url(https:${OUT}/b)}</style>`,
  `<base href="https:${OUT}/">`,
  `<meta http-equiv=refresh content="0;url=https:${OUT}">`,
  `<form action="https:${OUT}"><button>Send</button></form>`,
  `<input autofocus onfocus="${CALL}">`,
  `<details open ontoggle="${CALL}">`,
  `<video src="https:${OUT}/v.mp4" onloadstart="${CALL}">`,
  `<audio src=x onerror="${CALL}">`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${CALL}"></style></mglyph></table></mtext></math>`,
  `<noscript><p title="</noscript><img src=x onerror=${CALL}>">`,
  `<template><img src=x onerror="${CALL}"></template>`,
  `<a href="javascript:${CALL}">go</a>`,
  `<a href="https:${OUT}" ping="https:${OUT}/ping">go</a>`,
  `[go](javascript:${CALL})`,
  `[go](JaVaScRiPt:${CALL})`,
  `[go](java\tscript:${CALL})`,
  `[go](&#106;avascript:${CALL})`,
  `[go](data:text/html,<script>${CALL}</script>)`,
  `[go](vbscript:msgbox)`,
  `[go](https:${OUT} "title\\" onmouseover=\\"${CALL}")`,
  `![x](https:${OUT}/i.png)`,
  `![x](x" onerror="${CALL})`,
  `![x][r]\n\n[r]: https:${OUT}/r.png`,
  `<https:${OUT}/auto>`,
  `<javascript:${CALL}>`,
  `\`\`\`html\n<script>${CALL}</script>\n\`\`\``,
  `\`\`\`"><img src=x onerror=${CALL}>\nx\n\`\`\``,
  `| a |\n|---|\n| <img src=x onerror=${CALL}> |`,
  `# <img src=x onerror=${CALL}>`,
  `"><img src=x onerror=${CALL}>`,
  `' onmouseover='${CALL}' x='`,
  `\${${CALL}}{{constructor.constructor("${CALL}")()}}`,
  `\u0000<scr\u0000ipt>${CALL}</script>`,
  `\u202e<script>${CALL}</script>\u2066`,
  `<scr<script>ipt>${CALL}</scr</script>ipt>`,
  `&lt;script&gt;${CALL}&lt;/script&gt;`,
  `\ud800<img src=x onerror=${CALL}>`,
  `__proto__`,
  `constructor`,
  `</textarea><script>${CALL}</script>`,
];

const WRAPPED: ((text: string) => string)[] = [
  (text) => text,
  (text) => `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-${text}\n+${text}`,
  (text) => `> ${text}\n\n- ${text}\n  1. ${text}`,
  (text) => `*${text}* **${text}** [${text}](https:${OUT}/?${text})`,
];

/** Two hundred. */
export const HOSTILE = VECTORS.flatMap((text) => WRAPPED.map((wrap) => wrap(text)));

/** Every field that holds text of others, made of it; open and with all there can be, or long over. */
export function hostileView(real: DecisionView, id: string, text: string, isOpen: boolean): DecisionView {
  const options = real.options.map((it) => ({
    ...it,
    key: text,
    label: text,
    description: text,
    effect: text,
  }));
  const question = { question: text, header: text, options: [{ label: text, description: text }] };
  const answer = {
    ...{ chosen: 1, choices: [[1]], labels: [text], text, message: text, by: text },
    ...{ via: "api" as const, resolved_at_ms: 1 },
  };
  return {
    ...real,
    ...{ id: id as DecisionView["id"], title: text, project: text, template: text, requested_by: text },
    context: isOpen ? `words of ours:\n${text.replace(/^/gm, "> ")}` : text,
    fields: isOpen ? {} : { [text]: text },
    owner: { kind: "job", id: text as "job-1", name: text, step: text },
    agent_id: isOpen ? (text as "agt-1") : null,
    source: isOpen ? "approval" : "request",
    blocks: [text],
    aftermath: text,
    parent: text as DecisionView["id"],
    predecessor: text as DecisionView["id"],
    supersedes: text as DecisionView["id"],
    superseded_by: isOpen ? null : (text as DecisionView["id"]),
    questions: [
      { ...question, multi_select: false },
      { ...question, multi_select: true },
    ],
    action: {
      tool: text,
      input: { [text]: text, old_string: text, new_string: text, plan: text },
      sha256: text,
    },
    options,
    state: isOpen ? "pending" : "resolved",
    answer: isOpen ? null : answer,
    delivery: isOpen ? real.delivery : { state: "failed", attempts: 1, error: text, at_ms: 1 },
  };
}

export function hostileBrief(view: DecisionView): DecisionBrief {
  const { id, project, source, title, urgency, owner, agent_id, created_at_ms } = view;
  return {
    id,
    project,
    source,
    state: "pending",
    title,
    urgency,
    owner,
    agent_id,
    created_at_ms,
    held: null,
    group: id,
  };
}
