/**
 * Writes down what a person wants remembered: proposes the rule for a decision, tried on what people have answered, and
 * puts it into the project's own file of such rules. Nothing else in that file is ever accepted along with it.
 */
import { lstat, mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Refusal } from "../../core/model/errors.ts";
import type { Policy, PolicyBook } from "../../core/model/policy-types.ts";
import type { Accepting } from "../../core/policy/accept.ts";
import type { PolicyFile } from "../../core/policy/files.ts";
import { droppedBy, irreversibleHere } from "../../core/policy/listed.ts";
import { namesIn, proposeRule } from "../../core/policy/remember.ts";
import type { Tried } from "../../core/policy/try.ts";
import { readPolicies } from "../../runbook/policies.ts";
import type { Engine } from "../engine/engine.ts";
import { askedAt } from "./asked-at.ts";
import { pastAnswers } from "./history.ts";
import type { Policies } from "./policies.ts";
import { POLICY_FOLDER } from "./policies.ts";
import { tryOn } from "./tried.ts";

export interface Rule {
  project: string;
  root: string;
  policy: Policy;
  text: string;
  /** The file that has it if it counts in the whole project; and why it can't be written there. */
  file: string;
  problem: string | null;
  tried: Tried;
}

export type World = { engine: Engine; policies: Policies; ports: Parameters<typeof pastAnswers>[0]["ports"] };

const FILE = "remembered.hcl";
const HEAD = '# Rules that people chose to remember while approving. "oj policy list" shows which count.\n';

export function rememberedFile(root: string): string {
  return path.join(root, POLICY_FOLDER, FILE);
}

/** The rule for this decision, or why there is none. */
export async function ruleFor(world: World, id: string, isTried: boolean): Promise<Rule | { why: string }> {
  const { engine } = world;
  const { decision, look, files, root } = await askedAt(world, id);
  if (look === null || root === null) return { why: "it is not known where it was asked" };
  const { project } = decision;
  const book = await engine.read((state) => state.policies.get(project));
  const found = proposeRule(decision, look, {
    added: irreversibleHere(files, book),
    taken: namesIn(
      book,
      files.flatMap((it) => it.policies),
    ),
  });
  if ("why" in found) return found;
  const { text } = found;
  const [policy] = readPolicies(decision.owner.id, text).policies;
  if (!policy) return { why: "no policy can say exactly this" };
  const past = isTried ? await pastAnswers(world, { project, files }) : [];
  const tried = await tryOn(engine, past, [policy]);
  const file = rememberedFile(root);
  const next = await withRule(files, root, text, book);
  return { project, root, policy, text, file, tried, problem: "problem" in next ? next.problem : null };
}

/** Writes the rule into the project's file, has `accept` record exactly that text, and takes it back if that fails. */
export async function writeRule<T>(
  { engine, policies }: Pick<World, "engine" | "policies">,
  { project, root, text }: { project: string; root: string | null; text: string },
  accept: (file: Accepting) => Promise<T>,
): Promise<T> {
  const book = await engine.read((state) => state.policies.get(project));
  const next =
    root === null
      ? { problem: "it is not known where it was asked" }
      : await withRule(await policies.files(root), root, text, book);
  if ("problem" in next) throw new Refusal("request.invalid", next.problem, "oj policy accept");
  const { before, file } = next;
  await replace(file.path, file.text);
  try {
    return await accept(file);
  } catch (error) {
    await (before === null ? rm(file.path, { force: true }) : replace(file.path, before));
    throw error;
  }
}

/** The file with the rule at its end. Whatever else it says must have been accepted before. */
export async function withRule(
  files: readonly PolicyFile[],
  root: string,
  text: string,
  book: PolicyBook | undefined,
): Promise<{ before: string | null; file: Accepting } | { problem: string }> {
  const place = rememberedFile(root);
  const name = path.join(POLICY_FOLDER, FILE);
  if (!(await isOwnFolder(root))) return { problem: `${POLICY_FOLDER} leads out of the project` };
  const before = await textIn(place);
  if (before === "other") return { problem: `${name} is not a plain file` };
  if (before !== null && before !== "" && book?.accepted[place]?.text !== before)
    return { problem: `${name} says something that nobody has accepted` };
  const whole = before ? `${before.replace(/\n*$/, "\n\n")}${text}` : `${HEAD}\n${text}`;
  const { problems, irreversible, policies } = readPolicies(place, whole);
  const [problem] = problems;
  if (problem) return { problem: `${name}:${problem.line} ${problem.message}` };
  const isTwice = files.some(
    (it) =>
      it.path !== place && it.policies.some((one) => policies.some(({ name: own }) => own === one.name)),
  );
  if (isTwice) return { problem: "another file has a policy of that name" };
  const file = { path: place, text: whole, irreversible };
  if (droppedBy(book, file).length > 0) return { problem: `${name} has lost what can't be undone` };
  return { before, file };
}

async function isOwnFolder(root: string): Promise<boolean> {
  const real = await realpath(root);
  for (const part of [".oj", POLICY_FOLDER]) {
    const folder = await realpath(path.join(root, part)).catch(() => null);
    if (folder !== null && folder !== path.join(real, part)) return false;
  }
  return true;
}

async function textIn(file: string): Promise<string | null | "other"> {
  const stats = await lstat(file).catch(() => null);
  if (stats === null) return null;
  return stats.isFile() ? readFile(file, "utf8") : "other";
}

async function replace(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true });
  const draft = path.join(folder, `.${path.basename(file)}.${process.pid}`);
  await rm(draft, { force: true });
  await writeFile(draft, text, { flag: "wx", flush: true });
  await rename(draft, file);
}
