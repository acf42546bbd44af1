import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { acpProgramsIn, checkAcpPrograms } from "./acp-programs.ts";

describe("programs that runbooks name for ACP", () => {
  it("are read from the text, each once", () => {
    const runbook = `
agent "a" { run = "acp:goose acp" }
agent "b" { run = "acp: DEBUG=1 claude-agent-acp --x" }
agent "c" { run = "acp:goose other" }
# agent "d" { run = "acp:commented" }
agent "e" { run = "acp:\${var.program}" }
agent "f" { run = "claude" }
`;
    assert.deepEqual(acpProgramsIn(runbook), ["goose", "claude-agent-acp"]);
  });

  it("are found with their version or not, and never started by a path", async () => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), "oj-doctor-acp-"));
    onTestFinished(() => fs.rmSync(root, { recursive: true }));
    const program = (name: string, text: string) => {
      fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      fs.writeFileSync(path.join(root, name), text, { mode: 0o755 });
    };
    program("bin/goose", "#!/bin/sh\necho goose 1.2.3\n");
    program("tools/own", `#!/bin/sh\ntouch ${root}/started\n`);
    const names = ["goose acp", "./tools/own", "missing", "gemini --acp"];
    const blocks = names.map((it, n) => `agent "a${n}" { run = "acp:${it}" }`);
    program(".oj/runbooks/a.hcl", blocks.join("\n"));
    const checks = await checkAcpPrograms({ root, env: { PATH: `${root}/bin:/usr/bin:/bin` } });
    const said = checks.map(({ name, state, detail }) => [name, state, detail]);
    const by = ".oj/runbooks/a.hcl names it for ACP";
    assert.deepEqual(said, [
      ["goose", "ok", `1.2.3; ${by}; oj was not tested with it`],
      ["./tools/own", "ok", `${root}/tools/own; ${by}; oj was not tested with it`],
      ["missing", "warning", `not found; ${by}`],
    ]);
    assert.ok(!fs.existsSync(path.join(root, "started")));
    assert.deepEqual(await checkAcpPrograms({ root: "/nowhere", env: {} }), []);
  });
});
