import { spawn } from "node:child_process";
import { once } from "node:events";
import { isRunning } from "../../src/adapters/processes/is-running.ts";
import { processAt } from "../../src/client/proc.ts";
import { fakeIsRunning } from "../fakes/fake-is-running.ts";
import { isRunningContract } from "./is-running.contract.ts";

isRunningContract("in /proc", () => ({
  isRunning,
  async start() {
    const child = spawn("sleep", ["600"]);
    await once(child, "spawn");
    const ended = once(child, "exit");
    const kill = async () => {
      child.kill("SIGKILL");
      await ended;
    };
    return { name: `${child.pid}.${processAt(child.pid ?? 0)?.start}`, kill };
  },
}));

isRunningContract("the fake", () => {
  const fake = fakeIsRunning();
  return {
    isRunning: fake,
    async start() {
      fake.running.add("7.100");
      return { name: "7.100", kill: async () => void fake.running.delete("7.100") };
    },
  };
});
