/** The fields of a context as a list, which people read more easily than JSON. */

export function fieldsText(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([key, value]) => fieldText(key, value))
    .join("\n");
}

function fieldText(key: string, value: unknown): string {
  const items = Array.isArray(value) ? value.map((it) => `- ${plainText(it)}`).join("\n") : plainText(value);
  const isShort = !Array.isArray(value) && !items.includes("\n");
  return isShort ? `${key}: ${items}` : `${key}:\n${items.replace(/^/gm, "  ")}`;
}

function plainText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
