import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { questionIn } from "./asks.ts";

/** Last messages of agents that wait for an answer, and the words that ask. */
const ASK: [message: string, asks: string][] = [
  ["Which database should I use?", "Which database should I use?"],
  ["I have two ideas. Shall I mend the test as well?", "Shall I mend the test as well?"],
  ["Done. All tests pass. Want me to update the docs too?", "Want me to update the docs too?"],
  ["The migration is ready.\n\nShould I run it against staging?", "Should I run it against staging?"],
  [
    "Which one do you prefer?\n\n1. Postgres: what we run today\n2. SQLite: one file",
    "Which one do you prefer?",
  ],
  ["Which one?\n\n- Keep the old API\n- Break it\n\nI'd recommend keeping it.", "Which one?"],
  [
    "Do you want me to push to main? The branch is protected and CI is green.",
    "Do you want me to push to main?",
  ],
  ["How should I name the new package? I'd suggest `@shop/cart`.", "How should I name the new package?"],
  ["Would you like tabs or spaces? Thanks!", "Would you like tabs or spaces?"],
  ["Ready to deploy. OK to go ahead?", "OK to go ahead?"],
  ["Sound good?", "Sound good?"],
  ["I will delete `old/` and everything in it. Is that okay?", "Is that okay?"],
  ["Please let me know which option you prefer.", "Please let me know which option you prefer."],
  ["Let me know how you'd like to proceed.", "Let me know how you'd like to proceed."],
  ["The plan is in PLAN.md. Please confirm before I start.", "Please confirm before I start."],
  [
    "I need the API key for the payment provider to go on.",
    "I need the API key for the payment provider to go on.",
  ],
  ["I'm waiting for your approval before I push.", "I'm waiting for your approval before I push."],
  ["Both work. Your call.", "Your call."],
  [
    "Tell me which of them to keep and I'll remove the others.",
    "Tell me which of them to keep and I'll remove the others.",
  ],
  [
    "I can't continue until you decide which schema wins.",
    "I can't continue until you decide which schema wins.",
  ],
  ["Once you confirm, I'll run the migration.", "Once you confirm, I'll run the migration."],
  ["Before I go on:\n\n- Which region?\n- Should old users be migrated?", "Should old users be migrated?"],
  ["Open questions:\n1. Is v1 still in use?\n2. Who owns the cron job?", "Who owns the cron job?"],
  ["I could not reproduce it. Could you send me the log?", "Could you send me the log?"],
  ["**Should I also remove the feature flag?**", "**Should I also remove the feature flag?**"],
  ["Should I\nmove it to the\nnew module?", "Should I move it to the new module?"],
  ["Soll ich das auch auf main pushen?", "Soll ich das auch auf main pushen?"],
  ["¿Quieres que lo suba a producción?", "¿Quieres que lo suba a producción?"],
  ["本番にデプロイしてもいいですか？", "本番にデプロイしてもいいですか？"],
  ["テストも直しますか。", "テストも直しますか。"],
  ["هل أتابع؟", "هل أتابع؟"],
  [
    "Two tests fail:\n\n```\nexpect(a).toBe(b)\n```\n\nDo you want me to skip them?",
    "Do you want me to skip them?",
  ],
  ["Shall I run this?\n\n```sh\nrm -rf build\n```", "Shall I run this?"],
  ["What would you like me to work on next?", "What would you like me to work on next?"],
  ["I found three ways to do it. Which one do you want? Let me know!", "Which one do you want?"],
  ["Can I use the network for this? I have not started yet.", "Can I use the network for this?"],
  [
    "Do you want the short version or the long one? No rush.",
    "Do you want the short version or the long one?",
  ],
  ["I'd like your input on the naming.", "I'd like your input on the naming."],
  ["Let me know if I should continue.", "Let me know if I should continue."],
  ["Should I go on", "Should I go on"],
  ["Is `--force` allowed here?", "Is `--force` allowed here?"],
  ["Should the total include tax? If not, I'll leave it as it is.", "Should the total include tax?"],
  [
    "What's the expected behaviour when the cart is empty? The spec doesn't say.",
    "What's the expected behaviour when the cart is empty?",
  ],
  ["Should I:\n\n1. Start one with docker\n2. Mock it\n3. Skip those tests", "Should I:"],
  ["I don't have permission to push. Could you run it or grant access?", "Could you run it or grant access?"],
  [
    "The staging DB rejects my credentials. Please provide working ones or tell me to use the local DB.",
    "Please provide working ones or tell me to use the local DB.",
  ],
  [
    "Would it be better to keep the old endpoint for a release? I can do either.",
    "Would it be better to keep the old endpoint for a release?",
  ],
  ['Can you clarify what "fast" means here?', 'Can you clarify what "fast" means here?'],
];

