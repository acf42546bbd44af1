/** The project that the tour works on: a shop with a release to ship. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

export const RUNBOOK = ".oj/runbooks/release.hcl";

const runbook = (context: string) => `command "release" {
  description = "Test, ask, publish"
  args        = "<version>"
  run         = { job = "release" }
}

job "release" {
  name = "release/\${var.version}"
  vars = ["version"]

  step "test" { run = "./test.sh" }

  step "ship" {
    decision {
      prompt  = "Ship version \${var.version}?"
      context = "${context}"
      option "ship" { label = "Ship it"  description = "Publish it now"  recommended = true }
      option "fix"  { label = "Not yet"  description = "Test it again first"  step = "test" }
      option "stop" { label = "Stop"  description = "Drop this release"  action = "cancel" }
    }
  }

  step "publish" { run = "./publish.sh \${var.version} '\${decision.ship.message}'" }
}
`;

const TEST = `#!/bin/sh
for name in cart checkout payment; do sleep 0.1; echo "ok  $name"; done
`;

const PUBLISH = `#!/bin/sh
echo "published shop $1"
echo "note: \${2:-none}"
`;

/** Identity and settings of git that don't depend on the person's. */
export const GIT_ENV = {
  GIT_AUTHOR_NAME: "Ana",
  GIT_AUTHOR_EMAIL: "ana@example.com",
  GIT_COMMITTER_NAME: "Ana",
  GIT_COMMITTER_EMAIL: "ana@example.com",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
};

export function makeProject(folder: string, env: Record<string, string>): void {
  const put = (name: string, text: string, mode = 0o644) => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text, { mode });
  };
  put("test.sh", TEST, 0o755);
  put("publish.sh", PUBLISH, 0o755);
  put("cart.js", "export const total = (items) => items.length;\n");
  const hasGit = commit(folder, env, "Shop with a cart");
  put(
    "cart.js",
    "export const total = (items) =>\n  items.reduce((sum, it) => sum + it.price * it.count, 0);\n",
  );
  put("CHANGES.md", "1.2.0: the cart counts prices, not items\n");
  if (hasGit) commit(folder, env, "Count prices in the cart");
  put(RUNBOOK, runbook(hasGit ? "git log --oneline && git diff --stat HEAD~1" : "cat CHANGES.md"));
}

/** False when there is no git: the tour works without. */
function commit(folder: string, env: Record<string, string>, message: string): boolean {
  try {
    for (const args of [
      ["init", "-q"],
      ["add", "."],
      ["commit", "-qm", message],
    ])
      execFileSync("git", args, { cwd: folder, env, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
