/** How pages and mails look, light and dark, on a phone and on a desk. A mail program may ignore all of it. */

export const STYLE = `
:root { color-scheme: light dark; --page: #fbfbfc; --surface: #fff; --raised: #f4f5f7; --line: #e5e7eb;
  --strong: #8b94a0; --text: #16191d; --quiet: #5a6470; --accent: #3450c8; --on-accent: #fff;
  --good: #176b36; --good-soft: #e9f6ed; --bad: #b42318; --bad-soft: #fdeeec; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0e1013; --surface: #14171b; --raised: #1b1f25; --line: #262b33; --strong: #67717e;
    --text: #e6e9ed; --quiet: #98a2ae; --accent: #93abff; --on-accent: #0c1226;
    --good: #6cd28a; --good-soft: #16301f; --bad: #ff958c; --bad-soft: #3a1e1c; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 1rem; white-space: pre-wrap; }
h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p { margin: .5rem 0; }
.quiet, .label { color: var(--quiet); font-size: .875rem; }
.label { margin: 1rem 0 .25rem; }
pre, blockquote { margin: .25rem 0 .75rem; padding: .75rem; border: 1px solid var(--line);
  border-radius: .375rem; background: var(--raised); white-space: pre-wrap; }
pre { font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { font: inherit; }
blockquote { border-left: .25rem solid var(--strong); background: none; }
ins, del { display: block; text-decoration: none; }
ins { background: var(--good-soft); color: var(--good); }
del { background: var(--bad-soft); color: var(--bad); }
form, .note { margin: 1.5rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--surface); }
.note.good { border-color: var(--good); }
.note.bad { border-color: var(--bad); }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; font-weight: 600; margin-bottom: .25rem; }
label.option { display: flex; gap: .625rem; padding: .625rem 0; min-height: 2.75rem; }
label.option input { width: 1.25rem; height: 1.25rem; margin: .125rem 0 0; flex: none; accent-color: var(--accent); }
label.words { display: block; margin-bottom: 1rem; }
textarea { display: block; width: 100%; min-height: 4.5rem; margin-top: .25rem; padding: .5rem; font: inherit;
  color: inherit; background: var(--page); border: 1px solid var(--strong); border-radius: .375rem; }
button { min-height: 2.75rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600; border: 0;
  border-radius: .375rem; background: var(--accent); color: var(--on-accent); cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
table.facts { border-collapse: collapse; margin-top: 1.5rem; font-size: .875rem; }
table.facts th { text-align: left; font-weight: 400; color: var(--quiet); padding: .125rem 1rem .125rem 0;
  vertical-align: top; white-space: nowrap; }
table.facts td { padding: .125rem 0; vertical-align: top; }
details { margin: .75rem 0; }
summary { cursor: pointer; padding: .25rem 0; }
`;
