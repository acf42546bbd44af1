/** An agent client that does not exist, in a folder like that of a real one: it has its own JSON and its own screen. */
import type { AgentClient, HookMeaning } from "../../../src/agents/client.ts";
import { ALL_EXACT } from "../../../src/agents/promises.ts";
import type { SessionDoor } from "../../../src/agents/session-door.ts";
import type { Prompt, Reply } from "../../../src/core/model/agent-types.ts";

type Report = { did?: string; id?: string; verb?: string; what?: string; text?: string; seat?: string };

const isRobin = (word: string) => word.split("/").at(-1) === "robin";

const session: SessionDoor = {
  name: "robin",
  hidesDialogs: false,
  staysFree: false,
  takesChanges: true,
  read(hook) {
    const { seat, did, text = "" } = hook as Report;
    if (seat === undefined) return null;
    const what = did === "waits" ? "stopped" : did === "asks" ? "asked" : "other";
    const dialog = what === "asked" ? promptOf(hook as Report) : null;
    const tell = (words: string) => ({ sing: words });
    return {
      session: seat,
      cwd: "/",
      what,
      tool: keyOf(hook),
      dialog,
      last_message: text,
      transcript: null,
      isSubagents: false,
      isBusy: false,
      tell,
    };
  },
  reply: verdict,
  fileChange: () => null,
  saidBefore: () => null,
  block: (reason) => ({ stay: reason }),
  remark: (text) => ({ aside: text }),
};

export const robin: AgentClient = {
  kind: "robin",
  hooks: ["command"],
  settings: null,
  session,
  givesReceipts: true,
  hasKnownScreen: true,
  promises: { ...ALL_EXACT, edited: null },
  hidesDialogs: false,
  reportsRefusals: true,
  reportsStart: "at once",
  asksTrust: false,
  writesCalls: false,
  variables: ["ROBIN_NEST"],
  olderThanTested: (version) => (version === "0.1" ? "robin 0.1 is a fledgling" : null),
  isStartedBy: isRobin,
  endsWithTurn: (args) => args.includes("--once"),
  launch: ({ script, values, message, hookUrl, hooks }) => ({
    argv: ["bash", "-c", `exec ${script} "$@"`, "oj", "--tell", hookUrl, "--by", hooks, message ?? ""],
    env: { ...values },
    files: {},
    saysMessage: message !== null,
  }),
  read(hook) {
    const report = hook as Report;
    const { did, id = "", text = "" } = report;
    switch (did) {
      case "heard":
        return meaning({ seen: [{ type: "submitted", text }], turn: "begun" });
      case "begins":
        return meaning({ tool: { use: id, key: keyOf(hook), refuse: (why) => ({ halt: why }) } });
      case "asks":
        return meaning({ seen: [{ type: "prompted", prompt: promptOf(report) }], staysOpen: true });
      case "ended":
        return meaning({ seen: [{ type: "answered", key: id, ran: true }] });
      case "waits":
        return meaning({ seen: [{ type: "stopped", last_message: text }] });
      default:
        return null;
    }
  },
  reply: verdict,
  look: (screen) => {
    if (/\[y\/n\] $/m.test(`${screen.trimEnd()} `))
      return { state: "dialog", kind: "approval", options: [], text: screen, body: [] };
    return { state: /^robin> /m.test(screen) ? "idle" : "working" };
  },
  dialogMarks: ["[y/n]"],
  keys: (_, reply, screen, done) => {
    if (!screen.includes("[y/n]")) return done.length > 0 ? { type: "done" } : { type: "wait" };
    return { type: "press", keys: [reply.type === "approve" ? "y" : "n"] };
  },
  shown: () => null,
  shows: ({ tool }, screen) => screen.includes(`${tool}?`),
  declared: () => null,
  heard: (screen) => (/^you: /m.test(screen) ? "words" : "nothing"),
  timesSaid: (screen, text) => screen.split(`you: ${text}`).length - 1,
  composed: (screen) => /^robin> (.*)$/m.exec(screen)?.[1] ?? "",
  clearing: () => ["C-u"],
  kept: () => ({ open: [], ended: [], last_message: "", begun: false, error: null }),
  news: () => [],
  keeps: () => null,
  callName: (tool) => tool,
  fileChange: () => null,
  amends: () => false,
  subagentsOf: () => null,
  registered: () => null,
  resumes: () => false,
  guard: (text) => text,
};

function meaning(more: Partial<HookMeaning>): HookMeaning {
  const none = { conversation: null, seen: [], staysOpen: false, tool: null, prime: null };
  return { ...none, tell: null, hears: false, reads: false, turn: null, ...more };
}

function promptOf(report: Report): Prompt {
  const { verb = "", what = "" } = report;
  const input = { what };
  const rest = { sha256: keyOf(report), questions: [], choices: [] };
  return { key: keyOf(report), kind: "approval", tool: verb, input, ...rest };
}

function keyOf(hook: unknown): string {
  const { verb, what } = hook as Report;
  return `${verb} ${what}`;
}

function verdict(_: Prompt, reply: Reply): object | null {
  if (reply.type === "approve") return { fly: true };
  return reply.type === "deny" ? { fly: false, song: reply.message } : null;
}
