/** Installs the client before the first test, so that several workers don't install it over each other. */
import { installGemini } from "./install.ts";

export function setup(): void {
  installGemini();
}
