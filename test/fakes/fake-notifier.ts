/** The port `Notifier` in memory. Passes the notifier's contract. */
import type { Notice, Notifier } from "../../src/ports.ts";

export interface FakeNotifier extends Notifier {
  /** The notifications that a person got, in order. */
  told: Notice[];
}

export function fakeNotifier(): FakeNotifier {
  const told: FakeNotifier["told"] = [];
  return {
    told,
    async notify(notice) {
      told.push(notice);
    },
  };
}
