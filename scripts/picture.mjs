/**
 * `npm run picture`: takes the pictures in docs/pictures from the real `oj`, in a real terminal (tmux, written as SVG)
 * and a real browser.
 */
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root, stageOf, terminalOf } from "./picture-stage.mjs";
import { setup } from "./setup.mjs";
import { rowsOf, strip, textOf, windowOf } from "./terminal-svg.mjs";

const pictures = path.join(root, "docs/pictures");
const columns = 92;
const mostRows = 75;

/** The project that the pictures show. */
const runbook = `command "release" {
  args = "<version>"
  run  = { job = "release" }
}

job "release" {
  name = "release/\${var.version}"
  vars = ["version"]

  step "test" { run = "npm test" }
  step "ship" {
    decision {
      prompt  = "Ship version \${var.version}?"
      context = "git log --oneline && git diff --stat HEAD~1"
      urgency = "high"
      option "ship" { label = "Ship it"  description = "Publish it now"  recommended = true }
      option "fix"  { label = "Not yet"  description = "Test it again first"  step = "test" }
      option "stop" { label = "Stop"  description = "Drop this release"  action = "cancel" }
    }
  }
  step "publish" { run = "echo published \${var.version}: '\${decision.ship.message}'" }
}
`;

/** The agents in the pictures; a script takes the place of `claude`. */
const agents = [
  agentJob("cart", "Round the prices in the cart."),
  agentJob("search", "Plan a search, then build it."),
  agentJob("publish", "Publish version 1.4.0."),
  agentJob(
    "mail",
    "Fix the test in the mail module.",
    `on_idle = { action = "gate", run = "npm test -- mail" }`,
  ),
].join("\n");

/** What each agent plays, by its prompt. */
const scenario = {
  match: [
    {
      prompt: "cart",
      steps: [{ ask: { question: "How should prices be rounded?", options: ["To cents", "To 5 cents"] } }],
    },
    { prompt: "search", steps: [{ plan: "# Search\n\n1. Index names\n2. Answer /search from it\n" }] },
    {
      prompt: "Publish",
      steps: [
        { say: "All 42 tests pass. Publishing now." },
        { tool: "Bash", input: { command: "npm publish --tag latest", description: "Publish 1.4.0" } },
        { say: "Published." },
        { signal: "done" },
      ],
    },
  ],
  turns: [[{ say: "That should do it." }]],
};

/** @param {string} name  @param {string} prompt */
function agentJob(name, prompt, more = "") {
  return `command "${name}" { run = { job = "${name}" } }
job "${name}" {
  step "build" { run = { agent = "${name}" } }
}
agent "${name}" {
  run    = "claude"
  prompt = "${prompt}"
  ${more}
}
`;
}

const draft = `job "release" {
  vars = ["version"]

  step "test" { run = "npm test"  on_fial = { step = "tell" } }
  step "ship" {
    decision {
      prompt = "Ship version \${var.verison}?"
      option "ship" { recommended = true }
      option "fix"  { step = "tests" }
    }
  }
}
`;

await setup({ browser: true });
const npm = 'sleep 0.3; case "$*" in *mail) echo "FAIL mail" >&2; exit 1 ;; esac; echo 42 passed';
const stage = stageOf({
  files: { ".oj/runbooks/release.hcl": runbook, ".oj/runbooks/agents.hcl": agents },
  programs: { npm },
  scenario,
});
const { place, project, oj } = stage;

try {
  commit();
  await takePictures();
} finally {
  stage.end();
}

async function takePictures() {
  const ask = (/** @type {string[]} */ ...args) => oj("decision", "request", ...args);
  ask(
    "--as",
    "docs-agent",
    "--prompt",
    "Rename the basket?",
    "--option",
    "Yes",
    "--option",
    "No",
    "--urgency",
    "low",
  );
  await sleep(7000); // so that their ages differ
  ask("--as", "builder", "--prompt", "Which mail queue?", "--option", "Redis", "--option", "Postgres");
  await sleep(6000);
  oj("run", "release", "1.4.0");
  const id = await pendingOf("step");
  await onTerminal(async (terminal) => {
    await terminal.type("oj decision list");
    await terminal.type(`oj decision show ${id.slice(4, 7)}`);
    write("decision.svg", "oj decision", await terminal.screen());
  });
  await onTerminal(async (terminal) => {
    await terminal.type("oj status");
    await terminal.type(`oj decision resolve ${id.slice(4, 7)} 1 -m "go ahead"`);
    oj("job", "wait", jobOf());
    await terminal.type(`oj job show ${jobOf().slice(4, 7)}`);
    write("job.svg", "oj job", await terminal.screen());
  });
  for (const { id: open } of JSON.parse(oj("decision", "list", "-o", "json"))) oj("decision", "cancel", open);
  for (const name of ["cart", "search", "publish", "mail"]) oj("run", name);
  await pendingOf("gate"); // the last one to ask
  const approval = (await pendingOf("approval")).slice(4, 7);
  await onTerminal(async (terminal) => {
    await terminal.type(`oj decision show ${approval}`);
    write("approval.svg", "oj decision show", await terminal.screen());
  });
  await photograph("web.png", oj("web", "--no-open").trim());
  await onTerminal(async (terminal) => {
    await terminal.type("oj status");
    await terminal.type(`oj decision resolve ${approval} 1`);
    await terminal.type(`oj decision show ${approval} | tail -9`);
    write("agents.svg", "oj", await terminal.screen());
  });
  fs.writeFileSync(path.join(project, "draft.hcl"), draft);
  await onTerminal(async (terminal) => {
    await terminal.type("oj runbook check draft.hcl");
    write("check.svg", "oj runbook check", await terminal.screen());
  });
}

