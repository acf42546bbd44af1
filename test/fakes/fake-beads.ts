/** The port `Beads` in memory, for one folder. Passes the contract of beads. */
import type { Beads } from "../../src/beads-port.ts";
import { BeadsTrouble } from "../../src/beads-port.ts";
import type { Issue } from "./bd/model.mjs";
import * as model from "./bd/model.mjs";

export interface FakeBeads extends Beads {
  store: { prefix: string; issues: Record<string, Issue> };
  /** What every call ends with, as long as it is set. */
  trouble: BeadsTrouble | null;
  /** Called before each call is carried out, with its name; throw to cut it off. */
  before: (name: string) => void;
  /** Called after each call was carried out: throw to lose its outcome. */
  after: (name: string) => void;
  /** The names of the calls so far. */
  calls: string[];
}

const MANNER = { overwrites: false };

export function fakeBeads(): FakeBeads {
  const store = model.emptyStore("shop");
  const calls: string[] = [];

  /** An await first: nothing outside is ever done at once. */
  async function call<T>(name: string, work: () => T): Promise<T> {
    await Promise.resolve();
    if (fake.trouble) throw fake.trouble;
    fake.before(name);
    calls.push(name);
    try {
      return work();
    } catch (error) {
      if (!(error instanceof model.Failure)) throw error;
      throw new BeadsTrouble("refused", error.message);
    } finally {
      fake.after(name);
    }
  }

  const fake: FakeBeads = {
    store,
    trouble: null,
    before: () => {},
    after: () => {},
    calls,
    version: () => call("version", () => "1.3.0"),
    prefix: () => call("prefix", () => store.prefix),
    show: (_, id) =>
      call("show", () => {
        const issue = store.issues[id];
        if (!issue) return null;
        const { status, labels, close_reason: reason, metadata, dependencies: links } = issue;
        return { id, status, labels: [...labels], reason, metadata: { ...metadata }, links: [...links] };
      }),
    create: (_, { body, ...bead }) =>
      call("create", () => {
        const { labels, metadata, ...rest } = bead;
        const own = { labels: [...labels], metadata: { ...metadata }, issue_type: "decision" };
        model.create(store, { ...rest, ...own, description: body }, MANNER);
      }),
    close: (_, id, reason) => call("close", () => model.close(store, id, reason, MANNER)),
    reopen: (_, id) => call("reopen", () => model.reopen(store, id)),
    update: (_, id, change) => call("update", () => model.update(store, id, change)),
    link: (_, id, type, other) => call("link", () => model.link(store, id, other, type)),
  };
  return fake;
}
