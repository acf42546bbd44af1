/** The documentation, tried out: what it tells people to type works, and what it shows is what they get. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { also } from "../everything.ts";
import type { Block, Ids, Shown } from "./support/doc-page.ts";
import { blocksOf, commandsOf, mismatch, ROOT, readPage, withRealIds } from "./support/doc-page.ts";
import type { Project } from "./support/project.ts";
import { tempProject } from "./support/project.ts";

const PAGES = ["README.md", ...fs.readdirSync(path.join(ROOT, "docs")).filter(isPage).map(inDocs)];

/** Commands that only look: they are repeated until they show what the page shows. */
const LOOKS =
  /^(?:(?:timeout \d )?oj (?:decisions|decision (?:list|show|watch)|status|job (?:list|show|logs)|run$|daemon (?:status|logs))|cat |ls |git |curl (?!.*(?:--json|-X |-d )))/;

/** What a newcomer types. */
const FIRST = ["README.md", "docs/first-runbook.md", "docs/cli.md"];

describe("the examples of", () => {
  for (const name of PAGES) {
    const blocks = blocksOf(readPage(name));
    if (!blocks.some((it) => it.run || it.language === "hcl")) continue;
    const tries = FIRST.includes(name) ? it : also;
    tries(name, async () => {
      const page = await openPage(name);
      for (const block of blocks) await page.tryOut(block);
    });
  }
});

describe("the links of", () => {
  for (const name of [...PAGES, "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"]) {
    it(name, () => assert.deepEqual(brokenLinks(name), []));
  }
});

