/** The shell's contract, kept by bash and by the fake. */
import fs from "node:fs";
import path from "node:path";
import { bashShell } from "../../src/adapters/bash/shell.ts";
import { takeBootMark } from "../../src/adapters/system/boot-mark.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import type { Doing } from "../fakes/fake-shell.ts";
import { fakeShell } from "../fakes/fake-shell.ts";
import { shellContract } from "./shell.contract.ts";
import { tempFolder } from "./temp.ts";

shellContract("bash", async () => {
  const cwd = await tempFolder();
  const dir = path.join(cwd, "runs");
  let boot = "first";
  const start = () => {
    const { wentDown, settle } = takeBootMark(cwd, boot);
    return bashShell({ dir, killAfterMs: 500, wentDown, settle });
  };
  const goDown = () => {
    fs.rmSync(dir, { recursive: true });
    boot = "second";
    return start();
  };
  const later_ms = () => Date.now() + 60_000;
  return { shell: start(), cwd, script: bashOf, restart: start, goDown, later_ms };
});

shellContract("the fake", async () => {
  const scripts: Doing[] = [];
  const told = (shell: ReturnType<typeof fakeShell>) =>
    Object.assign(shell, { onRun: ({ script }: { script: string }) => scripts[Number(script)] ?? {} });
  const shell = told(fakeShell(systemClock));
  return {
    shell,
    cwd: "/work",
    script: (doing) => String(scripts.push(doing) - 1),
    restart: () => told(shell.restart()),
    goDown() {
      shell.goDown(() => true);
      return told(shell.restart());
    },
    later_ms: () => Date.now() + 60_000,
  };
});

function bashOf({ prints = "", complains = "", code = 0, endless = false }: Doing): string {
  return [
    `printf %s '${prints}'`,
    `printf %s '${complains}' >&2`,
    ...(endless ? ["while :; do sleep 600; done"] : []),
    `exit ${code}`,
  ].join("\n");
}
