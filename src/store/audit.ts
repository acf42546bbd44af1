/** Examines a log as evidence: does each event follow from the one before it, and did a machine of ours sign for it? */
import { GENESIS, linkOf, sealText } from "../adapters/audit/chain.ts";
import type { Erased } from "../adapters/audit/erased.ts";
import { erasures } from "../adapters/audit/erased.ts";
import { isSigned, keyName, keyOf, readKey, STAMP_BYTES } from "../adapters/audit/key.ts";
import type { Note } from "../adapters/audit/note.ts";
import { noteOf } from "../adapters/audit/note.ts";
import { Refusal } from "../core/model/errors.ts";
import type { Evidence, Testimony, WholeStore } from "../store-ports.ts";
import { readEvidence } from "./evidence-file.ts";

export interface Audited {
  /** What was examined: the store, or a file. */
  of: string;
  events: number;
  tip: number;
  /** The link of the last event, in hex. */
  chain: string;
  /** The first event that is not what was written; null: all are. */
  problem: AuditProblem | null;
  /** How many more there are. */
  more: number;
  /** The last event that a signature covers. */
  signed: number;
  /** Whose texts were erased, by whom and when: that is proven, as is what is left. */
  erased: Erased[];
  warnings: string[];
}

export interface AuditProblem {
  seq: number;
  /** The last event that it may be about, if it can't be told more exactly. */
  upTo: number;
  what: string;
}

/** `files`: an export to examine in place of the store, and checkpoints to compare with; in any order. */
export async function verifyAudit(
  store: () => Promise<WholeStore>,
  files: readonly string[],
  folder: string,
): Promise<Audited> {
  const read = files.map((file) => readEvidence(file));
  const notes = read.flatMap((it) => ("note" in it ? [it] : []));
  const [exported, another] = read.flatMap((it) => ("evidence" in it ? [it] : []));
  if (another !== undefined)
    throw new Refusal(
      "audit.unreadable",
      "Only one export can be checked at a time.",
      "oj audit verify FILE",
    );
  if (exported === undefined) {
    const here = await store();
    return here.testify((evidence) => examine(here.shown, evidence, notes));
  }
  const audited = await examine(exported.file, exported.evidence, notes);
  const own = readKey(folder)?.public;
  const isOurs = [...exported.evidence.keys.values()].some((it) => own !== undefined && it.equals(own));
  const names = [...exported.evidence.keys.values()].map(keyName).join(", ");
  if (!isOurs)
    audited.warnings.push(`signed by ${names || "nobody"}, which is not this machine: compare the name`);
  return audited;
}

export async function checkpointOf(store: WholeStore, folder: string): Promise<string> {
  return store.testify(async (evidence) => {
    const audited = await examine(store.shown, evidence, []);
    if (audited.problem !== null)
      throw new Refusal(
        "audit.tampered",
        `Event ${audited.problem.seq}: ${audited.problem.what}.`,
        "oj audit verify",
      );
    return noteOf({ seq: audited.tip, link: Buffer.from(audited.chain, "hex") }, keyOf(folder));
  });
}

type Named = { file: string; note: Note };

export async function examine(of: string, evidence: Evidence, notes: readonly Named[]): Promise<Audited> {
  const { base, keys, witness, warnings } = evidence;
  const problems: AuditProblem[] = [];
  const found = (seq: number, what: string, upTo = seq) => problems.push({ seq, what, upTo });
  /** Links that somebody has kept elsewhere. */
  const kept = notes.map(({ file, note }) => ({
    seq: note.seq,
    link: note.link,
    who: `the checkpoint ${file}`,
  }));
  if (witness !== null) kept.push({ seq: witness.seq, link: witness.chain, who: "this machine" });
  let at: { seq: number; chain: Buffer | null } = { seq: base, chain: evidence.base_chain };
  let signed = base;
  let hasSignature = false;
  let events = 0;
  const erased = erasures();

  function follow(row: Testimony): void {
    events += 1;
    const { seq, stream, body, chain, seal } = row;
    if (seq !== at.seq + 1) {
      if (seq <= at.seq) return void found(seq, "it is there twice");
      found(at.seq + 1, seq === at.seq + 2 ? "it is missing" : `it is missing, and all up to ${seq - 1}`);
      at = { seq: seq - 1, chain: null };
    }
    if (chain === null) found(seq, "it has no link: nobody of ours wrote it");
    else if (at.chain === null || linkOf(at.chain, seq, stream, body).equals(chain)) erased.heed(body);
    else if (!erased.suspect(seq, body)) found(seq, "it is not what was written");
    at = { seq, chain };
    for (const it of kept)
      if (it.seq === seq && !(chain?.equals(it.link) ?? false))
        found(seq, `it or one before it was replaced: ${it.who} has another link`);
    if (seal?.sig && chain !== null) attest(seq, chain, seal.first, seal.signer, seal.sig);
  }

  function attest(last: number, chain: Buffer, first: number, signer: string, sig: Buffer): void {
    const key = keys.get(signer);
    if (key === undefined) return; // without a key nothing can be said; `warnings` has that
    const text = sealText(first, last, chain);
    const isTheirs =
      sig.length === STAMP_BYTES ? evidence.own?.isStamped(text, sig) : isSigned(key, text, sig);
    if (!isTheirs) {
      const isNamed = problems.some((it) => it.seq >= first && it.seq <= last); // and more exactly
      if (!isNamed) found(first, "it is not what its machine signed", last);
      return;
    }
    signed = last;
    hasSignature = true;
  }

  for await (const page of evidence.rows()) page.forEach(follow);
  for (const seq of erased.left())
    found(seq, "it is not what was written, and nobody of ours erased its texts");
  if (warnings.length === 0 || events > 0) {
    if (at.seq < evidence.tip)
      found(at.seq + 1, `it was cut off: the log once reached to event ${evidence.tip}`, evidence.tip);
    if (hasSignature && signed < at.seq) found(signed + 1, "no machine has signed it", at.seq);
  }
  for (const { file, note } of notes) {
    if (![...keys.values()].some((key) => note.isSignedBy(key)))
      found(note.seq, `the checkpoint ${file} was not signed by a machine of this log`);
    if (note.seq > at.seq) found(at.seq + 1, `it is missing: the checkpoint ${file} has ${note.seq} events`);
  }
  const [problem = null, ...others] = problems.sort((a, b) => a.seq - b.seq);
  return {
    of,
    events,
    tip: at.seq,
    chain: (at.chain ?? GENESIS).toString("hex"),
    problem,
    more: others.length,
    signed: hasSignature ? signed : 0,
    erased: erased.found(),
    warnings: hasSignature || events === 0 ? [...warnings] : [...warnings, ...unsigned(warnings)],
  };
}

function unsigned(warnings: readonly string[]): string[] {
  return warnings.length > 0
    ? []
    : ["no event is signed yet: the next one that a daemon writes covers them all"];
}
