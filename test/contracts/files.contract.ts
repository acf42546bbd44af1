/** What every `JobFiles` keeps to, wherever it keeps them. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { JobFiles } from "../../src/ports.ts";
import { forever } from "../fakes/forever.ts";
import { until } from "./temp.ts";

export interface FilesUnderTest {
  files: JobFiles;
  /** A time after everything that was kept. */
  later_ms(): number;
}

async function all(parts: AsyncIterable<Buffer>): Promise<string> {
  const read: Buffer[] = [];
  for await (const part of parts) read.push(part);
  return Buffer.concat(read).toString();
}

export function filesContract(name: string, make: () => Promise<FilesUnderTest>): void {
  describe(`the files of jobs, ${name}`, () => {
    it("keep the output in order, to be read whole or by its last lines", async () => {
      const { files } = await make();
      await Promise.all(["one\n", Buffer.from("two\n"), "three\n"].map((it) => files.write("job-1", it)));
      await files.write("job-2", "another's\n");
      const read = (lines: number | null) =>
        all(files.read("job-1", { lines, follow: false, abort: forever }));
      assert.equal(await read(null), "one\ntwo\nthree\n");
      assert.equal(await read(2), "two\nthree\n");
      assert.equal(await read(99), "one\ntwo\nthree\n");
      assert.equal(await read(0), "");
    });

    it("have an empty output where nothing was written", async () => {
      const { files } = await make();
      assert.equal(await all(files.read("job-9", { lines: null, follow: false, abort: forever })), "");
    });

    it("are followed until told otherwise, without gap or repetition", async () => {
      const { files } = await make();
      await files.write("job-1", "before\n");
      const stop = new AbortController();
      let seen = "";
      const following = (async () => {
        for await (const part of files.read("job-1", { lines: null, follow: true, abort: stop.signal }))
          seen += part;
      })();
      await until(() => seen === "before\n");
      await files.write("job-2", "another's\n");
      await files.write("job-1", "after\n");
      await until(() => seen === "before\nafter\n");
      stop.abort();
      await following;
    });

    it("keep the environment as it was, and say null where there is none", async () => {
      const { files } = await make();
      const env = { PATH: "/bin", ODD: "a=b\n'\"ü" };
      await files.saveEnv("crew-1", env);
      assert.deepEqual(await files.loadEnv("crew-1"), env);
      assert.equal(await files.loadEnv("job-1"), null);
    });

    it("tell whose environment alone was kept", async () => {
      const { files, later_ms } = await make();
      await files.saveEnv("job-1", {});
      await files.saveEnv("job-2", {});
      await files.write("job-2", "it began\n");
      const bare = async (before_ms: number) => {
        const ids: string[] = [];
        for await (const id of files.bare(before_ms)) ids.push(id);
        return ids;
      };
      assert.deepEqual(await bare(later_ms()), ["job-1"]);
      assert.deepEqual(await bare(0), []);
    });

    it("go with their job, and only with it; twice is the same as once", async () => {
      const { files } = await make();
      for (const id of ["job-1", "job-2"] as const) {
        await files.saveEnv(id, { ID: id });
        await files.write(id, id);
      }
      await files.purge("job-1");
      await files.purge("job-1");
      const read = (id: "job-1" | "job-2") =>
        all(files.read(id, { lines: null, follow: false, abort: forever }));
      assert.deepEqual([await read("job-1"), await files.loadEnv("job-1")], ["", null]);
      assert.deepEqual([await read("job-2"), await files.loadEnv("job-2")], ["job-2", { ID: "job-2" }]);
    });
  });
}
