/** Reads what `oj audit verify` is given: an export, or a checkpoint. Either may have been changed by anybody. */
import fs from "node:fs";
import type { Note } from "../adapters/audit/note.ts";
import { noteIn } from "../adapters/audit/note.ts";
import { Refusal } from "../core/model/errors.ts";
import type { Evidence, Testimony } from "../store-ports.ts";

const PAGE = 1000;

export type EvidenceFile = { file: string } & ({ note: Note } | { evidence: Evidence });

export function readEvidence(file: string): EvidenceFile {
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    throw unreadable(file, (error as Error).message);
  }
  const note = text.startsWith("{") ? null : noteIn(text);
  if (note !== null) return { file, note };
  return { file, evidence: evidenceOf(file, text.split("\n")) };
}

function evidenceOf(file: string, lines: string[]): Evidence {
  const head = objectIn(lines[0] ?? "");
  const { oj_audit, base, base_chain, tip, keys } = head ?? {};
  if ((oj_audit !== 1 && oj_audit !== 2) || !isCount(base) || !isCount(tip) || !isRecord(keys))
    throw unreadable(file, "it is neither an export nor a checkpoint of oj");
  const last = objectIn(lines.findLast((it) => it !== "") ?? "");
  const note = typeof last?.checkpoint === "string" ? noteIn(last.checkpoint) : null;
  const known = Object.entries(keys).map(
    ([name, key]) => [name, Buffer.from(String(key), "base64")] as const,
  );
  const isTheirs = note !== null && known.some(([, key]) => note.isSignedBy(key));
  return {
    base,
    base_chain: Buffer.from(String(base_chain), "hex"),
    tip: Math.max(tip, note?.seq ?? 0),
    keys: new Map(known),
    own: null,
    witness: isTheirs ? { seq: note.seq, chain: note.link } : null,
    warnings: isTheirs ? [] : ["its last line, a signed checkpoint, is missing or is not what was written"],
    async *rows() {
      let page: Testimony[] = [];
      let seq = base;
      for (const line of lines.slice(1)) {
        if (line === "") continue;
        const value = objectIn(line);
        if (value !== null && "checkpoint" in value) continue;
        const row = rowOf(value, seq + 1);
        seq = row.seq;
        page.push(row);
        if (page.length < PAGE) continue;
        yield page;
        page = [];
      }
      yield page;
    },
  };
}

/** A line that can't be read stands for the event that should be there. */
function rowOf(value: Record<string, unknown> | null, expected: number): Testimony {
  const { seq, stream, body, chain, seal } = value ?? {};
  if (!isCount(seq) || typeof stream !== "string" || typeof body !== "string")
    return { seq: expected, stream: "", body: "", chain: null, seal: null };
  const link = Buffer.from(String(chain), "hex");
  return { seq, stream, body, chain: link.length === 32 ? link : null, seal: sealOf(seal) };
}

function sealOf(value: unknown): Testimony["seal"] {
  if (!isRecord(value)) return null;
  const { first, signer, sig } = value;
  if (!isCount(first)) return null;
  return { first, signer: String(signer), sig: typeof sig === "string" ? Buffer.from(sig, "base64") : null };
}

function objectIn(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function unreadable(file: string, what: string): Refusal {
  return new Refusal("audit.unreadable", `${file} can't be checked: ${what}.`, "oj audit export FILE");
}