describe("docs/api.md", () => {
  it("lists every route, and nothing else", async () => {
    const project = await tempProject();
    await project.run("daemon", "start");
    const { output } = await bash(
      project,
      "curl -s --unix-socket $OJ_STATE_DIR/oj.sock http://oj/openapi.json",
    );
    const { paths } = JSON.parse(output) as { paths: Record<string, Record<string, unknown>> };
    const routes = Object.entries(paths).flatMap(([route, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${route}`),
    );
    const named = [...readPage("docs/api.md").matchAll(/^\| `((?:GET|POST|DELETE) \S+)` \|/gm)].map(
      (it) => it[1],
    );
    assert.deepEqual(named.toSorted(), [...routes, "GET /openapi.json"].toSorted());
  });
});

describe("docs/cli.md", () => {
  it("lists every command, and nothing else", async () => {
    const project = await tempProject();
    const row = /^\| `oj ([a-z]+(?: [a-z]+(?:-[a-z]+)*)?)(?: [A-Z[-].*?)?` \|/gm;
    const named = [...readPage("docs/cli.md").matchAll(row)].map((it) => it[1]);
    assert.deepEqual([...new Set(named)].toSorted(), (await commandsOfHelp(project)).toSorted());
  });
});

/** Walks through `oj --help`, and through the help of each group. */
async function commandsOfHelp(project: Project): Promise<string[]> {
  const { stdout } = await project.run("--help");
  const [, body = ""] = stdout.split(/^Decide$/m);
  const [list = ""] = body.split(/^Everywhere\b/m);
  const also = [...list.matchAll(/^ {2}also +(.+(?:\n {14}.+)*)$/gm)]
    .flatMap((it) => (it[1] ?? "").split(/,\s+/))
    .map((it) => it.split(/\s+/)); // a command, or a group with its verbs
  const first = [...list.matchAll(/^ {2}(?!also)(\w+)( …)? {2,}/gm)];
  const groups = [
    ...first.filter((it) => it[2]).map((it) => it[1] ?? ""),
    ...also.filter((it) => it.length > 1).map((it) => it[0] ?? ""),
  ];
  const commands = groups.map(async (group) => {
    const help = (await project.run(group)).stdout;
    const verbs = [...help.matchAll(/^ {2}([a-z]+(?:-[a-z]+)*)/gm)].map((it) => it[1]);
    if (verbs.length > 0) return verbs.map((it) => `${group} ${it}`);
    const [, ...listed] = also.find((it) => it[0] === group) ?? []; // a command by itself, too: `oj person`
    return [group, ...listed.filter((it) => it !== "…").map((it) => `${group} ${it}`)];
  });
  const single = first.filter((it) => !it[2]).map((it) => it[1] ?? "");
  const others = also.filter((it) => it.length === 1).flat();
  return [...single, ...others, ...(await Promise.all(commands)).flat()];
}

/** Those whom the page's runbooks name. */
function writePeople({ env }: Project): void {
  const folder = path.join(env.HOME ?? "", ".config/oj");
  fs.mkdirSync(folder, { recursive: true });
  const rota = 'people = ["ana", "ben"]\nturn = "1w"\nfrom = "2026-11-16 09:00 Europe/Berlin"';
  fs.writeFileSync(
    path.join(folder, "config.toml"),
    `[person.ana]\n[person.ben]\n[person.carla]\n[group]\nbackend = ["carla"]\n[rota.primary]\n${rota}\n`,
  );
}

interface Page {
  tryOut(block: Block): Promise<void>;
}

async function openPage(name: string): Promise<Page> {
  const project = await tempProject({}, { env: { NO_COLOR: "1", TZ: "UTC" } });
  const ids: Ids = new Map();
  const where = (line: number) => `${name}:${line}`;
  if (name === "docs/escalations.md") writePeople(project);
  onPath(project);
  fs.mkdirSync(path.join(project.dir, "node_modules"));
  fs.symlinkSync(ROOT, path.join(project.dir, "node_modules/oddjobs"));
  await project.run("daemon", "start");

  async function tryOut(block: Block): Promise<void> {
    if (block.language === "hcl" && !block.file?.startsWith(".oj/tests/")) await checkRunbook(block);
    if (block.file !== null) project.write({ [block.file]: block.text });
    if (block.run && block.language === "console")
      for (const shown of commandsOf(block)) await tryCommand(shown);
    if (block.run && block.language === "sh") await runScript(block);
  }

  async function checkRunbook(block: Block): Promise<void> {
    const alone = path.join(project.dir, `../alone-${block.line}`);
    fs.mkdirSync(path.join(alone, ".oj/runbooks"), { recursive: true });
    fs.writeFileSync(path.join(alone, ".oj/runbooks/it.hcl"), block.text);
    const { output, code } = await bash(project, "oj runbook check", alone);
    assert.equal(code, block.problems ? 1 : 0, `${where(block.line)}: ${output}`);
  }

  async function tryCommand({ line, command, exit, output }: Shown): Promise<void> {
    const attempt = async () => {
      const result = await bash(project, withRealIds(command, ids));
      const actual = withPagePaths(result.output, project).split("\n");
      const wanted = output.length === 0 ? null : mismatch(output, actual, ids);
      const problem =
        result.code !== exit
          ? `exit code ${result.code} instead of ${exit}`
          : wanted && `expected:\n${wanted}`;
      if (problem)
        throw new Error(`${where(line)}: ${command}\n${problem}\nbut it printed:\n${actual.join("\n")}`);
      return true;
    };
    if (LOOKS.test(command)) await project.until(attempt, `${where(line)}: ${command}`);
    else await attempt();
  }

  async function runScript(block: Block): Promise<void> {
    const ended = bash(project, withRealIds(block.text, ids));
    if (block.answered !== null) await Promise.race([answer(block.answered), ended]);
    const { output, code } = await ended;
    assert.equal(code, 0, `${where(block.line)}: ${output}`);
  }

  /** Somebody answers the newest question as soon as it is there. */
  async function answer(how: string): Promise<void> {
    const id = await project.until(async () => {
      const all = await project.json<{ id: string; created_at_ms: number }[]>("decision", "list");
      return all.toSorted((a, b) => b.created_at_ms - a.created_at_ms)[0]?.id;
    }, "a question");
    const { output, code } = await bash(project, `oj decision resolve ${id} ${how}`);
    assert.equal(code, 0, output);
  }

  return { tryOut };
}

/** Puts an `oj` where the shell finds it. */
function onPath(project: Project): void {
  const folder = path.join(project.dir, "../bin");
  fs.mkdirSync(folder);
  const start = `#!/bin/sh\nexec '${process.execPath}' '${path.join(ROOT, "dist/oj.cjs")}' "$@"\n`;
  fs.writeFileSync(path.join(folder, "oj"), start, { mode: 0o755 });
  project.env.PATH = `${folder}:${project.env.PATH}`;
}

interface Result {
  /** The output on stdout and stderr, in the order in which it came. */
  output: string;
  code: number;
}

function bash(project: Project, script: string, cwd = project.dir): Promise<Result> {
  const args = ["-euo", "pipefail", "-c", `exec 2>&1; ${script}`];
  const child = spawn("bash", args, { cwd, env: project.env, stdio: ["ignore", "pipe", "ignore"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (part) => {
    output += part;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ output, code: code ?? 255 }));
  });
}

/** Pages show the folders of one Ana. */
function withPagePaths(text: string, { dir, stateDir, home }: Project): string {
  return text
    .replaceAll(stateDir, "/home/ana/.local/state/oj")
    .replaceAll(dir, "/home/ana/shop")
    .replaceAll(home, "/home/ana");
}

function brokenLinks(name: string): string[] {
  const text = readPage(name).replaceAll(/^```[\s\S]*?^```$/gm, "");
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].map(
    (it) => it[1] ?? it[2] ?? "",
  );
  return targets
    .filter((it) => !/^[a-z]+:/.test(it))
    .filter((it) => {
      const [file = "", anchor] = it.split("#");
      const target = file === "" ? name : path.join(path.dirname(name), file);
      if (!fs.existsSync(path.join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(readPage(target)).includes(anchor);
    });
}

/** The way GitHub derives them from headings. */
function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map((it) =>
    (it[1] ?? "")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

function isPage(name: string): boolean {
  return name.endsWith(".md");
}

function inDocs(name: string): string {
  return `docs/${name}`;
}
