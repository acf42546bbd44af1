/** Who plays in `npm run screens`: decisions of every source, a group, failed and hung work. */

/** @typedef {{ steps: object[], more?: string, prompt?: string }} Part */

const STORE = {
  question: "Which store should the cart use?",
  header: "Store",
  options: [
    { label: "Postgres", description: "What the rest of the shop uses" },
    { label: "SQLite", description: "One file, nothing to run" },
  ],
};
const PARTS = {
  question: "Which parts come first?",
  header: "Parts",
  multiSelect: true,
  options: ["Cart", "Search", "Mail"],
};
const WHEN = { question: "When should it go live?", header: "When", options: ["Today", "On Monday"] };
const LONG = `for host in web-1 web-2 web-3; do
  ssh "$host" 'cd /srv/shop && git pull --ff-only && npm ci --omit=dev && systemctl restart shop'
done
curl --fail --silent --show-error https://shop.example.org/health | jq .status`;
const PLAN = `# Search for the shop

The cart is done; **search** comes next.

1. Index names and prices in \`search/index.js\`
2. Answer \`GET /search\` from the index
3. Rebuild the index when an item changes

## Not part of it

- Ranking by sales
- Typing errors

\`\`\`js
const found = index.get(word) ?? [];
\`\`\`
`;
const RATE =
  '{"type":"error","error":{"type":"rate_limit_error","message":"Number of requests has exceeded your limit"}}';
const CELL = { cell_type: "code", source: "total = 1\nprint(total)\n", metadata: {}, outputs: [] };

/** By the name of its job. @type {Record<string, Part>} */
export const PARTS_OF = {
  publish: {
    steps: [
      { say: "All 42 tests pass. Publishing now." },
      { tool: "Bash", input: { command: "npm publish --tag latest", description: "Publish 1.4.0" } },
    ],
  },
  deploy: {
    steps: [
      { say: "Everything is merged, so I roll it out host by host." },
      { tool: "Bash", input: { command: LONG, description: "Roll out and check" } },
    ],
  },
  edit: {
    steps: [
      { say: "The cart counts from 1." },
      {
        tool: "Edit",
        input: { file_path: "cart.js", old_string: "let sum = 1;", new_string: "let sum = 0;" },
      },
    ],
  },
  write: {
    steps: [
      {
        tool: "Write",
        input: { file_path: "search/index.js", content: "export const index = new Map();\n" },
      },
    ],
  },
  notebook: {
    steps: [
      {
        tool: "NotebookEdit",
        input: { notebook_path: "sales.ipynb", cell_id: "cell-0", new_source: "total = 0\nprint(total)\n" },
      },
    ],
  },
  tracker: {
    steps: [
      {
        tool: "mcp__issue-tracker__create_issue",
        input: { title: "Round prices", labels: ["cart"], details: { priority: 2, assignee: null } },
      },
    ],
  },
  fetch: {
    steps: [
      {
        tool: "WebFetch",
        input: { url: "https://example.org/prices", prompt: "Find the newest price list" },
      },
    ],
  },
  rounding: {
    steps: [
      { say: "Prices have more than two decimals in 14 places." },
      { ask: { question: "How should prices be rounded?", options: ["To cents", "To 5 cents"] } },
    ],
  },
  store: { steps: [{ say: "Three things are open." }, { ask: [STORE, PARTS, WHEN] }] },
  search: { steps: [{ plan: PLAN }] },
  mail: {
    steps: [{ say: "The mail module is fixed; all tests pass." }],
    more: `on_idle = { action = "gate", run = "npm test -- mail", attempts = 1 }`,
  },
  limited: { steps: [{ say: "Let me look at the prices." }, { error: "rate_limit", message: RATE }] },
  asks: { steps: [{ say: "The cart works, and its tests pass.\n\nShall I rename the basket as well?" }] },
  stops: { steps: [{ say: "I have read the code of the cart." }] },
  crash: { steps: [{ say: "Installing what the build needs." }, { crash: 7 }] },
  hangs: { steps: [{ say: "Waiting for the registry." }, { hang: 3_600_000 }], more: `hung_after = "2s"` },
  works: { steps: [{ work: 3_600_000 }] },
};

/** Asked once for each of these projects' jobs: one row with its count. */
export const LINTS = ["lint-cart", "lint-mail", "lint-search", "lint-shop", "lint-api"];
for (const it of LINTS)
  PARTS_OF[it] = {
    steps: [{ tool: "Bash", input: { command: "npm run lint -- --fix", description: "Lint" } }],
  };

/** What each agent plays, by its prompt. */
export const scenario = {
  match: Object.entries(PARTS_OF).map(([name, { steps }]) => ({ prompt: `^Task ${name}:`, steps })),
  turns: [[{ say: "There is nothing to do." }]],
};

const RELEASE = `
command "release" {
  args = "<version>"
  run  = { job = "release" }
}
job "release" {
  name = "release/\${var.version}"
  vars = ["version"]
  step "ship" {
    decision {
      prompt  = "Ship version \${var.version}?"
      context = "git log --oneline && git diff --stat HEAD~1"
      urgency = "high"
      option "ship" { label = "Ship it"  description = "Publish it now"  recommended = true }
      option "fix"  { label = "Not yet"  description = "Look at it again tomorrow" }
      option "stop" { label = "Stop"  description = "Drop this release"  action = "cancel" }
    }
  }
}
command "nightly" { run = { job = "nightly" } }
job "nightly" { step "build" { run = "npm run build" } }
`;

export const files = {
  ".oj/runbooks/release.hcl": RELEASE,
  "cart.js":
    "export function total(items) {\n  let sum = 1;\n  for (const { price } of items) sum += price;\n  return sum;\n}\n",
  "sales.ipynb": JSON.stringify({
    cells: [{ id: "cell-0", ...CELL }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  }),
};

/** What fails, and how its output looks. */
export const programs = {
  npm: `case "$*" in
  *mail) printf 'TAP version 13\\nok 1 - sends a receipt\\nnot ok 2 - sends it once\\n  expected 1 message, got 2\\n    at test/mail.test.js:14:3\\n1..2\\n# pass 1\\n# fail 1\\n' >&2; exit 1 ;;
  *build) echo 'src/cart.js:3:7: error: "price" is not defined' >&2; exit 2 ;;
esac`,
};

/** An agent for each; older versions don't know that agents hang. @param {boolean} knowsHung */
export function agentsOf(knowsHung) {
  return Object.entries(PARTS_OF)
    .map(([name, { more = "", prompt = "Do what the issue says." }]) => {
      const extra = knowsHung || !more.includes("hung_after") ? more : "";
      return `command "${name}" { run = { job = "${name}" } }
job "${name}" {
  step "build" { run = { agent = "${name}" } }
}
agent "${name}" {
  run    = "claude"
  prompt = "Task ${name}: ${prompt}"
  ${extra}
}
`;
    })
    .join("\n");
}
