/** `oj policy off`. */
import { switchCommand } from "./switch.ts";

export const command = switchCommand(false);
