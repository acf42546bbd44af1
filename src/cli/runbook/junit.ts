/** The result of tests as JUnit's XML, which CI systems read. */
import { safe } from "../../text/safe.ts";

import type { TestReport, TestRun } from "../../trial/main.ts";
import { plain } from "../base/output.ts";
import { storyLines } from "./story.ts";

export function junit({ tests, problems }: TestRun): string {
  const files = [...new Set(tests.map((it) => it.file))];
  const suites = files.map((file) => {
    const own = tests.filter((it) => it.file === file);
    const failed = own.filter((it) => !it.ok).length;
    const head = `  <testsuite name=${quoted(file)} tests="${own.length}" failures="${failed}" errors="0">`;
    return [head, ...own.map(testcase), "  </testsuite>"].join("\n");
  });
  const broken = [...new Set(problems.map((it) => it.path))].map((file) => {
    const own = problems.filter((it) => it.path === file);
    const text = own.map((it) => `${it.path}:${it.line}:${it.column}  ${it.message}`).join("\n");
    return [
      `  <testsuite name=${quoted(file)} tests="1" failures="0" errors="1">`,
      `    <testcase name=${quoted(file)} classname=${quoted(file)} time="0">`,
      `      <error message=${quoted(own[0]?.message ?? "")}>${escaped(text)}</error>`,
      "    </testcase>",
      "  </testsuite>",
    ].join("\n");
  });
  const counts = `tests="${tests.length + broken.length}" failures="${tests.filter((it) => !it.ok).length}" errors="${broken.length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    ...suites,
    ...broken,
    "</testsuites>",
  ].join("\n");
}

function testcase({ name, file, line, ok, problem, took_ms, timeline }: TestReport): string {
  const head = `    <testcase name=${quoted(name)} classname=${quoted(file)} time="${took_ms / 1000}"`;
  if (ok) return `${head}/>`;
  const story = storyLines(timeline, { style: plain, width: 120 }, false).join("\n");
  const text = `${file}:${problem?.line ?? line}\n${problem?.text ?? ""}\n\n${story}`;
  return [
    `${head}>`,
    `      <failure message=${quoted(problem?.text ?? "")}>${escaped(text)}</failure>`,
    "    </testcase>",
  ].join("\n");
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;")}"`;
}

/** XML takes no control characters, not even escaped ones. */
function escaped(text: string): string {
  return safe(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
