/** The port `isRunning` in memory: the processes are those that a test names. Passes the contract of it. */
import type { Ports } from "../../src/ports.ts";

type IsRunning = Ports["isRunning"];

export interface FakeIsRunning extends IsRunning {
  /** `pid.start` of each. */
  running: Set<string>;
}

export function fakeIsRunning(): FakeIsRunning {
  const running = new Set<string>();
  const look: IsRunning = (name) => (/^\d+\.\d+$/.test(name) ? running.has(name) : null);
  return Object.assign(look, { running });
}
