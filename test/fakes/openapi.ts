/** Compares what was sent with its description in /openapi.json. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface Comparison {
  /** What is wrong with a value: fields that are not described, and values that differ from their description. */
  problems(value: unknown, schema: Schema, at: string): string[];
  /** Fields that are described but were in no value compared so far. */
  neverSeen(): string[];
}

export function comparison({ components }: Document): Comparison {
  /** Fields by name and schema: the same field of two shapes counts once. */
  const seen = new Set<string>();
  const described = new Map<string, string>();

  function resolved(schema: Schema): Schema {
    const name = schema.$ref?.split("/").at(-1);
    const found = name === undefined ? schema : components.schemas[name];
    if (!found) throw new Error(`${schema.$ref} is not in the document`);
    return found;
  }

  /** An object's fields, including those from `allOf`. */
  function fieldsOf(
    schema: Schema,
  ): Required<Pick<Schema, "properties" | "required">> & Pick<Schema, "additionalProperties"> {
    const all = [schema, ...(schema.allOf ?? []).map(resolved).map(fieldsOf)];
    const open = all.find((it) => it.additionalProperties !== undefined && it.additionalProperties !== false);
    return {
      properties: Object.assign({}, ...all.map((it) => it.properties ?? {})),
      required: all.flatMap((it) => it.required ?? []),
      ...(open?.additionalProperties === undefined
        ? {}
        : { additionalProperties: open.additionalProperties }),
    };
  }

  function problems(value: unknown, given: Schema, at: string): string[] {
    const schema = resolved(given);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return best(choices.map((it) => () => problems(value, it, at)));
    if (Object.keys(schema).every((it) => it === "description" || it === "example")) return []; // anything
    const kind = kindOf(value);
    const types = [schema.type ?? (schema.properties || schema.allOf ? "object" : [])].flat();
    if (types.length > 0 && !types.includes(kind) && !(kind === "integer" && types.includes("number")))
      return [`${at} is ${kind}, described as ${types.join(" or ")}`];
    if (schema.enum && !schema.enum.includes(value))
      return [`${at} is ${JSON.stringify(value)}, which is not described`];
    if (Array.isArray(value)) {
      const { items } = schema;
      if (!items) return [];
      return value.flatMap((it) => problems(it, items, `${at}[]`));
    }
    return kind === "object" ? objectProblems(value as object, schema, at) : [];
  }

  function objectProblems(value: object, schema: Schema, at: string): string[] {
    const { properties, required, additionalProperties } = fieldsOf(schema);
    const missing = required
      .filter((it) => !(it in value))
      .map((it) => `${at}.${it} is described and not sent`);
    const wrong = Object.entries(value).flatMap(([name, sent]) => {
      const field = properties[name];
      if (field) {
        seen.add(keyOf(name, field));
        return problems(sent, field, `${at}.${name}`);
      }
      if (additionalProperties === true) return [];
      if (additionalProperties) return problems(sent, additionalProperties, `${at}.*`);
      return [`${at}.${name} is sent and not described`];
    });
    return [...missing, ...wrong];
  }

  /** Notes every field of the schema, also those that the value does not reach. */
  function describe(given: Schema, at: string): void {
    const schema = resolved(given);
    for (const it of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) describe(it, at);
    if (schema.items) describe(schema.items, `${at}[]`);
    for (const [name, field] of Object.entries(fieldsOf(schema).properties)) {
      const key = keyOf(name, field);
      if (described.has(key)) continue;
      described.set(key, `${at}.${name}`);
      describe(field, `${at}.${name}`);
    }
  }

  return {
    problems(value, schema, at) {
      describe(schema, at);
      return problems(value, schema, at);
    },
    neverSeen: () => [...described].flatMap(([key, at]) => (seen.has(key) ? [] : [at])),
  };
}

/** Of several ways to read a value, the one that fits, or else the closest. */
function best(readings: (() => string[])[]): string[] {
  const all = readings.map((it) => it());
  return all.sort((a, b) => a.length - b.length)[0] ?? [];
}

function keyOf(name: string, field: Schema): string {
  return `${name} ${JSON.stringify(field)}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}
