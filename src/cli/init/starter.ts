/** The runbook that `oj init` writes. It works in any folder, and shows each thing once. */

export const STARTER_RUNBOOK = `# A first runbook: a greeting that a person checks before it is sent.
#
#   oj run greet Ana               start it
#   oj decision list               see what it asks
#   oj runbook check               after you change this file
#   oj runbook test                the tests in .oj/tests/starter.hcl

command "greet" {
  description = "A greeting that a person checks before it is sent"
  args        = "<name> [--greeting <text>]"
  defaults    = { greeting = "Hello" }
  run         = { job = "greet" }
}

job "greet" {
  name = "greet/\${var.name}"
  vars = ["name", "greeting"]

  # The job's own folder, removed when the job has completed. Without this line a job
  # runs where \`oj run\` was called; \`workspace { git = true }\` makes a git worktree.
  workspace = "folder"

  # Steps run in this order. A shell step is bash; a value such as \${var.name} is never
  # run as code there, whatever characters it contains.
  step "write" {
    run = "echo \\"\${var.greeting}, \${var.name}!\\" > greeting.txt"
  }

  # A decision step asks and waits, however long it takes.
  step "approve" {
    decision {
      prompt  = "Send this greeting to \${var.name}?"
      context = "cat greeting.txt" # shell; its output is shown with the question

      option "send" {
        label       = "Send it"
        description = "Send it as it is"
        recommended = true
      }
      option "rewrite" {
        label       = "Rewrite it"
        description = "Back to the first step"
        step        = "write"
      }
      option "drop" {
        label       = "Drop it"
        description = "Send nothing"
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

  # Only an on_fail leads here, so this step runs only then.
  step "explain" {
    run = "echo \\"the greeting was not sent: \${job.error}\\""
  }
}
`;

/** Its tests: \`oj runbook test\` plays them in virtual time. */
export const STARTER_TEST = `# Tests of starter.hcl: oj runbook test
#
# Nothing is run: scripts exit with 0 unless a test says otherwise, and time passes at once.

test "a greeting is rewritten, then sent" {
  run = "greet Ana"

  expect { decision = { title = "Send this greeting to Ana?" } }
  answer { choice = "rewrite" }

  expect { decision = { title = "Send this greeting to Ana?" } }
  answer {
    choice  = "send"
    message = "with love"
  }
  expect { job = "completed" }
}

test "a greeting that can't be sent is explained" {
  run = "greet Ana"

  shell "cat greeting.txt" { exits = [0, 1] } # the context of the question, then the step itself

  answer { choice = "send" }
  expect { step = "explain" }
}
`;

/** A project's settings. The name is written as TOML, whatever the folder is called. */
export function starterConfig(project: string): string {
  return `# Settings of this project

[project]
name = ${JSON.stringify(project)}
`;
}
