/** The runbook that `oj init` writes. It works in any folder, and shows each thing once. */

export const STARTER_RUNBOOK = `# A first runbook: a greeting that a person looks at before it goes out.
#
#   oj run greet Ana               start it
#   oj decision list               see what it asks
#   oj runbook check               after you changed this file

command "greet" {
  description = "A greeting, looked at by a person before it goes out"
  args        = "<name> [--greeting <text>]"
  defaults    = { greeting = "Hello" }
  run         = { job = "greet" }
}

job "greet" {
  name = "greet/\${var.name}"
  vars = ["name", "greeting"]

  # A folder of the job's own, removed when it has completed. Without this line a job
  # works where \`oj run\` was called; \`workspace { git = true }\` is a git worktree.
  workspace = "folder"

  # Steps run in this order. A shell step is bash; a value such as \${var.name} stays a
  # value there, whatever characters it has.
  step "write" {
    run = "echo \\"\${var.greeting}, \${var.name}!\\" > greeting.txt"
  }

  # A decision step asks and waits, however long it takes.
  step "approve" {
    decision {
      prompt  = "Send this greeting to \${var.name}?"
      context = "cat greeting.txt" # shell; what it prints is shown with the question

      option "send" {
        label       = "Send it"
        description = "Goes out as it is"
        recommended = true
      }
      option "rewrite" {
        label       = "Write it again"
        description = "Back to the first step"
        step        = "write"
      }
      option "drop" {
        label       = "Drop it"
        description = "Nothing goes out"
        action      = "cancel"
      }
    }
  }

  # Later steps can use the answer: .choice, .label, .message and .by
  step "send" {
    run     = <<-SH
      cat greeting.txt
      echo "sent, as \${decision.approve.by} chose: \${decision.approve.label}"
      echo "note: \${decision.approve.message}"
    SH
    on_fail = { step = "explain" }
  }

  # Named only by an on_fail, so it stands aside and runs only then.
  step "explain" {
    run = "echo \\"the greeting was not sent: \${job.error}\\""
  }
}
`;

/** A project's settings. The name is written as TOML, whatever the folder is called. */
export function starterConfig(project: string): string {
  return `# Settings of this project

[project]
name = ${JSON.stringify(project)}
`;
}
