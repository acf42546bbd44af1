/** How a program is started and reached: by ACP on its pipes, or by a server of its own. */
import { randomUUID } from "node:crypto";
import { readOpencodeLine } from "./opencode/line.ts";
import { startOpencode } from "./opencode/peer.ts";
import type { Pipes } from "./program.ts";
import type { Peer, PeerEvents } from "./wire/rpc.ts";
import { startPeer } from "./wire/rpc.ts";

interface Start {
  words: string[];
  env: NodeJS.ProcessEnv;
  connect(pipes: Pipes, on: PeerEvents): Peer;
}

export function acpStart(words: string[], env: NodeJS.ProcessEnv): Start {
  return {
    words,
    env,
    connect: ({ stdin, stdout }, on) => startPeer(stdout, stdin, on),
  };
}

/**
 * Runs a server that must not outlive us, however we end: its shell reads from our pipe, which closes then. A server has
 * no other way to notice.
 */
const WATCHED = `exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(trap "" HUP; cat <&3 >/dev/null; kill -9 $server 2>/dev/null) &
watch=$!
exec 3<&-
wait $server
code=$?
kill $watch
exit $code`;

export function opencodeStart(program: string[], env: NodeJS.ProcessEnv): Start {
  const { server, prompt } = readOpencodeLine(program);
  const password = randomUUID();
  return {
    words: ["sh", "-c", WATCHED, "oj", ...server],
    env: { OPENCODE_ENABLE_QUESTION_TOOL: "1", ...env, OPENCODE_SERVER_PASSWORD: password },
    connect: ({ stdout }, on) => startOpencode(stdout, { password, prompt }, on),
  };
}
