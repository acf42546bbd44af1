/** What Codex 0.166.0 really sent and drew, recorded with a scripted model; long texts are cut. */

const session = {
  session_id: "01a1e52b-c7fc-7583-a5c2-20a427ccbe48",
  transcript_path: "/home/ana/.codex/sessions/2026/11/16/rollout-2026-11-16T16-23-34-01a1e52b.jsonl",
  cwd: "/home/ana/shop",
  model: "gpt-5.1-codex",
  permission_mode: "default",
};
const turn = { ...session, turn_id: "01a1e52b-c863-7191-ad95-7b3446d2b7f5" };

export const questions = [
  {
    id: "db",
    header: "DB",
    question: "Which database?",
    options: [
      { label: "Postgres (Recommended)", description: "big" },
      { label: "SQLite", description: "small" },
    ],
  },
  {
    id: "c",
    header: "Colour",
    question: "Which colour?",
    options: [
      { label: "Red", description: "r" },
      { label: "Blue", description: "b" },
    ],
  },
];

const command = "touch /tmp/cx/made.txt";
export const patch = "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch";

export const hooks = {
  started: { ...session, hook_event_name: "SessionStart", source: "startup" },
  resumed: { ...session, hook_event_name: "SessionStart", source: "resume" },
  prompted: { ...turn, hook_event_name: "UserPromptSubmit", prompt: "The user says: !ls" },
  asksModel: { ...turn, hook_event_name: "PreModelRequest" },
  before: {
    ...turn,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "call_3qe6g7rntl5",
  },
  asks: {
    ...turn,
    hook_event_name: "PermissionRequest",
    tool_name: "Bash",
    tool_input: { command, description: "May I make a file?" },
  },
  asksPatch: {
    ...turn,
    hook_event_name: "PermissionRequest",
    tool_name: "apply_patch",
    tool_input: { command: patch },
  },
  after: {
    ...turn,
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_response: "",
    tool_use_id: "call_3qe6g7rntl5",
  },
  answered: {
    ...turn,
    hook_event_name: "PostToolUse",
    tool_name: "request_user_input",
    tool_input: { questions },
    tool_response:
      '{"answers":{"db":{"answers":["None of the above","user_note: MySQL"]},"c":{"answers":["Red"]}}}',
    tool_use_id: "call_7gs56c56oar",
  },
  stopped: { ...turn, hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "Made it" },
  interrupted: { ...turn, hook_event_name: "Interrupt" },
};

const line = (timestamp: string, type: string, payload: object) =>
  JSON.stringify({ timestamp: `2026-11-16T16:${timestamp}Z`, type, payload });
const item = (at: string, payload: object) => line(at, "response_item", payload);
const call = (call_id: string, name: string, input: object) => ({
  type: "function_call",
  name,
  arguments: JSON.stringify(input),
  call_id,
});

/** Lines of a conversation's file. */
export const rollout = {
  context: item("25:50.423", {
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: "<environment_context>\n  <cwd>/home/ana/shop</cwd>" }],
  }),
  said: line("25:50.515", "event_msg", {
    type: "item_completed",
    item: { type: "UserMessage", content: [{ type: "text", text: "Please make a file", text_elements: [] }] },
  }),
  command: item(
    "25:51.000",
    call("call_1", "exec_command", {
      cmd: command,
      sandbox_permissions: "require_escalated",
      justification: "May I make a file?",
    }),
  ),
  ran: item("25:52.000", {
    type: "function_call_output",
    call_id: "call_1",
    output: "Chunk ID: b12ab1\nWall time: 0.4320 seconds\nProcess exited with code 3\nOutput:\n",
  }),
  refused: item("25:52.000", {
    type: "function_call_output",
    call_id: "call_1",
    output: 'exec_command failed: CreateProcess { message: "Rejected(\\"Not that file, please.\\")" }',
  }),
  aborted: item("25:52.000", {
    type: "function_call_output",
    call_id: "call_1",
    output: "aborted by user after 33.3s",
  }),
  patch: item("25:53.000", {
    type: "custom_tool_call",
    call_id: "call_2",
    name: "apply_patch",
    input: patch,
  }),
  asked: item("25:54.000", call("call_3", "request_user_input", { questions })),
  answered: item("25:55.000", {
    type: "function_call_output",
    call_id: "call_3",
    output: '{"answers":{"db":{"answers":["SQLite"]},"c":{"answers":["Red","user_note: dark please"]}}}',
  }),
  spoke: item("25:56.000", {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: "Made it" }],
  }),
  failed: line("25:57.000", "event_msg", {
    type: "task_complete",
    last_agent_message: null,
    error: {
      message: "exceeded retry limit, last status: 429 Too Many Requests",
      codex_error_info: { response_too_many_failed_attempts: { http_status_code: 429 } },
    },
  }),
};

