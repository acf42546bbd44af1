/** The contract of terminals, passed by tmux and by the fake. */
import type { FakeProgram } from "../fakes/fake-terminals.ts";
import { fakeTerminals } from "../fakes/fake-terminals.ts";
import { tmuxWorld } from "./terminal-world.ts";
import type { Program } from "./terminals.contract.ts";
import { terminalsContract } from "./terminals.contract.ts";

terminalsContract("tmux", () => tmuxWorld());

terminalsContract("the fake", async () => {
  let terminals = fakeTerminals();
  return {
    terminals,
    cwd: "/work",
    async start(agent_id, { args = [], env = {}, bracketed = false } = {}) {
      await terminals.start({
        agent_id,
        argv: ["program", ...args],
        cwd: "/work",
        env,
        columns: 80,
        rows: 24,
      });
      const program = terminals.program(agent_id);
      program.bracketed = bracketed;
      return told(program);
    },
    async restart(meanwhile) {
      await terminals.close();
      await meanwhile?.();
      terminals = terminals.restart();
      return terminals;
    },
  };
});

function told(program: FakeProgram): Program {
  const { started } = program;
  return {
    async seen() {
      if (program.exit) throw new Error("it is gone");
      const { columns, rows, input } = program;
      return { args: started.argv.slice(1), cwd: started.cwd, env: started.env, columns, rows, input };
    },
    print: async (text) => program.print(text),
    exit: async (code) => program.end(code),
    die: async (signal) => program.end(signal),
  };
}
