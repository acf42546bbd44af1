/** The port `Notifier` in memory. Passes the notifier's contract. */
import type { Notifier } from "../../src/ports.ts";

export interface FakeNotifier extends Notifier {
  /** The notifications that a person got, in order. */
  told: { title: string; text: string }[];
}

export function fakeNotifier(): FakeNotifier {
  const told: FakeNotifier["told"] = [];
  return {
    told,
    async notify(title, text) {
      told.push({ title, text });
    },
  };
}
