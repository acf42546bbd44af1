/** The port `Notifier` in memory. Passes the notifier's contract. */
import type { Notice, Notifier } from "../../src/ports.ts";

export interface FakeNotifier extends Notifier {
  /** The notifications that a person got, in order. */
  told: Notice[];
  /** Why it shows nothing from now on. */
  trouble: string | null;
}

export function fakeNotifier(): FakeNotifier {
  const fake: FakeNotifier = {
    told: [],
    trouble: null,
    async notify(notice) {
      if (fake.trouble === null) fake.told.push(notice);
      return fake.trouble;
    },
    check: async () => fake.trouble,
  };
  return fake;
}