/** Takes a picture of the inbox in a browser, at an approval. @param {string} name  @param {string} url */
async function photograph(name, url) {
  const { chromium } = await import("playwright-core");
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 860 }, reducedMotion: "reduce" });
    await page.goto(url);
    await page.getByRole("option", { name: /npm publish/ }).click();
    await page.locator(".matter").waitFor();
    await page.keyboard.press("1");
    // A path that belongs to nobody, as in the other pictures.
    await page.evaluate((folder) => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let it = texts.nextNode(); it; it = texts.nextNode())
        it.nodeValue = it.nodeValue?.replaceAll(folder, "") ?? "";
    }, place);
    await page.screenshot({ path: path.join(pictures, name) });
    console.log(`docs/pictures/${name}`);
  } finally {
    await browser.close();
  }
}

function commit() {
  const git = (/** @type {string[]} */ ...args) =>
    stage.run("git", ["-c", "user.name=Ana", "-c", "user.email=ana@localhost", ...args]);
  git("init", "--quiet");
  fs.writeFileSync(path.join(project, "cart.js"), "export const total = 0;\n");
  git("add", "-A");
  git("commit", "--quiet", "-m", "Shop with a cart");
  fs.writeFileSync(
    path.join(project, "cart.js"),
    "export const total = (items) =>\n  items.reduce((a, b) => a + b.price, 0);\n",
  );
  git("commit", "--quiet", "-a", "-m", "Count prices in the cart");
}

/** @param {(terminal: { type(line: string): Promise<void>, screen(): Promise<string[]> }) => Promise<void>} use */
async function onTerminal(use) {
  const shell = `env PS1='\\n\\[\\e[36m\\]\\w\\[\\e[0m\\] $ ' bash --norc --noprofile`;
  const terminal = terminalOf(stage, { columns, rows: mostRows }, shell);
  let typed = 0;
  const ready = async () => {
    for (let tries = 0; tries < 200; tries++) {
      const shown = terminal.lines();
      if (shown.filter((line) => line.startsWith("~/shop $")).length > typed && shown.at(-1) === "~/shop $")
        return;
      await sleep(50);
    }
    throw new Error(`the terminal did not get ready:\n${terminal.lines().join("\n")}`);
  };
  try {
    await ready();
    await use({
      async type(line) {
        terminal.type(line);
        terminal.press("Enter");
        typed += 1;
        await ready();
      },
      // Drops the empty line at the top, and the empty prompt at the end with the line before it.
      screen: async () => terminal.lines("-e").slice(1, -2),
    });
  } finally {
    terminal.close();
  }
}

async function pendingOf(/** @type {string} */ source) {
  for (let tries = 0; tries < 200; tries++) {
    const [found] = JSON.parse(oj("decision", "list", "--source", source, "-o", "json"));
    if (found) return /** @type {string} */ (found.id);
    await sleep(50);
  }
  throw new Error(`no decision from a ${source}`);
}

function jobOf() {
  return /** @type {string} */ (JSON.parse(oj("job", "list", "-o", "json"))[0].id);
}

/** @param {string} name  @param {string} title  @param {string[]} lines */
function write(name, title, lines) {
  const rows = rowsOf(lines).map((runs, row) => runs.map((it) => textOf(it, row)).join(""));
  const svg = windowOf(
    { title, columns, rows: lines.length, text: lines.map(strip).join("\n") },
    rows.filter((row) => row !== "").join("\n"),
  );
  fs.mkdirSync(pictures, { recursive: true });
  fs.writeFileSync(path.join(pictures, name), svg);
  console.log(`docs/pictures/${name}  ${lines.length} lines`);
}