/** Last messages of agents that have merely stopped. */
const STOP: string[] = [
  "",
  "Hm.",
  "Done.",
  "All tests pass.",
  "I've added the search page and its tests. Everything passes.",
  "Why did it fail? The port was already in use. I changed the test to pick a free one.",
  "Is it safe? Yes: the folder is only a cache.",
  "I wondered: should I mock the clock? I decided not to. All green.",
  "Let me know if you have any questions.",
  "Let me know if you'd like any changes!",
  "Let me know if you need anything else.",
  "Is there anything else I can help with?",
  "The work is finished. Anything else?",
  "Any questions?",
  "Feel free to ask if something is unclear.",
  "I'm happy to adjust the naming if you want.",
  'The dialog now asks "Are you sure?" before it deletes.',
  'I renamed the prompt to "Are you sure?"',
  "I added `isReady?.()` to the check.",
  "The regex is now `/colou?r/`.",
  "Fetch it from https://example.com/search?q=1 and compare.",
  "See https://example.com/what?",
  "```\nWhich database should I use?\n```",
  "> Which database should we use?\n\nI used Postgres.",
  "# What changed?\n\nThe cart now has a total.",
  "- [x] Does it build?\n- [x] Do the tests pass?",
  "The FAQ page now answers:\n\n- How do I log in?\n- Where is my invoice?",
  "The tests cover:\n- what happens without a network?\n- what happens twice?",
  "I asked the API which version it runs. It is 2.1.",
  "You can run it with `npm start`.",
  "You should restart the server to see it.",
  "I'll continue with the next file.",
  "Which of the two is faster depends on the data; I measured both and kept the first.",
  "The question was whether to keep v1. I kept it.",
  "What changed: the cart has a total, and the tests know about it.",
  "Nothing to do: the branch is up to date.",
  "I fixed the bug. The cause was a wrong index, not the cache as you thought.",
  "Interrupted.",
  "The server asks for a password at startup.",
  "Next I would add a test for the empty cart.",
  "Does it scale? It was fine with ten thousand rows. I left the index out.",
  'The error message now reads: Did you mean "checkout"?',
  "So what was wrong? A race between the two timers. It is fixed now, and there's a test for it.",
  "| Question | Answer |\n|---|---|\n| Which db? | Postgres |",
  "Tests: 12 passed, 0 failed. I will wait for CI.",
  "The user is now asked which plan they want.",
  "Please run `npm install` before starting the server.",
  "All 128 tests pass. Let me know if you want me to tweak anything.",
  "I updated the docs so that people know what to do when the disk is full.",
];

describe("the last words of an agent", () => {
  it.each(ASK)("ask: %s", (message, asks) => {
    assert.equal(questionIn(message), asks);
  });

  it.each(STOP.map((it) => [it]))("don't ask: %s", (message) => {
    assert.equal(questionIn(message), null);
  });

  it("are read in time, however long they are", () => {
    // a reader that takes the square of the length would take longer than a test may
    for (const it of ["? ", "let me know ", "`", '"', "- a?\n", "i need ", "please ", "\n\n", "x".repeat(50)])
      questionIn(it.repeat(200_000 / it.length));
  });
});
