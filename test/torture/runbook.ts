/** The project whose jobs are tortured: each shell step leaves a line when it begins and one when it ends. */
import fs from "node:fs";
import path from "node:path";

const mark = (text: string) => `echo "${text} $OJ_RUN $PPID" >>"$TORTURE_LINES"`;

const RUNBOOK = `
command "work" {
  args = "<token> <code> <pause>"
  run  = { job = "work" }
}

command "long" {
  args = "<token>"
  run  = { job = "long" }
}

job "work" {
  vars = ["token", "code", "pause"]
  step "first" {
    run = <<-EOS
      ${mark("begin")}
      sleep \${var.pause}
      ${mark("end")}
    EOS
    on_fail = { step = "mend" }
  }
  step "ask" {
    decision {
      prompt  = "go on with \${var.token}?"
      context = <<-EOS
        ${mark("context")}
        echo "\${var.token} waits"
      EOS
      option "go"    { recommended = true }
      option "again" { step = "first" }
      option "drop"  { action = "cancel" }
      option "later" { action = "dismiss" }
    }
  }
  step "last" {
    run = <<-EOS
      ${mark("begin")}
      ${mark("end")}
      exit \${var.code}
    EOS
    on_fail = { step = "mend" }
  }
  step "mend" {
    run = <<-EOS
      ${mark("begin")}
      ${mark("end")}
    EOS
  }
}

# Outlives every daemon, with a child in the background: whoever recovers must end both.
job "long" {
  vars = ["token"]
  on_cancel = { step = "tidy" }
  step "sit" {
    run = <<-EOS
      ${mark("begin")}
      sleep 300 &
      sleep 300
      ${mark("end")}
    EOS
    on_fail = { step = "mend" }
  }
  step "mend" {
    run = <<-EOS
      ${mark("begin")}
      ${mark("end")}
    EOS
  }
  step "tidy" {
    run = <<-EOS
      ${mark("begin")}
      ${mark("end")}
    EOS
  }
}
`;

/** Steps whose failure must lead to another one. */
export const ON_FAIL: Record<string, Record<string, string>> = {
  work: { first: "mend", last: "mend" },
  long: { sit: "mend" },
};

export interface Project {
  dir: string;
  lines: string;
  /** What jobs are started with. With `slow`, their bash takes its time before it reads the script. */
  env(slow: boolean): Record<string, string>;
}

export function makeProject(dir: string, mark: string): Project {
  const lines = path.join(dir, "lines");
  const bin = path.join(dir, "slow-bin");
  fs.mkdirSync(path.join(dir, "project/.oj/runbooks"), { recursive: true });
  fs.mkdirSync(bin);
  fs.writeFileSync(lines, "");
  fs.writeFileSync(path.join(dir, "project/.oj/runbooks/torture.hcl"), RUNBOOK);
  fs.writeFileSync(path.join(bin, "bash"), '#!/bin/sh\nsleep 0.25\nexec /bin/bash "$@"\n', { mode: 0o755 });
  const PATH = process.env.PATH ?? "";
  return {
    dir: path.join(dir, "project"),
    lines,
    env: (slow) => ({
      PATH: slow ? `${bin}:${PATH}` : PATH,
      TORTURE: mark,
      TORTURE_LINES: lines,
    }),
  };
}

/** What the steps left, by run: which daemon's child wrote what. */
export interface Trace {
  begin: number[];
  end: number[];
  context: number[];
}

export function readTraces(project: Project): Map<string, Trace> {
  const traces = new Map<string, Trace>();
  for (const line of fs.readFileSync(project.lines, "utf8").split("\n")) {
    const [what, run = "", pid] = line.split(" ");
    if (what !== "begin" && what !== "end" && what !== "context") continue;
    const trace = traces.get(run) ?? { begin: [], end: [], context: [] };
    traces.set(run, trace);
    trace[what].push(Number(pid));
  }
  return traces;
}
