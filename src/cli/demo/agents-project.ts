/** What the tour's agents work on: four small jobs in a shop, and what each agent plays. */
import fs from "node:fs";
import path from "node:path";

/** The runbook that the tour shows; the others are like it. */
export const SHOWN = ".oj/runbooks/tests.hcl";

/** The jobs, in the order in which they are started. */
export const JOBS = ["cart", "search", "release", "tests"];

const CART = `command "cart" { run = { job = "cart" } }

job "cart" {
  step "build" { run = { agent = "cart" } }
  step "show"  { run = "cat cart.js" }
}

agent "cart" {
  run    = "oj-agent --scenario .scenarios/cart.json"
  prompt = "Prices in the cart have too many digits. Round them."
}
`;

const SEARCH = `command "search" { run = { job = "search" } }

job "search" {
  step "build" { run = { agent = "search" } }
  step "show"  { run = "cat search.js || echo nothing was built" }
}

agent "search" {
  run    = "oj-agent --scenario .scenarios/search.json"
  prompt = "Plan a search for the shop, then build it."
}
`;

const RELEASE = `command "release" { run = { job = "release" } }

job "release" {
  step "publish"  { run = { agent = "release" } }
  step "announce" { run = "cat published.txt || echo nothing was published" }
}

agent "release" {
  run    = "oj-agent --scenario .scenarios/release.json"
  prompt = "Publish version 1.2.0."
}
`;

const TESTS = `command "tests" { run = { job = "tests" } }

job "tests" {
  step "fix"  { run = { agent = "tester" } }
  step "show" { run = "cat mail.js" }
}

agent "tester" {
  run       = "oj-agent --scenario .scenarios/tests.json"
  prompt    = "Fix the failing test in the mail module."
  on_signal = { action = "gate", run = "./test.sh" }   # its "done" counts when this exits 0
}
`;

const TEST = `#!/bin/sh
sleep 0.3
echo "ok    cart"
echo "ok    checkout"
if grep -q '"sent"' mail.js; then echo "ok    mail"; exit 0; fi
echo "FAIL  mail: expected the state to be sent" >&2
exit 1
`;

const PUBLISH = `#!/bin/sh
echo "shop $1 is published" | tee published.txt
`;

const DONE = { signal: "done" };

const write = (file: string, content: string) => ({
  tool: "Write",
  input: { file_path: file, content },
  real: true,
  denied: [{ say: "Then I'll leave it as it is." }, DONE],
});

const SCENARIOS = {
  cart: {
    turns: [
      [
        { say: "Three places add up prices. One thing I can't know:" },
        {
          ask: {
            question: "How should prices be rounded?",
            header: "Rounding",
            options: [
              { label: "To cents", description: "2 digits, half a cent rounds up" },
              { label: "To 5 cents", description: "as cash registers do" },
            ],
          },
          declined: [{ say: "Then the prices stay as they are." }, DONE],
        },
        {
          ...write(
            "cart.js",
            "// prices are rounded: {{answer}}\nexport const total = (sum) => round(sum);\n",
          ),
          asks: false,
        },
        { say: "Rounded: {{answer}}." },
        DONE,
      ],
    ],
  },
  search: {
    turns: [
      [
        { say: "I read the code and made a plan." },
        {
          plan: "# Search\n\n1. Index names and descriptions when the shop starts\n2. Answer `/search?q=` from the index\n3. A field in the header of each page\n",
        },
        write("search.js", "export const search = (words) => index.find(words);\n"),
        { say: "The search is built as planned." },
        DONE,
      ],
    ],
  },
  release: {
    turns: [
      [
        { say: "Everything is ready. Publishing now." },
        {
          tool: "Bash",
          input: { command: "./publish.sh 1.2.0", description: "Publish version 1.2.0" },
          real: true,
          denied: [{ say: "Then it stays unpublished: {{message}}" }, DONE],
        },
        { say: "Version 1.2.0 is published." },
        DONE,
      ],
    ],
  },
  tests: {
    turns: [
      [
        { say: "The state had a wrong name." },
        { ...write("mail.js", 'export const state = "gone";\n'), asks: false },
        { say: "That should do it." },
        DONE,
      ],
      [{ say: "It still fails, and I can't see why." }, DONE],
    ],
    otherwise: [
      { say: "I see." },
      { ...write("mail.js", 'export const state = "sent";\n'), asks: false },
      { say: "Now it is fixed." },
      DONE,
    ],
  },
};

export function makeAgentsProject(folder: string): void {
  const put = (name: string, text: string, mode = 0o644) => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text, { mode });
  };
  put(".oj/runbooks/cart.hcl", CART);
  put(".oj/runbooks/search.hcl", SEARCH);
  put(".oj/runbooks/release.hcl", RELEASE);
  put(SHOWN, TESTS);
  for (const [name, scenario] of Object.entries(SCENARIOS))
    put(`.scenarios/${name}.json`, JSON.stringify(scenario, null, 2));
  put("test.sh", TEST, 0o755);
  put("publish.sh", PUBLISH, 0o755);
  put("cart.js", "export const total = (sum) => sum;\n");
  put("mail.js", 'export const state = "lost";\n');
}
