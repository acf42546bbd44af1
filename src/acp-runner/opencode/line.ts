/** A line that starts opencode: the server to start instead, and what each prompt says of the model. Pure. */
import { UsageError } from "../../scripted-agent/args.ts";

export interface OpencodeLine {
  /** The words that start the server. */
  server: string[];
  /** Fields of each prompt. */
  prompt: { model?: { providerID: string; modelID: string }; agent?: string };
}

/** Flags that mean the same to the server. */
const KEPT = ["--pure", "--print-logs"];

export function readOpencodeLine(words: readonly string[]): OpencodeLine {
  const at = words.findIndex((it) => /(^|\/)opencode(-ai)?(@[^/]*)?$/.test(it));
  if (at < 0) throw new UsageError(`which of these words starts opencode? ${words.join(" ")}`);
  const line: OpencodeLine = { server: [...words.slice(0, at + 1), "serve"], prompt: {} };
  const rest = words.slice(at + 1).flatMap((it) => (/^--\w[\w-]*=/.test(it) ? split(it) : [it]));
  for (let n = 0; n < rest.length; n++) {
    const flag = rest[n] ?? "";
    if (KEPT.includes(flag)) line.server.push(flag);
    else if (flag === "-m" || flag === "--model") line.prompt.model = modelOf(rest[++n]);
    else if (flag === "--agent") line.prompt.agent = valueAfter(flag, rest[++n]);
    else throw new UsageError(`oj can't give opencode "${flag}": it takes --model, --agent and --pure`);
  }
  line.server.push("--hostname", "127.0.0.1", "--port", "0");
  return line;
}

function split(word: string): string[] {
  const at = word.indexOf("=");
  return [word.slice(0, at), word.slice(at + 1)];
}

function modelOf(text: string | undefined): { providerID: string; modelID: string } {
  const [providerID = "", ...rest] = valueAfter("--model", text).split("/");
  if (providerID === "" || rest.length === 0) throw new UsageError("--model takes provider/model");
  return { providerID, modelID: rest.join("/") };
}

function valueAfter(flag: string, text: string | undefined): string {
  if (text === undefined || text === "") throw new UsageError(`${flag} takes a value`);
  return text;
}
