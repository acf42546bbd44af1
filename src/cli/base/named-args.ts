/** Arguments of a command that are given by name. */
import { usage } from "./fail.ts";

/** `-a name=value`, each once. */
export function namedOf(given: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {};
  for (const text of given) {
    const equals = text.indexOf("=");
    if (equals < 1) throw usage(`-a takes NAME=VALUE, not "${text}"`, "oj run COMMAND -a name=value");
    const name = text.slice(0, equals);
    if (Object.hasOwn(named, name)) throw usage(`-a gives "${name}" twice`, `-a ${name}=…`);
    named[name] = text.slice(equals + 1);
  }
  return named;
}
