/** The contract of terminals, passed by tmux and by the fake. */
import type { FakeProgram } from "../fakes/fake-sessions.ts";
import { fakeSessions } from "../fakes/fake-sessions.ts";
import { tmuxWorld } from "./session-world.ts";
import type { Program } from "./sessions.contract.ts";
import { sessionsContract } from "./sessions.contract.ts";

sessionsContract("tmux", () => tmuxWorld());

sessionsContract("the fake", async () => {
  let sessions = fakeSessions();
  return {
    sessions,
    cwd: "/work",
    async start(agent_id, { args = [], env = {}, bracketed = false } = {}) {
      await sessions.start({
        agent_id,
        argv: ["program", ...args],
        cwd: "/work",
        env,
        columns: 80,
        rows: 24,
      });
      const program = sessions.program(agent_id);
      program.bracketed = bracketed;
      return told(program);
    },
    async restart(meanwhile) {
      await sessions.close();
      await meanwhile?.();
      sessions = sessions.restart();
      return sessions;
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
