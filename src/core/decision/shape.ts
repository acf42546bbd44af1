/** Whether a JSON value has the shape of another: the same keys, and values of the same types. */

/** What is wrong with it, in words; null if it fits. A list may have another length: each item is like one of the old. */
export function shapeProblem(before: unknown, after: unknown, at = ""): string | null {
  const [was, is] = [typeOf(before), typeOf(after)];
  if (was !== is) return `${at || "the input"} must be ${was}, not ${is}`;
  if (Array.isArray(before) && Array.isArray(after)) return listProblem(before, after, at);
  if (!isObject(before) || !isObject(after)) return null;
  const missing = Object.keys(before).find((it) => !Object.hasOwn(after, it));
  if (missing !== undefined) return `${path(at, missing)} is missing`;
  for (const [key, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, key)) return `${path(at, key)} is not in the original`;
    const problem = shapeProblem(before[key], value, path(at, key));
    if (problem !== null) return problem;
  }
  return null;
}

function listProblem(before: readonly unknown[], after: readonly unknown[], at: string): string | null {
  for (const [index, item] of after.entries()) {
    const problems = before.map((it) => shapeProblem(it, item, `${at}[${index}]`));
    if (before.length === 0) return `${at} was empty and must stay so`;
    if (!problems.includes(null)) return problems[Math.min(index, problems.length - 1)] ?? null;
  }
  return null;
}

function path(at: string, key: string): string {
  return at === "" ? key : `${at}.${key}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  const type = typeof value;
  return type === "object" ? "an object" : `a ${type}`;
}
