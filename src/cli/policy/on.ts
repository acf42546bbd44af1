/** `oj policy on`. */
import { switchCommand } from "./switch.ts";

export const command = switchCommand(true);
