/** What the parts of the runner share: the person's side (a stage, as the scripted agent has it) and the program's. */
import type { ToolCall } from "../scripted-agent/hooks/json.ts";
import type { Stage } from "../scripted-agent/stage.ts";
import type { OwedWords } from "./owed.ts";
import type { Ways } from "./programs.ts";
import type { Peer } from "./wire/rpc.ts";

export interface Session {
  readonly stage: Stage;
  readonly peer: Peer;
  /** It takes the reason for a No along with it. */
  takesReasons: boolean;
  /** What is peculiar to the program. */
  ways: Ways;
  /** The program's own name of the conversation. */
  id: string;
  /** What the program is saying, until it does something else. */
  saying: string;
  /** Calls that were allowed and have not ended, by the program's id. */
  readonly running: Map<string, ToolCall>;
  readonly owed: OwedWords;
  /** The program has said or done something in this turn. */
  stirred: boolean;
  /** The program has said that its turn failed. */
  hasFailed: boolean;
  /** What it has to be told again, because it forgot. */
  readonly forgotten: string[];
  /** The program repeats an old conversation, which is neither shown nor kept again. */
  replays: boolean;
}
