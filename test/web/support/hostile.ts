/** Texts that try to become something else in a browser. */
import { hostileTexts } from "../../fakes/hostile-texts.ts";

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
  (text) => `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-${text}\n+${text}`,
  (text) => `> ${text}\n\n- ${text}\n  1. ${text}`,
  (text) => `*${text}* **${text}** [${text}](https:${OUT}/?${text})`,
];

const WRITTEN = VECTORS.flatMap((text) => WRAPPED.map((wrap) => wrap(text)));

/** What controls a terminal or hides text: a page must show it too. */
const PLAIN = hostileTexts.filter((it) => !VECTORS.includes(it));

/** For a decision in this state: where text is drawn as markdown, code or a diff, it also tries to break out of these. */
export function hostileFor(standing: string): string[] {
  const isWritten = standing === "approval" || standing === "plan";
  const plain = PLAIN.filter((_, at) => at % 4 < 3 !== isWritten); // each of them somewhere: two hundred are enough for a field
  return [...VECTORS, ...(isWritten ? WRITTEN : []), ...plain];
}
