import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { csvLine } from "./csv.ts";

describe("a line of CSV", () => {
  it("quotes only what needs it, and doubles quotes", () =>
    assert.equal(
      csvLine(["plain", "", "a,b", 'say "hi"', "two\nlines", " blank"]),
      'plain,,"a,b","say ""hi""","two\nlines"," blank"\r\n',
    ));

  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "\n=1"])
    it(`keeps a spreadsheet from running ${JSON.stringify(text)}`, () =>
      assert.match(csvLine([text]), /^"?'/));

  it("leaves text alone that only contains such signs", () =>
    assert.equal(
      csvLine(["a=b", "2026-11-10", "rm -rf x", "ana@shop"]),
      "a=b,2026-11-10,rm -rf x,ana@shop\r\n",
    ));

  it("shows what a terminal would obey", () => assert.equal(csvLine(["\u001b[2J"]), "␛[2J\r\n"));
});
