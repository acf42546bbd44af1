/** Opens an address in the person's browser, if there is a display to show it on. */
import { spawn } from "node:child_process";

type Env = Readonly<Record<string, string | undefined>>;

/** The program that opens an address; null if nobody would see what it opens. */
export function opener(platform: NodeJS.Platform, env: Env): string | null {
  if (platform === "darwin") return env.SSH_CONNECTION ? null : "open";
  return env.DISPLAY || env.WAYLAND_DISPLAY ? "xdg-open" : null;
}

/** Whether the program could be started. What becomes of it is its own business. */
export function openUrl(url: string, env: Env): Promise<boolean> {
  const program = opener(process.platform, env);
  if (program === null) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(program, [url], { detached: true, stdio: "ignore", env: { ...env } });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
