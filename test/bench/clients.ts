/** What oj costs a tool call of the real Codex, opencode and Gemini CLI, beside the client alone. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { installCodex } from "../codex/install.ts";
import * as codexApi from "../codex/model-api.ts";
import { config } from "../codex/stage.ts";
import { installGemini } from "../gemini/install.ts";
import { generate } from "../gemini/model-api.ts";
import { settle as settleGemini } from "../gemini/stage.ts";
import { installOpencode } from "../opencode/install.ts";
import { completions } from "../opencode/model-api.ts";
import { settle as settleOpencode } from "../opencode/stage.ts";
import type { Installed } from "../specs/support/install-client.ts";
import { startModelServer } from "../specs/support/model-server.ts";
import type { Project } from "../specs/support/project.ts";
import type { Model } from "../specs/support/real-client.ts";
import type { Place } from "../torture/daemon.ts";
import { makePlace, root, startLife } from "../torture/daemon.ts";
import { callMs, underOj } from "./claude.ts";
import { SETTINGS } from "./latency.ts";
import type { Row } from "./rows.ts";
import { ms, row, times } from "./rows.ts";

const GROUP = "the real clients, a tool call that needs no permission";
const CALLS = 20;
const ROUNDS = 2;
const PROMPT = "Play #s:reads";

interface Measured {
  name: string;
  installed: Installed;
  /** The words that play the script without us, and the `run` line that does it with us. */
  alone: string[];
  run: string;
  api(notes: string): Promise<Model & { url: string; close(): Promise<void> }>;
  settle(project: Project, bin: string, url: string): void;
}

/** No two are alike: a client may take that for a loop. */
const calls = (name: string, input: (n: number) => object) => [
  ...Array.from({ length: CALLS }, (_, n) => ({ tools: [{ name, input: input(n) }] })),
  { text: "Done." },
];

const CLIENTS: Measured[] = [
  {
    name: "Codex (2 hooks, each a curl, and one for each request to the model)",
    installed: installCodex(),
    alone: ["codex", "exec", "--skip-git-repo-check", PROMPT],
    run: "codex exec --skip-git-repo-check",
    api: () => codexApi.startModelApi({ reads: calls("exec_command", (n) => ({ cmd: `true ${n}` })) }),
    settle({ home, dir, env }, bin, url) {
      const own = path.join(home, "codex");
      fs.mkdirSync(own, { recursive: true });
      const settings = config(url, dir)
        .replace(/approval_policy = .*/, 'approval_policy = "never"')
        .replace(/sandbox_mode = .*/, 'sandbox_mode = "danger-full-access"');
      fs.writeFileSync(path.join(own, "config.toml"), settings);
      Object.assign(env, { TMPDIR: home, CODEX_HOME: own, OJ_TEST_KEY: "x", PATH: `${bin}:${env.PATH}` });
    },
  },
  {
    name: "opencode (its server's events, behind our runner)",
    installed: installOpencode(),
    alone: ["opencode", "run", PROMPT],
    run: "opencode",
    api: (notes) =>
      startModelServer({ reads: calls("read", (n) => ({ filePath: `${notes}.${n}` })) }, completions),
    settle: settleOpencode,
  },
  {
    name: "Gemini CLI (ACP, behind our runner)",
    installed: installGemini(),
    alone: ["gemini", "-p", PROMPT],
    run: "gemini",
    api: (notes) =>
      startModelServer({ reads: calls("read_file", (n) => ({ file_path: `${notes}.${n}` })) }, generate),
    settle: settleGemini,
  },
];

export async function measureClients(dir: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [n, client] of CLIENTS.entries()) rows.push(await measure(client, path.join(dir, String(n))));
  return rows;
}

async function measure(
  { name, installed, alone, run, api: start, settle }: Measured,
  dir: string,
): Promise<Row> {
  if (installed.bin === null) return row(GROUP, `${name}: skipped: ${installed.reason}`, { values: {} });
  const shop = path.join(dir, "shop");
  fs.mkdirSync(path.join(shop, ".oj/runbooks"), { recursive: true });
  const notes = path.join(shop, "notes");
  for (let n = 0; n < CALLS; n++) fs.writeFileSync(`${notes}.${n}`, "A line.\n");
  const block = `run = ${JSON.stringify(run)}\n  prompt = "${PROMPT}"\n  on_idle = "done"`;
  fs.writeFileSync(
    path.join(shop, ".oj/runbooks/bench.hcl"),
    `command "reads" { run = { agent = "reads" } }\nagent "reads" {\n  ${block}\n}\n`,
  );
  const api = await start(notes);
  const place = makePlace(dir, SETTINGS);
  const dist = path.join(dir, "bin");
  fs.mkdirSync(dist);
  for (const it of ["oj", "oj-acp"]) fs.symlinkSync(path.join(root, `dist/${it}.cjs`), path.join(dist, it));
  place.env.PATH = `${dist}:${place.env.PATH}`;
  settle({ home: dir, dir: shop, env: place.env } as unknown as Project, installed.bin, api.url);
  const life = startLife(place);
  await life.ready;
  try {
    const ways = { alone: () => plain(place, shop, alone), ours: () => underOj(place, shop) };
    const taken = { alone: [] as number[], ours: [] as number[] };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const way of ["alone", "ours"] as const) {
        const perCall = await callMs(api, ways[way], CALLS);
        process.stderr.write(`bench: ${run}, ${way}: ${ms(perCall)}\n`);
        if (round > 0) taken[way].push(perCall); // the first of each warms up
      }
    }
    const [alone_ms, ours_ms] = [Math.min(...taken.alone), Math.min(...taken.ours)];
    return row(GROUP, name, {
      measured: ms(ours_ms),
      floor: `${ms(alone_ms)} the client alone`,
      ratio: times(ours_ms / alone_ms),
      values: { alone_ms, ours_ms },
    });
  } finally {
    await life.kill();
    await new Promise((resolve) =>
      spawn("tmux", ["-S", path.join(place.stateDir, "tmux.sock"), "kill-server"]).once("close", resolve),
    );
    await api.close();
  }
}

function plain({ env }: Place, cwd: string, [program = "", ...args]: string[]): Promise<unknown> {
  const child = spawn(program, args, { cwd, env, stdio: "ignore" });
  return new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
}
