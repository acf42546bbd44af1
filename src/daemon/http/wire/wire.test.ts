/** What stands for the platform's `Headers` and `Response` does what those do. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { PlainHeaders } from "./headers.ts";
import { PlainResponse } from "./response.ts";

for (const [whose, Fields] of [
  ["ours", PlainHeaders as unknown as typeof Headers],
  ["the platform's", Headers],
] as const)
  describe(`headers: ${whose}`, () => {
    it("don't tell cases apart, and come in order", () => {
      const headers = new Fields({ "X-B": "2", "x-a": " 1\t" });
      headers.set("X-b", "3");
      assert.deepEqual(
        [...headers],
        [
          ["x-a", "1"],
          ["x-b", "3"],
        ],
      );
      assert.equal(headers.get("X-A"), "1");
      assert.equal(headers.has("x-c"), false);
      assert.equal(headers.get("x-c"), null);
    });

    it("joins what comes twice, cookies their own way", () => {
      const headers = new Fields([
        ["accept", "a"],
        ["cookie", "b=1"],
        ["set-cookie", "c=1"],
      ]);
      for (const name of ["Accept", "Cookie", "Set-Cookie"]) headers.append(name, "d=2");
      assert.deepEqual(
        [...headers.entries()],
        [
          ["accept", "a, d=2"],
          ["cookie", "b=1; d=2"],
          ["set-cookie", "c=1"],
          ["set-cookie", "d=2"],
        ],
      );
      assert.equal(headers.get("set-cookie"), "c=1, d=2");
      assert.deepEqual(headers.getSetCookie(), ["c=1", "d=2"]);
      headers.set("set-cookie", "e=3");
      assert.deepEqual(headers.getSetCookie(), ["e=3"]);
      headers.delete("Set-Cookie");
      assert.deepEqual([headers.getSetCookie(), headers.has("set-cookie")], [[], false]);
    });

    it("is copied from another", () => {
      const copy = new Fields(
        new Fields([
          ["set-cookie", "a"],
          ["set-cookie", "b"],
          ["x", "y"],
        ]),
      );
      const seen: string[] = [];
      copy.forEach((value, name) => void seen.push(`${name}=${value}`));
      assert.deepEqual(seen, ["set-cookie=a", "set-cookie=b", "x=y"]);
    });

    for (const [name, value] of [
      ["a b", "c"],
      ["", "c"],
      ["é", "c"],
      ["x", "a\r\nb: c"],
      ["x", "a\0"],
      ["x", "→"],
    ])
      it(`refuses ${JSON.stringify(`${name}: ${value}`)}`, () =>
        assert.throws(() => new Fields().append(name ?? "", value ?? ""), TypeError));
  });

for (const [whose, Answer] of [
  ["ours", PlainResponse as unknown as typeof Response],
  ["the platform's", Response],
] as const)
  describe(`a response: ${whose}`, () => {
    const bytes = new TextEncoder().encode(`{"a":"ä"}`);
    const stream = () =>
      new ReadableStream<Uint8Array>({
        start(it) {
          for (const part of [bytes.slice(0, 7), bytes.slice(7)]) it.enqueue(part);
          it.close();
        },
      });

    for (const [kind, content] of [
      ["a text", () => `{"a":"ä"}`],
      ["bytes", () => bytes],
      ["a buffer", () => bytes.buffer.slice(0)],
      ["a stream", stream],
    ] as const)
      it(`is read as it was given: ${kind}`, async () => {
        assert.deepEqual(await new Answer(content()).json(), { a: "ä" });
        assert.equal(await new Answer(content()).text(), `{"a":"ä"}`);
        assert.deepEqual(new Uint8Array(await new Answer(content()).arrayBuffer()), bytes);
        assert.equal(await new Answer(new Answer(content()).body).text(), `{"a":"ä"}`);
      });

    it("has a status, and says what a text is", () => {
      const plain = new Answer("a");
      assert.deepEqual(
        [plain.status, plain.ok, plain.headers.get("content-type")],
        [200, true, "text/plain;charset=UTF-8"],
      );
      const other = new Answer("{}", { status: 404, headers: { "Content-Type": "application/json" } });
      assert.deepEqual(
        [other.status, other.ok, other.headers.get("content-type")],
        [404, false, "application/json"],
      );
    });

    it("takes its status and headers from another", async () => {
      const empty = new Answer(null, new Answer("a", { status: 201, headers: { x: "y" } }));
      assert.deepEqual([empty.status, empty.headers.get("x"), empty.body], [201, "y", null]);
      assert.equal(await empty.text(), "");
    });

    it("is read once", async () => {
      const answer = new Answer("a");
      assert.equal(answer.bodyUsed, false);
      await answer.text();
      assert.equal(answer.bodyUsed, true);
      await assert.rejects(answer.text(), TypeError);
    });
  });
