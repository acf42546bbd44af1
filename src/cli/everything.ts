/** The whole command line. */

import type { Start } from "./base/program.ts";
import { program } from "./base/program.ts";
import { dispatch } from "./dispatch.ts";

export function main(start: Start): Promise<never> {
  return program(start, (out, makeContext) => dispatch(start.argv, out, makeContext));
}
