/**
 * `npm run picture`: takes the pictures in docs/pictures from the real `oj`, in a real terminal (tmux, written as SVG)
 * and a real browser.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { setup } from "./setup.mjs";
import { rowsOf, strip, textOf, windowOf } from "./terminal-svg.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const pictures = path.join(root, "docs/pictures");
const columns = 92;
const mostRows = 75;
let sessions = 0;

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
const place = fs.mkdtempSync(path.join(os.tmpdir(), "oj-picture-"));
const home = path.join(place, "home/ana");
const project = path.join(home, "shop");
const env = {
  HOME: home,
  USER: "ana",
  PATH: `${path.join(place, "bin")}:${process.env.PATH}`,
  LANG: "C.UTF-8",
  TMUX_TMPDIR: place,
  TERM: "xterm-256color",
};

try {
  makeProject();
  await takePictures();
} finally {
  spawnSync("oj", ["daemon", "stop"], { env, cwd: project });
  spawnSync("tmux", ["-S", path.join(home, ".local/state/oj/tmux.sock"), "kill-server"], { env });
  fs.rmSync(place, { recursive: true, force: true });
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

function makeProject() {
  fs.mkdirSync(path.join(project, ".oj/runbooks"), { recursive: true });
  fs.mkdirSync(path.join(place, "bin"));
  const start = `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, "dist/oj.cjs")}' "$@"\n`;
  fs.writeFileSync(path.join(place, "bin/oj"), start, { mode: 0o755 });
  const npm =
    '#!/bin/sh\nsleep 0.3; case "$*" in *mail) echo "FAIL mail" >&2; exit 1 ;; esac; echo 42 passed\n';
  fs.writeFileSync(path.join(place, "bin/npm"), npm, { mode: 0o755 });
  fs.writeFileSync(path.join(project, ".oj/runbooks/release.hcl"), runbook);
  fs.writeFileSync(path.join(project, ".oj/runbooks/agents.hcl"), agents);
  fs.writeFileSync(path.join(place, "scenario.json"), JSON.stringify(scenario));
  const play = `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, "dist/oj-agent.cjs")}' --scenario '${path.join(place, "scenario.json")}' "$@"\n`;
  fs.writeFileSync(path.join(place, "bin/claude"), play, { mode: 0o755 });
  const git = (/** @type {string[]} */ ...args) =>
    run("git", ["-c", "user.name=Ana", "-c", "user.email=ana@localhost", ...args]);
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
  sessions += 1; // a name of its own: a server that is ending must not be reused
  const socket = `oj-picture-${process.pid}-${sessions}`;
  const tmux = (/** @type {string[]} */ ...args) =>
    run("tmux", ["-u", "-f", "/dev/null", "-L", socket, ...args]);
  const shell = `env PS1='\\n\\[\\e[36m\\]\\w\\[\\e[0m\\] $ ' bash --norc --noprofile`;
  tmux("new-session", "-d", "-x", String(columns), "-y", String(mostRows), shell);
  const lines = (/** @type {string[]} */ ...flags) =>
    tmux("capture-pane", "-p", ...flags)
      .trimEnd()
      .split("\n");
  let typed = 0;
  const ready = async () => {
    for (let tries = 0; tries < 200; tries++) {
      const shown = lines();
      if (shown.filter((line) => line.startsWith("~/shop $")).length > typed && shown.at(-1) === "~/shop $")
        return;
      await sleep(50);
    }
    throw new Error(`the terminal did not get ready:\n${lines().join("\n")}`);
  };
  try {
    await ready();
    await use({
      async type(line) {
        tmux("send-keys", "-l", "--", line);
        tmux("send-keys", "Enter");
        typed += 1;
        await ready();
      },
      async screen() {
        // Drops the empty line at the top, and the empty prompt at the end with the line before it.
        return lines("-e")
          .slice(1, -2)
          .map((line) => line.replaceAll(place, ""));
      },
    });
  } finally {
    tmux("kill-server");
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

function oj(/** @type {string[]} */ ...args) {
  return run("oj", args);
}

/** @param {string} program  @param {string[]} args */
function run(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { env, cwd: project, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${stdout}${stderr}`);
  return stdout;
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
