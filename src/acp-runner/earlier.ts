/** What a program was told in a conversation that it has lost, for the first prompt of the new one. Pure. */
import type { Params } from "./wire/rpc.ts";
import { isObject } from "./wire/rpc.ts";

const MOST = 20_000;

/** `kept`: our own file of the conversation. Empty if nothing was said in it. */
export function earlierWords(kept: string): string {
  const told = kept.split("\n").flatMap((line) => promptIn(line));
  const [task, ...rest] = told;
  if (task === undefined) return "";
  let room = MOST - task.length;
  const last: string[] = [];
  for (const it of rest.toReversed()) {
    room -= it.length;
    if (room < 0) break;
    last.unshift(it);
  }
  const gap = last.length < rest.length ? ["[…]"] : [];
  const intro = "Your earlier conversation is lost; this is a new one. In the earlier one, you were told:";
  return [intro, task.slice(0, MOST), ...gap, ...last].join("\n\n");
}

function promptIn(line: string): string[] {
  let it: unknown = null;
  try {
    it = JSON.parse(line);
  } catch {
    return []; // it died while it wrote this
  }
  const { type, message } = (isObject(it) ? it : {}) as Params;
  const content = type === "user" && isObject(message) ? message.content : null;
  return typeof content === "string" ? [content] : [];
}
