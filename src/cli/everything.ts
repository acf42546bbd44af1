/** The whole command line. */
import { dispatch } from "./dispatch.ts";
import type { Start } from "./program.ts";
import { program } from "./program.ts";

export function main(start: Start): Promise<never> {
  return program(start, (out, makeContext) => dispatch(start.argv, out, makeContext));
}
