/** How a program that lives in a terminal ends. */

/** The exit code after each signal. */
export const SIGNALS = { SIGTERM: 143, SIGHUP: 129, SIGINT: 0 } as const;

/**
 * After SIGHUP the terminal is gone: at exit Node would try to reset it, fail, and abort. A signal ends the process
 * properly; what has to be done at the exit is done before.
 */
export function endProcess(code: number): Promise<never> {
  if (code !== SIGNALS.SIGHUP) process.exit(code);
  process.emit("exit", code);
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
  return new Promise(() => {});
}
