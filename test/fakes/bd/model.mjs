// @ts-check
/**
 * What `bd` keeps and how its commands change that, as seen with the real ones (docs/beads.md). The double of the program
 * and the fake of the port share it; both pass the contract that the real program passes.
 */

/**
 * @typedef {{ id: string, title: string, description: string, status: string, priority: number, issue_type: string,
 *   labels: string[], external_ref: string, close_reason: string, metadata: Record<string, unknown>,
 *   dependencies: { type: string, id: string }[] }} Issue
 * @typedef {{ prefix: string, issues: Record<string, Issue> }} Store
 */

export class Failure extends Error {}

/** @param {string} prefix @returns {Store} */
export const emptyStore = (prefix) => ({ prefix, issues: {} });

/** A part of an id is taken for the id, if it fits only one. @param {Store} store @param {string} text @returns {Issue} */
export function found(store, text) {
  const own = Object.hasOwn(store.issues, text) ? store.issues[text] : undefined;
  if (own) return own;
  const fits = Object.values(store.issues).filter((it) => it.id.includes(text));
  if (fits.length === 1 && fits[0]) return fits[0];
  throw new Failure(`Issue ${text} not found`);
}

/** @param {Store} store @param {Partial<Issue> & { title: string }} given @param {{ overwrites: boolean }} version @returns {Issue} */
export function create(store, given, { overwrites }) {
  const size = Buffer.byteLength(given.title);
  if (size === 0) throw new Failure("title is required");
  if (size > 500) throw new Failure(`title must be 500 characters or less (got ${size})`);
  const id = given.id ?? `${store.prefix}-${Object.keys(store.issues).length + 1}`;
  if (!id.startsWith(`${store.prefix}-`))
    throw new Failure(`prefix mismatch: database uses '${store.prefix}'`);
  const before = store.issues[id];
  if (before && !overwrites) throw new Failure(`${id} already exists; use bd update`);
  if (before) {
    before.priority = given.priority ?? 2;
    before.external_ref = given.external_ref ?? "";
    return before;
  }
  /** @type {Issue} */
  const issue = {
    description: "",
    priority: 2,
    issue_type: "task",
    labels: [],
    external_ref: "",
    metadata: {},
    ...given,
    id,
    status: "open",
    close_reason: "",
    dependencies: [],
  };
  store.issues[id] = issue;
  return issue;
}

/** @param {Store} store @param {string} id @param {string} reason @param {{ overwrites: boolean }} version */
export function close(store, id, reason, { overwrites }) {
  const issue = found(store, id);
  if (issue.status === "closed" && !overwrites) return; // says the new reason, keeps the old one
  issue.status = "closed";
  issue.close_reason = reason;
}

/** @param {Store} store @param {string} id */
export function reopen(store, id) {
  Object.assign(found(store, id), { status: "open", close_reason: "" });
}

/**
 * @param {Store} store @param {string} id
 * @param {{ add: readonly string[], remove: readonly string[], metadata: Readonly<Record<string, string>>, status?: string }} change
 */
export function update(store, id, { add, remove, metadata, status }) {
  const issue = found(store, id);
  issue.labels = [...new Set([...issue.labels, ...add])].filter((it) => !remove.includes(it));
  Object.assign(issue.metadata, metadata);
  if (status !== undefined) issue.status = status;
}

const BLOCKING = ["blocks", "parent-child"];

/** @param {Store} store @param {string} from @param {string} to @param {string} type */
export function link(store, from, to, type) {
  const [issue, other] = [found(store, from), found(store, to)];
  if (issue.dependencies.some((it) => it.id === other.id && it.type === type)) return;
  if (BLOCKING.includes(type) && reaches(store, other.id, issue.id))
    throw new Failure("adding dependency would create a cycle");
  issue.dependencies.push({ type, id: other.id });
}

/** @param {Store} store @param {string} from @param {string} to @returns {boolean} */
function reaches(store, from, to, seen = new Set()) {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  const next = store.issues[from]?.dependencies ?? [];
  return next.some((it) => BLOCKING.includes(it.type) && reaches(store, it.id, to, seen));
}

/** Open, and waiting for nothing that is not closed. @param {Store} store @returns {Issue[]} */
export function ready(store) {
  const isOpen = (/** @type {string} */ id) => store.issues[id]?.status !== "closed";
  return Object.values(store.issues).filter(
    (it) => it.status === "open" && !it.dependencies.some((on) => on.type === "blocks" && isOpen(on.id)),
  );
}
