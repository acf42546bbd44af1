/** Whether a daemon that is gone has left something running. Only a daemon knows what that is, and how to end it. */
import fs from "node:fs";
import net from "node:net";
import path from "node:path";

/** Agents live in a tmux that outlives the daemon; scripts of steps outlive one that was killed. */
export async function hasLeftRunning(stateDir: string): Promise<boolean> {
  return hasScripts(path.join(stateDir, "runs")) || isListening(path.join(stateDir, "tmux.sock"));
}

function hasScripts(folder: string): boolean {
  try {
    return fs.readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

function isListening(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = net.connect(socket);
    connection.once("connect", () => resolve(true)).once("error", () => resolve(false));
    connection.once("connect", () => connection.destroy());
  });
}