const top = "\n  >_ OpenAI Codex (v0.166.0)\n     /home/ana/shop\n\n\n› #s:ask please\n\n";
const composer = (text: string) =>
  `\n› ${text}\n\n  gpt-5.1-codex default · /home/ana/shop\n  ? for shortcuts                       ⚠ 2 warnings · f2 to view\n`;
const PLACEHOLDER = "Ask Codex to do anything";
const options = (second: string) =>
  `\n\n› 1. Yes, proceed (y)\n  2. ${second}\n  3. No, and tell Codex what to do differently (esc)\n\n  Press enter to confirm or esc to cancel\n`;

/** Screens of 120 columns. */
export const screens = {
  idle: `${top}\n• Made it\n\n  Worked for 28s • 16:24\n${composer(PLACEHOLDER)}`,
  drafted: `${top}\n• late\n\n  Worked for 6s • 16:28\n${composer("first line\n  second line #s:hi")}`,
  working: `${top}\n◦ Working (2s • esc to interrupt) · Running hook\n${composer(PLACEHOLDER)}`,
  interrupted: `${top}\n✗ You canceled the request to run touch /tmp/cx/made.txt\n\n■ Conversation interrupted - use /feedback if something went wrong\n${composer(PLACEHOLDER)}`,
  command: `${top}\n• Running touch /tmp/cx/made.txt\n\n  Would you like to run the following command?\n\n  Environment: local\n\n  Reason: May I make a file?\n\n  $ touch /tmp/cx/made.txt${options("Yes, and don't ask again for commands that start with `touch /tmp/cx/made.txt` (p)")}`,
  long: `${top}\n  Would you like to run the following command?\n\n  Environment: local\n\n  Reason: Long?\n\n  $ for i in 1 2 3; do\n    echo "line $i of a rather long command that wraps around because it is wider than the terminal could ever be $i"\n  done\n  echo 'xy' > /tmp/cx/long.txt\n\n› 1. Yes, proceed (y)\n  2. No, and tell Codex what to do differently (esc)\n\n  Press enter to confirm or esc to cancel\n`,
  tall: `  Would you like to run the following command?\n\n  Environment: local\n\n  Reason: Tall?\n\n  $ echo line 0\n  echo line 1\n  echo line 2\n  [… 66 lines] ^a view all\n› 1. Yes, proceed (y)\n  2. Yes, and don't ask again for commands that start with \`echo line 0\` (p)\n  3. No, and tell Codex what to do differently (esc)\n  Press enter to confirm or esc to cancel\n`,
  patch: `${top}\n• Added new.txt (+1 -0)\n    1 +hello\n    + Show details\n\n  Would you like to make the following edits?\n\n  Description: Apply proposed file edits\n  Destination: /home/ana/shop/new.txt${options("Yes, and don't ask again for these files (a)")}`,
  question: `${top}\n  Question 1/2 (2 unanswered)\n  Which database?\n\n  › 1. Postgres (Recommended)  big\n    2. SQLite                  small\n    3. None of the above       Optionally, add details in notes (tab)\n\n  tab to add notes | enter to submit answer | ←/→ to navigate questions | esc to interrupt\n`,
  noted: `${top}\n  Question 2/2 (1 unanswered)\n  Which colour?\n\n  › 1. Red                r\n    2. Blue               b\n    3. None of the above  Optionally, add details in notes (tab)\n\n  › dark please\n\n  tab or esc to clear notes | enter to submit all\n`,
  wrapped: `${top}\n  Question 1/1 (1 unanswered)\n  Which database should we use for the very long running service that nobody has named yet, given that it must survive\n  a restart of the whole machine?\n\n  › 1. A database with a rather long name that needs wrapping because it is so     a description which is also rather\n       long that no terminal has room (Recommended)                                long so that it wraps as well\n    2. SQLite                                                                      small\n    3. None of the above                                                           Optionally, add details in notes\n                                                                                   (tab)\n\n  tab to add notes | enter to submit answer | esc to interrupt\n`,
  trust: `\n  Folder access\n  /home/ana/shop\n\n  Trust this folder? Codex can read, edit, and run files here, subject to your permission settings. Your trust\n  decision will be saved.\n\n› 1. Trust and continue\n  2. Quit\n\n  enter continue · esc quit\n`,
  hooks: `\n  Hooks need review\n  2 hooks are new or changed.\n  Hooks can run outside the sandbox after you trust them.\n\n› 1. Review hooks\n  2. Trust all and continue\n  3. Continue without trusting (hooks won't run)\n\n  enter confirm · esc skip\n`,
};
