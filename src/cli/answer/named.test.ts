import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision } from "../../../test/fakes/fake-client.ts";
import { Refusal } from "../../core/model/errors.ts";
import { splitNamed, withNumbers } from "./named.ts";

const one = decision({
  id: "dec-7k3m9x2p4q",
  options: [
    { number: 1, key: "ship-it", label: "Ship it" },
    { number: 2, key: "no", label: "No" },
    { number: 3, key: "yes", label: "Yes" },
    { number: 4, key: "yes-2", label: "YES" },
    { number: 5, key: "n-16", label: "16" },
  ],
});
const question = (text: string, labels: string[]) => ({
  question: text,
  header: null,
  multi_select: true,
  options: labels.map((label) => ({ label, description: null })),
});
const several = decision({
  id: "dec-aaaaaaaaaa",
  questions: [question("Parts?", ["Auth", "Search, deep", "Export"]), question("Store?", ["Postgres"])],
  options: [
    { number: 1, key: "cancel", label: "Cancel" },
    { number: 2, key: "dismiss", label: "Dismiss" },
  ],
});
const other = decision({ id: "dec-nqqqqqqqqq", options: [{ number: 1, key: "no", label: "No" }] });

const client = {
  async decision(text: string) {
    const found = [one, several, other].find(
      (it) => it.id.startsWith(text) || it.id.slice(4).startsWith(text),
    );
    if (!found) throw new Refusal("decision.not-found", `no decision ${text}`);
    return found;
  },
};

describe("names of options among ids", () => {
  for (const [args, ids, words] of [
    [["7k3", "Ship it"], ["7k3"], ["Ship it"]],
    [["7k3", "SHIP-IT"], ["7k3"], ["SHIP-IT"]],
    [["7k3", "nqq", "no"], ["7k3", "nqq"], ["no"]],
    [["7k3", "nqq"], ["7k3", "nqq"], []],
    [["aaa", "auth,export", "postgres"], ["aaa"], ["auth,export", "postgres"]],
    [["aaa", "Search, deep", "2"], ["aaa"], ["Search, deep", "2"]],
    [["aaa", "dismiss"], ["aaa"], ["dismiss"]],
  ] as const)
    it(`${args.join(" ")}: ids ${ids.join(" ")}, answer ${words.join(" ") || "none"}`, async () =>
      assert.deepEqual(await splitNamed(client, args), { ids, words }));

  it("are refused if they are also the beginning of an id", async () => {
    const short = decision({ id: "dec-7k3m9x2p4q", options: [{ number: 1, key: "n", label: "N" }] });
    const both = { decision: async (id: string) => (id === "n" ? other : short) };
    await assert.rejects(splitNamed(both, ["7k3", "n"]), {
      code: "decision.ambiguous",
      message: '"n" is an option of dec-7k3m9x2p4q, and also the beginning of dec-nqqqqqqqqq',
    });
  });

  it("are suggested if one was probably meant", () =>
    assert.rejects(splitNamed(client, ["7k3", "shipit"]), {
      code: "decision.out-of-range",
      message: 'dec-7k3m9x2p4q has no option "shipit"; did you mean "Ship it"?',
    }));
});

describe("names of a question's options", () => {
  it("become numbers, also Other and a label with a comma", async () => {
    assert.deepEqual(await withNumbers(client, ["aaa"], ["auth,export", "other"]), ["1,3", "2"]);
    assert.deepEqual(await withNumbers(client, ["aaa"], ["search, DEEP", "1"]), ["2", "1"]);
  });
  it("stay as they are if the decision itself has that option", async () => {
    assert.deepEqual(await withNumbers(client, ["aaa"], ["Cancel"]), ["Cancel"]);
    assert.deepEqual(await withNumbers(client, ["7k3", "nqq"], ["no"]), ["no"]);
  });
  it("are refused with the nearest one", () =>
    assert.rejects(withNumbers(client, ["aaa"], ["Auth", "postgre"]), {
      message: '"Store?" has no option "postgre"; did you mean "Postgres"?',
    }));
});
