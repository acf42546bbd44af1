import assert from "node:assert/strict";
import { it } from "vitest";
import { compile, parseFile } from "../../runbook/compile.ts";
import { argsOf } from "./command.ts";

const RUNBOOK = `command "c" {
  args     = "[who] [files...] [--base <b>]"
  defaults = {
    who   = "\${env.USER} in \${invoke.dir}"
    files = "\${env.FILE:-none}"
    base  = "\${env.UNSET}"
  }
  run = "true"
}`;

it("the defaults of a command are filled in; what somebody gives is taken as it is", () => {
  const { runbook, problems } = compile([parseFile("a.hcl", RUNBOOK)]);
  assert.deepEqual(problems, []);
  const [command] = runbook.commands;
  if (!command) throw new Error("no command");
  const call = { env: { USER: "ana" }, dir: "/shop" };
  assert.deepEqual(argsOf(command, [], {}, call), { who: "ana in /shop", files: ["none"], base: "" });
  const given = ["${env.USER}", "${invoke.dir}", "--base=${env.X}"];
  const asGiven = { who: "${env.USER}", files: ["${invoke.dir}"], base: "${env.X}" };
  assert.deepEqual(argsOf(command, given, {}, call), asGiven);
});
