/**
 * Words that follow when the program's turn is over: reasons for a No, messages with a Yes. Whoever said them was told
 * that they arrived, so they are on disk, and the next run of the conversation says them first.
 */
import fs from "node:fs";
import path from "node:path";

export interface OwedWords {
  add(text: string): void;
  /** All of them, to be said now. */
  take(): string[];
  /** What was taken has been said. */
  said(): void;
}

export function owedWords(conversationFile: string): OwedWords {
  const file = conversationFile.replace(/\.jsonl$/, ".owed");
  const owed = keptIn(file);
  return {
    add(text) {
      owed.push(text);
      keep(file, owed);
    },
    take: () => owed.splice(0),
    said: () => keep(file, owed),
  };
}

function keptIn(file: string): string[] {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as string[]; // our own file
  } catch {
    return []; // there is none
  }
}

/** Where nothing can be written, this run still says them. */
function keep(file: string, words: readonly string[]): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(`${file}.new`, JSON.stringify(words));
    fs.renameSync(`${file}.new`, file);
  } catch {}
}
