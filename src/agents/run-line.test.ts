import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { clientLine } from "./known/clients.ts";
import { isOtherUser } from "./run-line.ts";

describe("the client that a run line starts", () => {
  for (const [run, kind, ...args] of [
    ["claude", "claude-code"],
    ["claude --model opus", "claude-code", "--model", "opus"],
    ["/usr/local/bin/claude -p", "claude-code", "-p"],
    ['"/opt/my tools/claude" "do -p it"', "claude-code", "do -p it"],
    ["'claude'", "claude-code"],
    ["FOO=1 BAR='a b' claude", "claude-code"],
    ["env FOO=1 claude -c", "claude-code", "-c"],
    ["/usr/bin/env -i -u HOME FOO=1 claude", "claude-code"],
    ["exec claude", "claude-code"],
    ["nice -n 5 nohup claude", "claude-code"],
    ["npx @anthropic-ai/claude-code --verbose", "claude-code", "--verbose"],
    ["npx -y @anthropic-ai/claude-code@2.1.325", "claude-code"],
    ["npx -p @anthropic-ai/claude-code claude", "claude-code"],
    ["npm exec -- @anthropic-ai/claude-code -p", "claude-code", "-p"],
    ["pnpm dlx @anthropic-ai/claude-code", "claude-code"],
    ["node /x/node_modules/@anthropic-ai/claude-code/cli.js -c", "claude-code", "-c"],
    ["oj-agent --scenario a.json", "scripted", "--scenario", "a.json"],
    ["env A=1 ./bin/oj-agent", "scripted"],
    ["sudo -u agents -H --preserve-env=OJ_AGENT claude -p", "claude-code", "-p"],
    ["runuser -u agents -- env HOME=/h claude", "claude-code"],
    ["doas -u agents claude", "claude-code"],
    ["sudo -u claude vim", "program"],
    ["claude-monitor", "program"],
    ["npx claude-wrapper", "program"],
    ["npm run claude", "program"],
    ["./install.sh claude", "program"],
    ["env", "program"],
    ["env -u", "program"],
    ["", "program"],
  ] as const)
    it(`of ${run || "nothing"} is ${kind}`, () => assert.deepEqual(clientLine(run), { kind, args }));
});

const isClient = (word: string) => clientLine(word).kind !== "program";

it("an agent runs as another user only if its line says so, not if it merely contains such words", () => {
  for (const run of [
    "sudo -u agents claude",
    "env A=1 /usr/bin/sudo -u x -- claude",
    "runuser -u x -- oj-agent",
  ])
    assert.ok(isOtherUser(run, isClient), run);
  for (const run of ["claude 'sudo rm'", "claude sudo", "env claude", "sudo make", ""])
    assert.ok(!isOtherUser(run, isClient), run);
});
