/** The context of a request: JSON of any shape, or plain text. */

/** The text for people and, if the context is an object, its fields for templates to check. */
export function contextOf(given: unknown): { context: string; fields: Record<string, unknown> } {
  if (given === undefined || given === null) return { context: "", fields: {} };
  if (typeof given === "string") return { context: given, fields: {} };
  const isObject = typeof given === "object" && !Array.isArray(given);
  return {
    context: JSON.stringify(given, null, 2),
    fields: isObject ? (given as Record<string, unknown>) : {},
  };
}
