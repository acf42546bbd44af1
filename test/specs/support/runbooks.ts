/** Runbooks that several specs use. */

/** Three steps; the second asks. */
export const RELEASE = `
command "release" {
  description = "Test, ask, publish"
  args        = "<version> [--note <text>]"
  run         = { job = "release" }
}
job "release" {
  name     = "release/\${var.version}"
  vars     = ["version", "note"]
  defaults = { note = "" }
  step "test" { run = "echo testing \${var.version}" }
  step "ship" {
    decision {
      prompt  = "Ship \${var.version}?"
      context = "echo all green"
      option "ship" { label = "Ship it"  recommended = true }
      option "again" { label = "Test again"  step = "test" }
      option "stop" { label = "Stop"  action = "cancel" }
    }
  }
  step "publish" { run = "echo published \${var.version} '\${decision.ship.message}'" }
}
`;

/** Runs until its file \`go\` is there, and says so with its file \`began\`. */
export const HOLD = `
command "hold" { run = { job = "hold" } }
job "hold" {
  step "wait" { run = "echo holding; touch began; while [ ! -e go ]; do sleep 0.05; done; echo released" }
  step "end" { run = "echo over" }
}
`;

export const FAIL = `
command "fail" { run = { job = "fail" } }
job "fail" {
  step "good" { run = "echo fine" }
  step "bad" { run = "echo boom >&2; [ -e mended ]" }
}
`;
