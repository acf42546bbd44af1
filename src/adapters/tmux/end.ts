/** Ends a tmux server that nobody needs: by itself it would wait for the next daemon, which may never come. */
import type { Control } from "./control.ts";
import { isServer, UNUSED } from "./server.ts";

const LONGEST_END_MS = 2000;

/** Closes the connection. The server stays as long as somebody has a session there. */
export async function letGo(control: Control): Promise<void> {
  try {
    const [[said = ""] = []] = await control.run(["display-message", "-p", `#{pid} ${UNUSED}`]);
    const [server = "", unused] = said.split(" ");
    if (unused !== "1") return;
    await control.run(["kill-server"]).catch(() => undefined); // it may be gone before it replies
    await control.close();
    await gone(server);
  } finally {
    await control.close();
  }
}

async function gone(server: string): Promise<void> {
  for (let pause = 2; await isServer(server); pause *= 2) {
    if (pause > LONGEST_END_MS) throw new Error("its server does not exit");
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
