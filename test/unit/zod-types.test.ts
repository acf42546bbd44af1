import assert from "node:assert/strict";
import { it } from "vitest";
import { plainTypes } from "../../scripts/zod-types.mjs";

it("writes a type that comes from a schema as one that needs no zod, with the comments of the source", () => {
  const declarations = `/** Things. */
import { z } from "@hono/zod-openapi";
import type { Kind } from "./kind.ts";
export declare const MOST = 5;
export declare const part: () => z.ZodObject<{
    name: z.ZodString;
    of: z.ZodNullable<z.ZodType<Kind, Kind, z.core.$ZodTypeInternals<Kind, Kind>>>;
}, z.core.$strip>;
export type Part = z.infer<ReturnType<typeof part>>;
export declare const body: z.ZodObject<{
    parts: z.ZodArray<z.ZodObject<{
        name: z.ZodString;
        of: z.ZodNullable<z.ZodType<Kind, Kind, z.core.$ZodTypeInternals<Kind, Kind>>>;
    }, z.core.$strip>>;
    all: z.ZodDefault<z.ZodBoolean>;
    text: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodString>>, z.ZodTransform<string | null, string | null | undefined>>;
    few: z.ZodExactOptional<z.ZodArray<z.ZodNullable<z.ZodNumber>>>;
}, z.core.$strict>;
/** What is sent. */
export type Sent = z.input<typeof body>;
export type Got = z.output<typeof body>;
`;
  const source = "const body = z.object({ parts: x, /** Each of them. */ all: x, text: x, few: x });";
  assert.equal(
    plainTypes(declarations, source),
    `/** Worked out from schemas. */
import type { Kind } from "./kind.ts";
export interface Part {
    name: string;
    of: Kind | null;
}
/** What is sent. */
export interface Sent {
    parts: Part[];
    /** Each of them. */
    all?: boolean | undefined;
    text?: string | null | undefined;
    few?: (number | null)[];
}
export interface Got {
    parts: Part[];
    /** Each of them. */
    all: boolean;
    text: string | null;
    few?: (number | null)[];
}
`,
  );
});
