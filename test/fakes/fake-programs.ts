/**
 * The port `Programs` in memory: only programs that a test has added are installed. Passes the contract of programs.
 */
import type { Programs } from "../../src/ports.ts";

export interface FakePrograms extends Programs {
  /** Name → version. */
  installed: Map<string, string>;
  /** The programs that the code looked for. */
  asked: string[];
}

export function fakePrograms(): FakePrograms {
  const installed = new Map<string, string>();
  const asked: string[] = [];
  return {
    installed,
    asked,
    async version(name) {
      asked.push(name);
      return installed.get(name) ?? null;
    },
  };
}
