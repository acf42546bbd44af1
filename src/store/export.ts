/** `oj audit export`: every event with its link and its signatures, as lines of JSON that anybody can check. */
import fs from "node:fs";
import { sealText } from "../adapters/audit/chain.ts";
import { keyOf, STAMP_BYTES } from "../adapters/audit/key.ts";
import { noteOf } from "../adapters/audit/note.ts";
import { Refusal } from "../core/model/errors.ts";
import type { Evidence, Testimony, WholeStore } from "../store-ports.ts";
import { version } from "../version.ts";
import type { Audited } from "./audit.ts";
import { examine } from "./audit.ts";

/** One with erased texts would look forged to an older oj. */
const FORMAT = 2;
const PLAIN = 1;

export interface ExportHead {
  oj_audit: number;
  version: string;
  base: number;
  base_chain: string;
  tip: number;
  /** By what seals call them: the public keys, in base64. */
  keys: Record<string, string>;
}

export interface Exported {
  file: string;
  events: number;
  tip: number;
  bytes: number;
}

/** Refuses a log that is not what was written: an export is to be a proof. */
export async function exportAudit(store: WholeStore, file: string, folder: string): Promise<Exported> {
  return store.testify(async (evidence) => {
    const audited = await examine(store.shown, evidence, []);
    if (audited.problem !== null)
      throw new Refusal(
        "audit.tampered",
        `Nothing was exported. Event ${audited.problem.seq}: ${audited.problem.what}.`,
        "oj audit verify",
      );
    const note = noteOf({ seq: audited.tip, link: Buffer.from(audited.chain, "hex") }, keyOf(folder));
    const fresh = `${file}.new`;
    try {
      const bytes = await write(fresh, linesOf(evidence, audited, keyOf(folder).public, note));
      fs.renameSync(fresh, file);
      return { file, events: audited.events, tip: audited.tip, bytes };
    } catch (error) {
      fs.rmSync(fresh, { force: true });
      const message = `The export ${file} can't be written: ${(error as Error).message}.`;
      throw error instanceof Refusal
        ? error
        : new Refusal("audit.unreadable", message, "oj audit export FILE");
    }
  });
}

async function* linesOf(
  { base, base_chain, keys, own: stamper, rows }: Evidence,
  { tip, erased }: Audited,
  own: Buffer,
  note: string,
): AsyncGenerator<unknown[]> {
  const named = Object.fromEntries([...keys].map(([name, key]) => [name, key.toString("base64")]));
  if (![...keys.values()].some((it) => it.equals(own))) named.exporter = own.toString("base64");
  const head: ExportHead = {
    oj_audit: erased.length > 0 ? FORMAT : PLAIN,
    version,
    base,
    base_chain: base_chain.toString("hex"),
    tip,
    keys: named,
  };
  yield [head];
  for await (const page of rows()) yield page.map((it) => lineOf(it, stamper));
  yield [{ checkpoint: note }];
}

/** A stamp proves nothing to others, so that what it says is signed here. It was checked before. */
function lineOf({ seq, stream, body, chain, seal }: Testimony, stamper: Evidence["own"]) {
  const isStamp = seal?.sig?.length === STAMP_BYTES && chain !== null && stamper !== null;
  const sig = isStamp ? stamper.sign(sealText(seal.first, seq, chain)) : (seal?.sig ?? null);
  const sealed =
    seal === null ? null : { first: seal.first, signer: seal.signer, sig: sig?.toString("base64") ?? null };
  return { seq, stream, body, chain: chain?.toString("hex") ?? null, seal: sealed };
}

/** Readable by its owner alone: it has everything that was asked and decided. */
async function write(file: string, pages: AsyncIterable<unknown[]>): Promise<number> {
  fs.rmSync(file, { force: true });
  const fd = fs.openSync(file, "wx", 0o600);
  let bytes = 0;
  try {
    for await (const page of pages) {
      const text = page.map((it) => `${JSON.stringify(it)}\n`).join("");
      fs.writeFileSync(fd, text);
      bytes += Buffer.byteLength(text);
    }
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
  return bytes;
}
