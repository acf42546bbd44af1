/** The whole command line; `main.ts` itself carries only the frequent commands. */
import { dispatch } from "./dispatch.ts";
import type { Start } from "./program.ts";
import { program } from "./program.ts";

export function everything(start: Start): Promise<never> {
  return program(start, (out, makeContext) => dispatch(start.argv, out, makeContext));
}
